// The worst mix that accounts may send: each of them asks for long reads, answers for agents, files, server-sent events and
// subscriptions, without a pause but for refusals. Runs beside the test, so that it does not delay what the test measures.
import { StreamClient } from '../stream-client.fixture.ts';

declare const self: Worker;

const YEARS = 'from=2015-01-01&limit=10000';
const READS = [
  `/api/bars/BTCUSD?interval=1d&${YEARS}&fields=trades,vwap,unrecorded_minutes`,
  `/api/bars?symbols=EURUSD,GBPUSD,USDJPY,XAUUSD&interval=1439m&from=2015-01-01&limit=2500`,
  '/api/profile/BTCUSD?from=2025-01-01&to=2025-01-31',
  '/api/footprint/BTCUSD?interval=1h&from=2025-01-01&limit=500',
  `/api/indicators/BTCUSD?indicators=obv,rsi(14)&interval=1439m&${YEARS}`,
  '/api/market/EURUSD/coverage?timeframe=1m&from=2025-01-01&to=2025-01-07',
  '/udf/history?symbol=EURUSD&resolution=60&from=1420070400&to=1750000000',
  '/udf/marks?symbol=GBPUSD&resolution=60&from=1420070400&to=1750000000',
  '/api/bars/GBPUSD?interval=1m&from=2024-01-01&to=2024-03-01&format=csv',
  '/api/bars/GBPUSD?interval=1h&from=2020-01-01&format=parquet',
  '/api/publishers?limit=200',
];
const AGENT = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'get_bars',
    arguments: { symbols: ['EURUSD', 'GBPUSD', 'USDJPY', 'XAUUSD', 'BTCUSD'], from: '2018-01-01', to: '2024-01-01' },
  },
};
const STREAM = '/sse?channels=bars,footprint,signals&symbols=EURUSD,GBPUSD,BTCUSD&timeframe=1h';
const REFUSED_PAUSE_MS = 100;

export interface GreedyAccounts {
  readonly url: string;
  readonly keys: readonly string[];
}

self.onmessage = ({ data }: MessageEvent<GreedyAccounts>) => {
  const { url, keys } = data;
  const statuses: Record<string, number> = {};
  const count = (status: number): void => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    self.postMessage(statuses);
  };
  const ask = async (key: string, path: string, init: RequestInit = {}): Promise<void> => {
    const headers = { 'X-API-Key': key, ...(init.headers as Record<string, string>) };
    const response = await fetch(url + path, { ...init, headers });
    await response.arrayBuffer();
    count(response.status);
    if (response.status === 429) await Bun.sleep(REFUSED_PAUSE_MS);
  };
  const reads = async (key: string, first: number): Promise<never> => {
    for (let at = first; ; at++) await ask(key, READS[at % READS.length]!);
  };
  const agent = async (key: string): Promise<never> => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    for (;;) await ask(key, '/mcp', { method: 'POST', headers, body: JSON.stringify(AGENT) });
  };
  const events = async (key: string): Promise<never> => {
    for (;;) {
      await ask(key, STREAM, { signal: AbortSignal.timeout(1_000) }).catch(() => {});
      await Bun.sleep(REFUSED_PAUSE_MS);
    }
  };
  const streams = async (key: string): Promise<void> => {
    const stream = await StreamClient.open(`${url.replace('http', 'ws')}/ws`, key);
    for (;;) {
      const bars = { channel: 'bars', timeframe: '1h', symbols: ['*'], indicators: ['obv', 'rsi(14)'] };
      stream.send({ action: 'subscribe', ...bars });
      stream.send({ action: 'subscribe', channel: 'footprint', timeframe: '1h', symbols: ['*'] });
      stream.send({ action: 'subscribe', channel: 'market', symbols: ['*'], seq: true });
      stream.send({ action: 'unsubscribe' });
      await Bun.sleep(REFUSED_PAUSE_MS);
      stream.messages.length = 0;
    }
  };
  keys.forEach((key, at) => {
    for (const work of [reads(key, at), reads(key, at + 5), agent(key), events(key), streams(key)])
      work.catch(() => {});
  });
};
