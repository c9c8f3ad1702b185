// Pushed ticks, from the socket to the bars, over HTTP and WebSocket.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { AuthenticatedNotice, IngestAnswer, IngestedNotice } from '@tickwire/contract';
import { HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { StreamClient } from '../../testing/stream-client.fixture.ts';

let service: RunningService;
let key: string;
let reader: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push', ingest_lines_per_minute: '300000' });
  ({ key } = await service.key('free', ['ingest']));
  reader = (await service.key('premium')).key;
});
afterAll(() => service.stop());

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}, as = key) =>
  fetch(`${service.url}/ingest/ticks`, { method: 'POST', body, headers: { ...headers, 'X-API-Key': as } });
const answerOf = async (response: Response) => IngestAnswer.strict().parse(await response.json());
const get = async (path: string) => (await fetch(service.url + path, { headers: { 'X-API-Key': reader } })).json();
const quote = (symbol: string, time: number, bid: number) => JSON.stringify({ symbol, time, bid, ask: bid + 1 });
const trade = (symbol: string, time: number, price: number, size = 1) =>
  JSON.stringify({ symbol, time, price, size, side: 'buy' });

describe('POST /ingest/ticks', () => {
  test('quotes and trades appear as quotes and bars, not marked as simulated', async () => {
    const now = Date.now();
    const start = now - (now % MINUTE_MS) - 2 * MINUTE_MS;
    const lines = [
      quote('US500', start, 5000),
      trade('US500', start + 1_000, 5000.5),
      trade('US500', start + MINUTE_MS, 5001, 2),
      trade('US500', start + MINUTE_MS + 1_000, 5003, 3),
      quote('US500', start + MINUTE_MS + 2_000, 5002),
    ];
    const response = await post(lines.join('\n'));
    expect(response.headers.has('data-source')).toBe(false);
    expect(await answerOf(response)).toEqual({ accepted: 5, rejected: [], rejected_count: 0 });
    expect(await get('/api/market/US500/quote')).toMatchObject({ symbol: 'US500', bid: 5002, ask: 5003, spread: 1 });
    const { ohlcv } = (await get('/api/market/US500?timeframe=1m&bars=5')) as { ohlcv: unknown[] };
    expect(ohlcv).toEqual([
      // The quote of the first trade's minute does not count.
      { time: new Date(start).toISOString(), open: 5000.5, high: 5000.5, low: 5000.5, close: 5000.5, volume: 1 },
      { time: new Date(start + MINUTE_MS).toISOString(), open: 5001, high: 5003, low: 5001, close: 5003, volume: 5 },
    ]);
  });

  test('an invalid line does not affect valid ones, and each is reported', async () => {
    const now = Date.now();
    const lines = [
      quote('EURUSD', now, 1),
      'garbage',
      JSON.stringify({ symbol: 'EURUSD', time: now, bid: 3, ask: 2 }),
      '',
      JSON.stringify({ symbol: 'NOSUCH', time: now, bid: 1, ask: 2 }),
      JSON.stringify({ symbol: 'EURUSD', time: now, bid: 1.1234567, ask: 2 }),
      JSON.stringify({ symbol: 'EURUSD', time: now + HOUR_MS, bid: 1, ask: 2 }),
      JSON.stringify({ symbol: 'EURUSD', time: now, bid: 0, ask: 2 }),
      quote('EURUSD', now, 2),
      quote('EURUSD', now, 1.01),
    ];
    const { accepted, rejected, rejected_count } = await answerOf(await post(`${lines.join('\r\n')}\n`));
    expect(accepted).toBe(2);
    expect(rejected.map(({ line, code }) => [line, code])).toEqual([
      [2, 'malformed_json'],
      [3, 'crossed_quote'],
      [5, 'unknown_symbol'],
      [6, 'finer_than_digits'],
      [7, 'future_time'],
      [8, 'bad_price'],
      [9, 'spike'],
    ]);
    expect(rejected_count).toBe(7);
  });

  test('accepts gzip; a repeated batch, also in parallel, is counted once', async () => {
    const now = Date.now();
    const body = Bun.gzipSync(Buffer.from([trade('BTCUSD', now, 100, 7), trade('BTCUSD', now, 101, 5)].join('\n')));
    const send = () => post(body, { 'Content-Encoding': 'gzip', 'Idempotency-Key': 'batch 1' });
    const flow = await StreamClient.open(`${service.wsUrl}/ws/orderflow`, reader);
    await flow.ask({ action: 'subscribe', symbols: ['BTCUSD'] });
    const responses = await Promise.all([send(), send(), send()]);
    for (const response of [...responses, await send()]) {
      expect(await answerOf(response)).toEqual({ accepted: 2, rejected: [], rejected_count: 0 });
    }
    await flow.ask({ action: 'ping' });
    const volumes = flow.messages.filter((message) => !('event' in message)).map((message) => message.ask_volume);
    expect(volumes).toEqual([7, 5]);
    flow.close();
  });

  test('the allowance counts lines and applies to a batch as a whole', async () => {
    const { key: other } = await service.key('free', ['ingest']);
    const line = quote('GBPUSD', Date.now(), 1);
    const batch = Array(200_000).fill(line).join('\n');
    const began = Date.now();
    expect((await answerOf(await post(batch, {}, other))).accepted).toBe(200_000);
    const refused = await post(batch, {}, other);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(59 - (Date.now() - began) / 1000, 62);
    expect((await answerOf(await post(line, {}, other))).accepted).toBe(1);
  });

  test('rejects a key without the scope, and GET', async () => {
    expect((await post('{}', {}, reader)).status).toBe(403);
    const response = await fetch(`${service.url}/ingest/ticks`, { headers: { 'X-API-Key': key } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  test('pushed history goes by its own timestamps: old bars close and are available', async () => {
    const other = await startService({ feeds: 'push' });
    const { key: pusher } = await other.key('free', ['ingest', 'read']);
    const start = Date.UTC(2024, 0, 2, 10);
    const lines = Array.from({ length: 180 }, (_, second) => trade('XAUUSD', start + second * 1_000, 2000 + second));
    await fetch(`${other.url}/ingest/ticks`, {
      method: 'POST',
      body: lines.join('\n'),
      headers: { 'X-API-Key': pusher },
    });
    const market = await fetch(`${other.url}/api/market/XAUUSD?timeframe=1m`, { headers: { 'X-API-Key': pusher } });
    const { ohlcv } = (await market.json()) as { ohlcv: { time: string; close: number }[] };
    expect(ohlcv.map(({ time, close }) => [time, close])).toEqual([
      ['2024-01-02T10:00:00.000Z', 2059],
      ['2024-01-02T10:01:00.000Z', 2119],
      ['2024-01-02T10:02:00.000Z', 2179],
    ]);
    await other.stop();
  });
});

describe('/ws/ingest', () => {
  const authenticate = { action: 'authenticate', id: 4 };

  test('each frame of lines gets a reply', async () => {
    const stream = await StreamClient.open(`${service.wsUrl}/ws/ingest`);
    stream.send({ ...authenticate, api_key: key });
    expect(AuthenticatedNotice.parse(await stream.next())).toEqual({ event: 'authenticated', id: 4 });
    stream.sendRaw(`${quote('USDJPY', Date.now(), 150)}\nnonsense`);
    const response = IngestedNotice.parse(await stream.next());
    expect(response).toMatchObject({ accepted: 1, rejected_count: 1, rejected: [{ line: 2, code: 'malformed_json' }] });
    expect(await get('/api/market/USDJPY/quote')).toMatchObject({ bid: 150 });
    stream.close();
  });

  test('accepts nothing without authentication or with a key without the scope', async () => {
    const silent = await StreamClient.open(`${service.wsUrl}/ws/ingest`);
    silent.sendRaw(quote('USDJPY', Date.now(), 1));
    expect(await silent.next()).toMatchObject({ event: 'error', code: 'missing_key', fatal: false });
    silent.close();
    const other = await StreamClient.open(`${service.wsUrl}/ws/ingest`);
    other.send({ ...authenticate, api_key: reader });
    expect(await other.next()).toMatchObject({ event: 'error', code: 'missing_scope', fatal: true });
    expect((await other.closed).code).toBe(4401);
  });
});
