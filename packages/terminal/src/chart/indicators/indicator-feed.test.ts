import { expect, test } from 'bun:test';
import { type BarMessage, type StreamHandlers, type StreamOptions, TickwireError } from '@tickwire/client';
import { IndicatorFeed, type IndicatorFeedOptions } from './indicator-feed.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 12, 12);
const iso = (minute: number): string => new Date(START + minute * MINUTE).toISOString();
const bars = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({ time: START + (from + at) * MINUTE }));
const turn = async (): Promise<void> => {
  for (let each = 0; each < 20; each++) await Promise.resolve();
};

interface Asked {
  readonly symbol: string;
  readonly names: readonly string[];
  readonly range: { readonly limit: number; readonly to?: number; readonly interval: string };
}

/** A service with bars of a minute from minute 0 on; the value of an indicator at a bar is the minute. */
function feed({ newest = 99, live = true, refused = '' } = {}) {
  const asked: Asked[] = [];
  const streams: { options: StreamOptions<'bars'>; handlers: StreamHandlers<'bars'>; closed: boolean }[] = [];
  let now = START + 1_000_000_000;
  const service = { newest };
  const client = {
    indicators: async (symbol: string, names: readonly string[], range: Asked['range']) => {
      asked.push({ symbol, names, range });
      if (names.includes(refused))
        throw new TickwireError({ status: 422, code: 'no_trades', detail: 'No trades are known.' });
      const last = range.to === undefined ? service.newest : Math.ceil((range.to - START) / MINUTE) - 1;
      const first = Math.max(0, last - range.limit + 1);
      const items = Array.from({ length: last - first + 1 }, (_, at) => ({
        time: iso(first + at),
        value: first + at,
        settled: true,
        ...(first + at === service.newest && { forming: true as const }),
      }));
      return { indicators: names.map((indicator) => ({ indicator, items })), next: first === 0 ? null : 'more' };
    },
  } as unknown as IndicatorFeedOptions['client'];
  const made = new IndicatorFeed({
    client,
    openBars: live
      ? (options, handlers) => {
          const opened = { options, handlers, closed: false };
          streams.push(opened);
          return {
            get state() {
              return opened.closed ? 'closed' : 'live';
            },
            setSymbols: (symbols: readonly string[]) => Object.assign(opened, { options: { ...options, symbols } }),
            close: () => Object.assign(opened, { closed: true }),
          } as never;
        }
      : null,
    allowance: () => null,
    onChange: () => undefined,
    onError: () => undefined,
    now: () => now,
  });
  const valueAt = (indicator: string, minute: number) =>
    made.valuesOf(indicator)?.at(START + minute * MINUTE)?.values[0] ?? null;
  const bar = (minute: number, closed: boolean, indicators: BarMessage['indicators']): BarMessage =>
    ({ symbol: 'EURUSD', timeframe: '1m', time: START / 1_000 + minute * 60, closed, indicators }) as BarMessage;
  return { feed: made, asked, streams, valueAt, bar, service, pass: (ms: number) => (now += ms) };
}

const RSI = { indicator: 'rsi(14)', lines: ['value'] } as const;
const SMA = { indicator: 'sma(20)', lines: ['value'] } as const;

test('loads all bars of the chart with one request, and older pages as the chart loads them', async () => {
  const { feed: of, asked, valueAt } = feed();
  of.want([RSI, SMA]);
  of.open('EURUSD', '1m');
  of.cover(bars(50, 100));
  await turn();
  expect(asked.map(({ names, range }) => [names, range.limit])).toEqual([[['rsi(14)', 'sma(20)'], 51]]);
  expect([valueAt('rsi(14)', 50), valueAt('sma(20)', 99)]).toEqual([50, 99]);
  of.cover(bars(20, 100));
  await turn();
  expect(asked.length).toBe(2);
  expect(valueAt('rsi(14)', 20)).toBe(20);
  of.cover(bars(20, 100));
  await turn();
  expect(asked.length).toBe(2);
  of.close();
});

test('a new indicator is requested for all loaded bars, the others stay as they are', async () => {
  const { feed: of, asked, streams } = feed();
  of.want([RSI]);
  of.open('EURUSD', '1m');
  of.cover(bars(50, 100));
  await turn();
  of.want([RSI, SMA]);
  await turn();
  expect(asked.map(({ names }) => names)).toEqual([['rsi(14)'], ['sma(20)']]);
  expect(streams.map(({ options, closed }) => [options.indicators, closed])).toEqual([
    [['rsi(14)'], true],
    [['rsi(14)', 'sma(20)'], false],
  ]);
  of.close();
});

test('live values replace those of the forming bar, and one stream serves all instruments', async () => {
  const { feed: of, streams, valueAt, bar, pass } = feed();
  of.want([RSI]);
  of.open('EURUSD', '1m');
  of.cover(bars(50, 100));
  await turn();
  const [stream] = streams;
  stream!.handlers.onMessage(bar(99, false, { 'rsi(14)': { value: 55, settled: true } }));
  expect(valueAt('rsi(14)', 99)).toBe(55);
  stream!.handlers.onMessage(bar(99, true, { 'rsi(14)': { value: 56, settled: true } }));
  stream!.handlers.onMessage(bar(100, false, { 'rsi(14)': { value: 57, settled: true } }));
  expect([valueAt('rsi(14)', 99), valueAt('rsi(14)', 100)]).toEqual([56, 57]);
  pass(1_000);
  of.open('XAUUSD', '1m');
  expect(valueAt('rsi(14)', 99)).toBeNull();
  of.cover(bars(50, 100));
  await turn();
  expect([streams.length, stream!.options.symbols]).toEqual([1, ['XAUUSD']]);
  stream!.handlers.onMessage(bar(99, true, { 'rsi(14)': { value: 1, settled: true } }));
  expect(valueAt('rsi(14)', 99)).toBe(99);
  of.close();
});

test('a bar whose closing was missed is loaded again', async () => {
  const { feed: of, asked, streams, valueAt, bar, service } = feed();
  of.want([RSI]);
  of.open('EURUSD', '1m');
  of.cover(bars(50, 100));
  await turn();
  service.newest = 100;
  streams[0]!.handlers.onMessage(bar(100, false, { 'rsi(14)': { value: 7, settled: true } }));
  await turn();
  expect(asked.length).toBe(2);
  expect(of.valuesOf('rsi(14)')?.at(START + 99 * MINUTE)?.forming).toBe(false);
  expect(valueAt('rsi(14)', 100)).toBe(100);
  of.close();
});

test('an indicator that the instrument does not have keeps no other from its values', async () => {
  const { feed: of, streams, valueAt } = feed({ refused: 'cvd(day)' });
  of.want([RSI, { indicator: 'cvd(day)', lines: ['value'] }]);
  of.open('EURUSD', '1m');
  of.cover(bars(50, 100));
  await turn();
  expect(valueAt('rsi(14)', 60)).toBe(60);
  expect([of.problemOf('rsi(14)'), of.problemOf('cvd(day)')]).toEqual(['', 'No trades are known.']);
  expect(streams[0]?.options.indicators).toEqual(['rsi(14)']);
  of.close();
});

test('without a stream, the newest values are loaded again when a bar begins', async () => {
  const { feed: of, asked, valueAt, service, pass } = feed({ live: false });
  of.want([RSI]);
  of.open('EURUSD', '1m');
  of.cover(bars(50, 100));
  await turn();
  service.newest = 100;
  pass(60_000);
  of.cover(bars(50, 101));
  await turn();
  expect(asked.length).toBe(2);
  expect([valueAt('rsi(14)', 99), valueAt('rsi(14)', 100)]).toEqual([99, 100]);
  of.close();
});

test('an interval without a stream opens none', async () => {
  const { feed: of, streams } = feed();
  of.want([RSI]);
  of.open('EURUSD', '7m');
  of.cover(bars(50, 100));
  await turn();
  expect(streams.length).toBe(0);
  of.close();
});
