// One cursor from history into live in a cluster on real PostgreSQL and Redis: the answer comes from one gateway, the stream from
// another one, or from a gateway that was started since.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { canRunCluster, SmallCluster } from '../../testing/app/small-cluster.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { isData, type Message, StreamClient } from '../../testing/stream-client.fixture.ts';
import { createAccount, issueKey } from '../access/issue-key.ts';
import { waitForServices } from '../cli/wait-for-services.ts';

const SYMBOLS = ['EURUSD', 'GBPUSD', 'AUDUSD'];
const PATHS = [
  '/api/market/EURUSD/quote',
  '/api/quotes',
  '/api/market/EURUSD?bars=20&timeframe=1m',
  '/api/market/EURUSD?from=1970-01-01&timeframe=1m',
  '/api/bars/EURUSD?interval=1m',
];

interface RestBar {
  readonly time: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

describe.skipIf(!canRunCluster)('two gateways', () => {
  let cluster: SmallCluster;
  let key: string;
  /** Every tick since the start, as one client of the first gateway sees it. */
  let reference: StreamClient;
  let pushing = true;
  let pushed: Promise<void>;
  let bid = 1;

  beforeAll(async () => {
    cluster = await SmallCluster.start({ feeds: 'push', spike_percent: '1000' }, 2);
    const { access } = cluster.ingest.store;
    const by = { store: access, actor: 'test', now: Date.now() };
    const account = await createAccount(by, 'Reader', 'premium', true);
    ({ key } = await issueKey(by, { name: 'Reader', scopes: ['read', 'ingest'], expiresAt: null, account }));
    await waitForServices(access, 'the key');
    reference = await open(0, 'market');
    await reference.ask({ action: 'subscribe', symbols: SYMBOLS, seq: true });
    pushed = (async () => {
      while (pushing) await push();
    })();
    const hasQuotes = async (gateway: number): Promise<boolean> =>
      (await get(gateway, '/api/quotes')).body.items!.length === SYMBOLS.length;
    for (const gateway of [0, 1]) await eventually('quotes', () => hasQuotes(gateway));
  });
  afterAll(async () => {
    pushing = false;
    await pushed;
    await cluster.end();
  });

  const open = (gateway: number, channel: string): Promise<StreamClient> =>
    StreamClient.open(`${cluster.gateways[gateway]!.url.replace('http', 'ws')}/ws/${channel}`, key);

  /** Ticks of now and of minutes before, which close and amend bars. They enter through the first gateway. */
  async function push(): Promise<void> {
    const now = Date.now();
    const lines = Array.from({ length: 10 }, (_, at) => {
      bid = 1 + ((bid * 7919) % 1000) / 10_000;
      const time = now - (at % 5 === 0 ? 1 + ((at * 37) % 500) : 0) * 1_000;
      bid = Math.round(bid * 10_000) / 10_000;
      return JSON.stringify({ symbol: SYMBOLS[at % 3], time, bid, ask: Math.round((bid + 0.001) * 10_000) / 10_000 });
    });
    const response = await fetch(`${cluster.gateways[0]!.url}/ingest/ticks`, {
      method: 'POST',
      body: lines.join('\n'),
      headers: { 'X-API-Key': key },
    });
    expect(response.status).toBe(200);
    await Bun.sleep(5);
  }

  async function get(gateway: number, path: string) {
    const response = await fetch(cluster.gateways[gateway]!.url + path, { headers: { 'X-API-Key': key } });
    expect(response.status).toBe(200);
    const seq = Number(response.headers.get('Stream-Seq'));
    const epoch = response.headers.get('Stream-Epoch')!;
    return { body: (await response.json()) as { ohlcv?: RestBar[]; items?: RestBar[] }, position: { epoch, seq } };
  }

  const seqsOf = (stream: StreamClient, symbol: string, after: number, until: number): unknown[] =>
    stream.messages
      .filter((message) => isData(message) && message.symbol === symbol)
      .map(({ seq }) => Number(seq))
      .filter((seq) => seq > after && seq <= until);

  /** The ticks after an answer of one gateway, from another one. */
  async function expectContinuation(from: number, to: number, path: string, waitMs: number): Promise<void> {
    const { position } = await get(from, path);
    await Bun.sleep(waitMs);
    const stream = await open(to, 'market');
    stream.send({ action: 'subscribe', symbols: SYMBOLS, seq: true, resume_from: position });
    await eventually('ticks', () => stream.messages.filter(isData).length > 20);
    const until = Math.max(...stream.messages.filter(isData).map(({ seq }) => Number(seq)));
    await eventually('the reference', () => Number(reference.messages.filter(isData).at(-1)!.seq) > until);
    for (const symbol of SYMBOLS)
      expect([path, seqsOf(stream, symbol, 0, until)]).toEqual([path, seqsOf(reference, symbol, position.seq, until)]);
    expect(stream.messages.filter(({ event }) => event === 'gap')).toEqual([]);
    stream.close();
  }

  test('continue each other without a gap or an overlap, also if the second one is behind', async () => {
    for (let round = 0; round < 4; round++)
      for (const path of PATHS)
        await expectContinuation(round % 2, (round + 1) % 2, path, round === 0 ? 0 : round * 20);
  });

  test('a gateway that was started since the answer continues it', async () => {
    const { position } = await get(1, '/api/quotes');
    await cluster.restartGateway(1);
    const stream = await open(1, 'market');
    stream.send({ action: 'subscribe', symbols: SYMBOLS, seq: true, resume_from: position });
    await eventually('ticks', () => stream.messages.filter(isData).length > 20);
    const until = Math.max(...stream.messages.filter(isData).map(({ seq }) => Number(seq)));
    await eventually('the reference', () => Number(reference.messages.filter(isData).at(-1)!.seq) > until);
    for (const symbol of SYMBOLS)
      expect(seqsOf(stream, symbol, 0, until)).toEqual(seqsOf(reference, symbol, position.seq, until));
    expect(stream.messages.filter(({ event }) => event === 'gap')).toEqual([]);
    stream.close();
    for (const path of PATHS) await expectContinuation(1, 0, path, 0);
  });

  test('bars of one gateway and messages of the other are the bars of the truth', async () => {
    const pick = ({ open: o, high, low, close, volume }: Message | RestBar) => [o, high, low, close, volume];
    for (const [path, timeframe] of [
      ['/api/bars/GBPUSD?limit=1000&interval=1m', '1m'],
      ['/api/market/GBPUSD?from=1970-01-01&bars=500&timeframe=5m', '5m'],
    ] as const) {
      const barsOf = ({ ohlcv, items }: { ohlcv?: RestBar[]; items?: RestBar[] }) => (ohlcv ?? items)!;
      const { body, position } = await get(1, path);
      const stream = await open(0, 'market');
      const request = { action: 'subscribe', channel: 'bars', timeframe, symbols: ['GBPUSD'], seq: true };
      stream.send({ ...request, resume_from: position });
      await eventually('bars', () => stream.messages.filter(isData).length > 10);
      // The market pauses, so that there is one truth to compare with.
      pushing = false;
      await pushed;
      const state = new Map(barsOf(body).map((bar) => [Date.parse(bar.time) / 1000, pick(bar)]));
      const shown = () => {
        const all = new Map(state);
        for (const message of stream.messages.filter(isData)) all.set(Number(message.time), pick(message));
        return JSON.stringify([...all].sort(([a], [b]) => a - b));
      };
      const truth = async () =>
        JSON.stringify(barsOf((await get(1, path)).body).map((bar) => [Date.parse(bar.time) / 1000, pick(bar)]));
      await eventually('the bars of the truth', async () => shown() === (await truth()));
      expect(stream.messages.filter(({ event }) => event === 'gap')).toEqual([]);
      const seqs = stream.messages.filter(isData).map(({ seq }) => Number(seq));
      expect(Math.min(...seqs)).toBeGreaterThan(position.seq);
      expect(new Set(seqs).size).toBe(seqs.length);
      stream.close();
      pushing = true;
      pushed = (async () => {
        while (pushing) await push();
      })();
    }
  });
});
