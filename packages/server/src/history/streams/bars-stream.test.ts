// Bars on /ws/market equal those of GET /api/market.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { BarMessage, type Channel, TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { expectContinuity } from '../../../testing/continuity.fixture.ts';
import { eventually } from '../../../testing/process.fixture.ts';
import { type RunningService, startService } from '../../../testing/service.fixture.ts';
import { isData, type Message, StreamClient } from '../../../testing/stream-client.fixture.ts';

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push', spike_percent: '1000' });
  key = (await service.key('premium', ['read', 'ingest'])).key;
});
afterAll(() => service.stop());

const opened: StreamClient[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});
async function open(channel: Channel = 'market'): Promise<StreamClient> {
  const stream = await StreamClient.open(`${service.wsUrl}/ws/${channel}`, key);
  opened.push(stream);
  return stream;
}
const bars = (timeframe: string, symbols: readonly string[], options: Message = {}): Message => ({
  action: 'subscribe',
  channel: 'bars',
  timeframe,
  symbols,
  ...options,
});
const isBar = (message: Message): boolean => message.channel === 'bars';
const isTick = (message: Message): boolean => isData(message) && !isBar(message);
const ofTimeframe =
  (timeframe: Timeframe, symbol: string) =>
  (message: Message): boolean =>
    isBar(message) && message.timeframe === timeframe && message.symbol === symbol;

/** Pushes lines, all of which must be accepted. */
async function push(...lines: readonly object[]): Promise<void> {
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const answer = await fetch(`${service.url}/ingest/ticks`, { method: 'POST', body, headers: { 'X-API-Key': key } });
  expect(await answer.json()).toMatchObject({ accepted: lines.length });
}
const quote = (symbol: string, time: number, bid: number): object => ({ symbol, time, bid, ask: bid + 0.5 });
const trade = (symbol: string, time: number, price: number, size: number): object => ({ symbol, time, price, size });

interface Bar {
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}
const pick = ({ time, open, high, low, close, volume }: Bar): Bar => ({ time, open, high, low, close, volume });
async function rest(symbol: string, timeframe: Timeframe): Promise<Bar[]> {
  const answer = await fetch(`${service.url}/api/market/${symbol}?timeframe=${timeframe}&bars=500`, {
    headers: { 'X-API-Key': key },
  });
  const { ohlcv } = (await answer.json()) as { ohlcv: (Bar & { time: string })[] };
  return ohlcv.map((bar) => pick({ ...bar, time: Date.parse(bar.time) / 1000 }));
}
/** The last message about each bar. */
const lastPerBar = (messages: readonly Message[]): Map<number, Message> =>
  new Map(messages.map((message) => [Number(message.time), message]));
const asBar = (message: Message): Bar => pick(message as unknown as Bar);

/** The newest bar of REST in every timeframe, at the time of the message. */
async function expectNewest(stream: StreamClient, symbol: string): Promise<void> {
  for (const timeframe of TIMEFRAMES) {
    const newest = JSON.stringify((await rest(symbol, timeframe)).at(-1));
    const isNewest = (message: Message): boolean => JSON.stringify(asBar(message)) === newest;
    const isSaid = (): boolean => stream.messages.filter(ofTimeframe(timeframe, symbol)).some(isNewest);
    await eventually(`the newest of ${timeframe}`, isSaid);
  }
}

/** A midnight for each test, all in the past: the time of ticks never goes back. */
let midnights = Math.floor(Date.now() / DAY_MS) * DAY_MS - 10 * DAY_MS;
const nextMidnight = (): number => {
  midnights += DAY_MS;
  return midnights;
};

describe('bars', () => {
  test.each(['quotes', 'trades'] as const)('of %s close in all six timeframes as in GET /api/market', async (kind) => {
    const symbol = kind === 'quotes' ? 'BTCUSD' : 'ETHUSD';
    const at = (time: number, price: number, size: number): object[] =>
      kind === 'quotes'
        ? [quote(symbol, time, price)]
        : [quote(symbol, time, price), trade(symbol, time + 1, price + 0.5, size)];
    const midnight = nextMidnight();
    const stream = await open();
    // The first minutes of trades are separate: bars before are built from quotes.
    await push(...at(midnight - 25 * 60_000, 1_000, 1), ...at(midnight - 23 * 60_000, 1_000, 1));
    for (const timeframe of TIMEFRAMES) await stream.ask(bars(timeframe, [symbol], { seq: true, max_rate: 1_000 }));
    for (let step = 0; step < 160; step++) {
      const time = midnight - 22 * 60_000 + step * 17_000;
      for (const line of at(time, 1_000 + ((step * 37) % 60) / 2, 1 + (step % 5))) await push(line);
    }
    await expectNewest(stream, symbol);
    // The last tick alone, so that its own message is sent.
    await push(at(midnight + 25 * 60_000, 1_030, 3).at(-1)!);
    await expectNewest(stream, symbol);
    for (const timeframe of TIMEFRAMES) {
      const messages = stream.messages.filter(ofTimeframe(timeframe, symbol));
      for (const message of messages) BarMessage.strict().parse(message);
      expectContinuity(messages);
      const first = Number(messages[0]!.time);
      const expected = (await rest(symbol, timeframe)).filter(({ time }) => time >= first);
      const last = lastPerBar(messages);
      expect([...last.values()].map(asBar)).toEqual(expected);
      // Each bar closed in its turn; the newest is still forming.
      expect([...last.values()].map(({ closed }) => closed)).toEqual([...expected.slice(1).map(() => true), false]);
      for (const { time } of expected) expect((time * 1000) % TIMEFRAME_MS[timeframe]).toBe(0);
      // No forming message follows the closed message of a bar.
      const closed = new Set<unknown>();
      for (const message of messages) {
        expect(closed.has(message.time) && !message.closed).toBe(false);
        if (message.closed) closed.add(message.time);
      }
    }
    // The day and all shorter bars have closed.
    expect(lastPerBar(stream.messages.filter(ofTimeframe('1d', symbol))).size).toBe(2);
  });

  test('a late tick corrects a closed bar, which is sent again', async () => {
    const [symbol, start] = ['XAUUSD', nextMidnight()];
    const stream = await open();
    await push(quote(symbol, start, 2_000), quote(symbol, start + 61_000, 2_001));
    await stream.ask(bars('1m', [symbol]));
    await push(quote(symbol, start + 122_000, 2_002));
    expect(await stream.next((message) => isBar(message) && message.closed === true)).toMatchObject({ high: 2_001 });
    await push(quote(symbol, start + 90_000, 2_010));
    const again = await stream.next((message) => isBar(message) && message.closed === true);
    expect(again).toMatchObject({ time: start / 1000 + 60, high: 2_010 });
    const stored = (await rest(symbol, '1m')).find(({ time }) => time === again.time);
    expect(asBar(again)).toEqual(stored!);
  });

  test('start with the newest bar, or with nothing if there is none', async () => {
    const start = nextMidnight();
    const stream = await open();
    await push(quote('GBPUSD', start + 1_000, 1.5), quote('GBPUSD', start + 2_000, 1.25));
    expect(await stream.ask(bars('5m', ['gbpusd', 'AUDNZD', 'NOSUCH']))).toMatchObject({
      event: 'subscribed',
      symbols: [],
      bars: [{ timeframe: '5m', symbols: ['GBPUSD', 'AUDNZD'] }],
      rejected: [{ symbol: 'NOSUCH', code: 'symbol_not_found' }],
    });
    await stream.ask({ action: 'ping' });
    const [snapshot, ...others] = stream.messages.filter(isData);
    expect(others).toEqual([]);
    const { symbol, timeframe, closed } = snapshot!;
    expect([symbol, timeframe, closed, asBar(snapshot!)]).toEqual([
      'GBPUSD',
      '5m',
      false,
      { time: start / 1000, open: 1.5, high: 1.5, low: 1.25, close: 1.25, volume: 2 },
    ]);
    expect(snapshot).not.toHaveProperty('seq');
  });

  test('close by the time of other symbols, too, and then start as closed', async () => {
    const start = nextMidnight();
    const stream = await open();
    await push(quote('EURGBP', start, 0.75));
    await stream.ask(bars('1m', ['EURGBP']));
    expect(await stream.next(isBar)).toMatchObject({ closed: false, close: 0.75 });
    await push(quote('GBPJPY', start + 61_000, 200));
    const closed = await stream.next(isBar);
    expect(closed).toMatchObject({ closed: true, time: start / 1000, close: 0.75 });
    const late = await open();
    await late.ask(bars('1m', ['EURGBP']));
    expect(await late.next(isBar)).toEqual(closed);
  });
});

describe('on one connection', () => {
  test('ticks, bars and bars of several timeframes are independent subscriptions', async () => {
    const start = nextMidnight();
    const stream = await open();
    const ask = async (message: Message): Promise<unknown[]> => {
      const { symbols, bars: set } = await stream.ask(message);
      return [symbols, set];
    };
    const of = (timeframe: Timeframe, ...symbols: string[]) => ({ timeframe, symbols });
    const off = { action: 'unsubscribe', channel: 'bars' };
    await push(quote('EURUSD', start, 1), quote('EURCHF', start, 1));
    expect(await ask(bars('1m', ['EURUSD', 'EURCHF']))).toEqual([[], [of('1m', 'EURUSD', 'EURCHF')]]);
    expect(await ask({ action: 'subscribe', symbols: ['EURUSD'], seq: true })).toEqual([
      ['EURUSD'],
      [of('1m', 'EURUSD', 'EURCHF')],
    ]);
    await ask(bars('5m', ['EURUSD'], { seq: true }));
    expect(await ask({ action: 'list' })).toEqual([['EURUSD'], [of('1m', 'EURUSD', 'EURCHF'), of('5m', 'EURUSD')]]);
    await stream.ask({ action: 'ping' });
    const { length } = stream.messages;
    await push(quote('EURUSD', start + 1_000, 1.25));
    const [tick, ...forming] = await stream.take(3, isData);
    expect(isTick(tick!)).toBe(true);
    expect(forming.map(({ timeframe, close, seq }) => [timeframe, close, seq !== undefined]).sort()).toEqual([
      ['1m', 1.25, false],
      ['5m', 1.25, true],
    ]);
    expect(stream.messages.slice(length)).toHaveLength(3);

    expect(await ask({ ...off, timeframe: '1m', symbols: ['EURUSD'] })).toEqual([
      ['EURUSD'],
      [of('1m', 'EURCHF'), of('5m', 'EURUSD')],
    ]);
    expect(await ask({ action: 'unsubscribe', symbols: ['EURUSD'] })).toEqual([
      [],
      [of('1m', 'EURCHF'), of('5m', 'EURUSD')],
    ]);
    expect(await ask({ ...off, timeframe: '1m' })).toEqual([[], [of('5m', 'EURUSD')]]);
    await ask(bars('1d', ['EURCHF']));
    expect(await ask(off)).toEqual([[], undefined]);
    const before = stream.messages.filter(isData).length;
    await push(quote('EURUSD', start + 400_000, 1.2), quote('EURCHF', start + 400_000, 1.2));
    await stream.ask({ action: 'ping' });
    expect(stream.messages.filter(isData)).toHaveLength(before);
  });
});

describe('rejected without side effects', () => {
  test.each([
    ['an unknown timeframe', 'market', bars('2m', ['EURUSD'])],
    ['bars without a timeframe', 'market', { action: 'subscribe', channel: 'bars', symbols: ['EURUSD'] }],
    ['a timeframe with ticks', 'market', { action: 'subscribe', timeframe: '1m', symbols: ['EURUSD'] }],
    ['an unknown channel', 'market', { ...bars('1m', ['EURUSD']), channel: 'ticks' }],
    ['bars without symbols', 'market', { action: 'subscribe', channel: 'bars', timeframe: '1m' }],
    [
      'bars with resume_from and a rate',
      'market',
      bars('1m', ['EURUSD'], { resume_from: { epoch: 'x', seq: 1 }, max_rate: 1 }),
    ],
    ['an invalid rate', 'market', bars('1m', ['EURUSD'], { max_rate: 0 })],
    ['a timeframe with ticks, on unsubscribe', 'market', { action: 'unsubscribe', timeframe: '1m' }],
    ['bars on news, on unsubscribe', 'news', { action: 'unsubscribe', channel: 'bars' }],
    ['bars on order flow', 'orderflow', bars('1m', ['EURUSD'])],
    ['bars on signals', 'signals', bars('1m', ['EURUSD'])],
    ['bars on news', 'news', bars('1m', ['EURUSD'])],
  ] as const)('%s', async (_, channel, message) => {
    const stream = await open(channel);
    expect(await stream.ask(message)).toMatchObject({ event: 'error', code: 'invalid_message', fatal: false });
    expect(await stream.ask({ action: 'list' })).toMatchObject({ symbols: [] });
    expect(stream.messages).toHaveLength(2);
  });
});
