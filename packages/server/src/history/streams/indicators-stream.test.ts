// Indicators on bars of /ws/market: the values of GET /api/indicators, and nothing for subscribers that did not ask.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BarMessage, type IndicatorSet } from '@tickwire/contract';
import { MINUTE_MS } from '@tickwire/engine';
import { eventually } from '../../../testing/process.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../../testing/service.fixture.ts';
import { type Message, StreamClient } from '../../../testing/stream-client.fixture.ts';

let service: RunningService;
let key: string;
/** Two hours before now, at a full minute: the clock of pushed ticks never goes back. */
let clock = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 120 * MINUTE_MS;
beforeAll(async () => {
  const data = temporaryFolder();
  const tier = { requests_per_minute: 100, streams: 5, ai_calls_per_day: 0, export_rows_per_day: 30 };
  writeFileSync(join(data, 'tickwire.json'), JSON.stringify({ tiers: { small: tier } }));
  service = await startService({ feeds: 'push', spike_percent: '1000', metrics_port: '0', data });
  key = (await service.key('premium', ['read', 'ingest'])).key;
  for (let at = 0; at < 40; at++) await minute(1_000 + ((at * 37) % 41));
});
afterAll(() => service.stop());

const opened: StreamClient[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});
async function open(channel = 'market', by = key): Promise<StreamClient> {
  const stream = await StreamClient.open(`${service.wsUrl}/ws/${channel}`, by);
  opened.push(stream);
  return stream;
}

async function push(...lines: readonly object[]): Promise<void> {
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const answer = await fetch(`${service.url}/ingest/ticks`, { method: 'POST', body, headers: { 'X-API-Key': key } });
  expect(await answer.json()).toMatchObject({ accepted: lines.length });
}
const tick = (symbol: string, time: number, bid: number): object[] => [
  { symbol, time, bid, ask: bid + 0.5 },
  { symbol, time: time + 1, price: bid + 0.5, size: 2, side: 'buy' },
];
/** Two ticks in the next minute. */
async function minute(price: number): Promise<void> {
  clock += MINUTE_MS;
  await push(...tick('BTCUSD', clock + 1_000, price), ...tick('BTCUSD', clock + 30_000, price + 3));
}

const subscribe = (indicators: readonly string[], options: Message = {}): Message => ({
  action: 'subscribe',
  channel: 'bars',
  timeframe: '1m',
  symbols: ['BTCUSD'],
  max_rate: 1_000,
  indicators,
  ...options,
});
const isBar = (message: Message): boolean => message.channel === 'bars';

/** Indicators that the service computes. */
async function computed(): Promise<number> {
  const text = await (await fetch(`${service.app.metricsUrl}/metrics`)).text();
  return Number(/^tickwire_live_indicators (\d+)$/m.exec(text)![1]);
}

interface Values {
  readonly [indicator: string]: { readonly value?: number; readonly values?: object; readonly settled: boolean };
}
/** Values by the start of the bar, as REST has them. */
async function rest(indicators: readonly string[]): Promise<Map<number, Values>> {
  const query = new URLSearchParams({ indicators: indicators.join(','), interval: '1m', limit: '200' });
  const answer = await fetch(`${service.url}/api/indicators/BTCUSD?${query}`, { headers: { 'X-API-Key': key } });
  const values = new Map<number, Record<string, Values[string]>>();
  for (const { indicator, items } of ((await answer.json()) as IndicatorSet).indicators)
    for (const { time, forming: _, ...rest } of items) {
      const at = Date.parse(time) / 1000;
      values.set(at, { ...values.get(at), [indicator]: rest as Values[string] });
    }
  return values;
}

test('are on the forming bar and on each closed bar, with the values of GET /api/indicators', async () => {
  const names = ['rsi(5)', 'macd(3,6,2)', 'vwap(day)', 'cvd(day)', 'ichimoku(3,5,8,5)', 'psar(0.02,0.2)'];
  const stream = await open();
  const notice = await stream.ask(subscribe(['RSI(5)', ...names.slice(1)], { seq: true }));
  expect(notice).toMatchObject({
    event: 'subscribed',
    bars: [{ timeframe: '1m', symbols: ['BTCUSD'], indicators: names }],
    rejected: [],
  });
  for (let at = 0; at < 6; at++) await minute(1_010 + ((at * 29) % 17));
  await eventually('the newest bar', () =>
    stream.messages.some(({ time, high }) => time === clock / 1000 && high === 1_022.5),
  );
  const expected = await rest(names);
  const bars = stream.messages.filter(isBar);
  for (const message of bars) BarMessage.strict().parse(message);
  const closed = bars.filter((message) => message.closed);
  expect(closed.length).toBeGreaterThanOrEqual(6);
  for (const { time, indicators } of closed) expect(indicators).toEqual(expected.get(Number(time)));
  expect(bars.at(-1)).toMatchObject({ time: clock / 1000, closed: false, indicators: expected.get(clock / 1000) });
  // The first message has them, too.
  expect(Object.keys(bars[0]!.indicators as object)).toEqual(names);
});

test('are not on the bars of a subscriber that did not ask', async () => {
  const [plain, other] = [await open(), await open()];
  await plain.ask({ action: 'subscribe', channel: 'bars', timeframe: '1m', symbols: ['BTCUSD'], max_rate: 1_000 });
  await other.ask(subscribe(['sma(3)']));
  await minute(1_020);
  const message = await plain.next(isBar);
  expect(Object.keys(message)).not.toContain('indicators');
  expect(await plain.ask({ action: 'list' })).toMatchObject({ bars: [{ timeframe: '1m', symbols: ['BTCUSD'] }] });
  expect((await plain.ask({ action: 'list' })).bars).toEqual([{ timeframe: '1m', symbols: ['BTCUSD'] }]);
});

test('follow a late tick that corrects a closed bar', async () => {
  const stream = await open();
  await stream.ask(subscribe(['sma(2)', 'atr(3)']));
  await minute(1_030);
  await minute(1_031);
  await push(...tick('BTCUSD', clock - MINUTE_MS + 59_000, 1_090));
  const corrected = (message: Message): boolean =>
    isBar(message) && message.high === 1_090.5 && message.closed === true;
  const amended = await stream.next(corrected);
  await minute(1_032);
  const next = await stream.next(
    (message) => isBar(message) && message.time === clock / 1000 - 60 && message.closed === true,
  );
  const expected = await rest(['sma(2)', 'atr(3)']);
  expect(amended.indicators).toEqual(expected.get(Number(amended.time)));
  expect(next.indicators).toEqual(expected.get(Number(next.time)));
});

test('of one subscription replace those of the one before, and are freed with the last subscriber', async () => {
  const stream = await open();
  await stream.ask(subscribe(['sma(5)', 'sma(6)']));
  const replaced = await stream.ask(subscribe(['sma(7)']));
  expect(replaced.bars).toEqual([{ timeframe: '1m', symbols: ['BTCUSD'], indicators: ['sma(7)'] }]);
  const other = await open();
  await other.ask(subscribe(['sma(7)', 'rsi(3)']));
  expect(await computed()).toBe(2);
  await stream.ask({ action: 'unsubscribe' });
  expect(await computed()).toBe(2);
  other.close();
  await eventually('nothing is computed', async () => (await computed()) === 0);
});

test('requests behind a subscription are answered in order', async () => {
  const stream = await open();
  stream.send({ ...subscribe(['sma(9)', 'ema(9)']), id: 1 });
  stream.send({ action: 'ping', id: 2 });
  stream.send({ ...subscribe(['sma(11)'], { timeframe: '5m' }), id: 3 });
  stream.send({ action: 'unsubscribe', id: 4 });
  await stream.next(({ id }) => id === 4);
  expect(stream.messages.filter(({ event }) => event !== undefined).map(({ id }) => id)).toEqual([1, 2, 3, 4]);
});

describe('are rejected with what is allowed', () => {
  test.each([
    [{ indicators: ['rsy'] }, 'one of sma, ema'],
    [{ indicators: ['rsi(0)'] }, 'an integer between 1 and 1000'],
    [{ indicators: [] }, '1 to 20 indicators'],
    [{ indicators: Array.from({ length: 21 }, (_, at) => `sma(${at + 1})`) }, '1 to 20 indicators'],
    [{ indicators: 'rsi' }, '1 to 20 indicators'],
    [{ indicators: ['rsi'], channel: undefined, timeframe: undefined }, 'only valid with "channel":"bars"'],
  ])('%j', async (options, allowed) => {
    const stream = await open();
    const answer = await stream.ask(subscribe(['rsi'], options as Message));
    expect(answer).toMatchObject({ event: 'error', code: 'invalid_message', fatal: false });
    expect(String(answer.message)).toContain(allowed);
  });

  test('for one symbol, if its feed has no trades', async () => {
    await push({ symbol: 'EURUSD', time: clock, bid: 1.1, ask: 1.2 });
    const stream = await open();
    const answer = await stream.ask(subscribe(['cvd'], { symbols: ['EURUSD', 'BTCUSD', 'NOPE'] }));
    expect(answer.rejected).toEqual([
      { symbol: 'NOPE', code: 'symbol_not_found' },
      { symbol: 'EURUSD', code: 'no_trades' },
    ]);
    expect(answer.bars).toEqual([{ timeframe: '1m', symbols: ['BTCUSD'], indicators: ['cvd(day)'] }]);
  });

  test('if the history that they need exceeds the rows of the day', async () => {
    const { key: small } = await service.key('small');
    const stream = await StreamClient.open(`${service.wsUrl}/ws/market`, small);
    opened.push(stream);
    // Each reads twenty bars: two reach the limit of 30 rows.
    for (const length of [10, 11]) expect((await stream.ask(subscribe([`sma(${length})`]))).rejected).toEqual([]);
    const answer = await stream.ask(subscribe(['sma(12)']));
    expect(answer.rejected).toEqual([{ symbol: 'BTCUSD', code: 'export_rows_exhausted' }]);
    // Bars without indicators need no history.
    expect((await stream.ask(subscribe([], { indicators: undefined }))).rejected).toEqual([]);
  });

  test('for symbols beyond the live indicators of the account, on all its connections', async () => {
    const many = Array.from({ length: 20 }, (_, at) => `sma(${at + 1})`);
    const free = (await service.key('free')).key;
    const [one, two] = [await open('market', free), await open('market', free)];
    const ask = async (stream: StreamClient, message: Readonly<Record<string, unknown>>): Promise<number> => {
      const { rejected, bars = [] } = await stream.ask(message);
      const codes = new Set((rejected as { code: string }[]).map(({ code }) => code));
      if (codes.size > 0) expect(codes).toEqual(new Set(['subscription_limit']));
      return (bars as { symbols: string[] }[]).reduce((sum, { symbols }) => sum + symbols.length, 0);
    };
    expect(await ask(one, subscribe(many, { symbols: ['*'] }))).toBe(5);
    expect(await ask(two, subscribe(['sma(1)'], { symbols: ['EURUSD'] }))).toBe(0);
    // The same subscription again adds nothing.
    expect(await ask(one, subscribe(many, { symbols: ['*'] }))).toBe(5);
    const other = await open('market', (await service.key('free')).key);
    expect(await ask(other, subscribe(many, { symbols: ['*'] }))).toBe(5);
    one.close();
    await eventually('they are free again', async () => (await ask(two, subscribe(many, { symbols: ['*'] }))) === 5);
    const footprints = await open('orderflow', free);
    const answer = await footprints.ask({
      action: 'subscribe',
      channel: 'footprint',
      timeframe: '1m',
      symbols: ['BTCUSD'],
    });
    expect(answer.rejected).toEqual([{ symbol: 'BTCUSD', code: 'subscription_limit' }]);
  });
});
