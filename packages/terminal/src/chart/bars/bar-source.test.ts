import { expect, test } from 'bun:test';
import { type BarClient, type BarSource, loadBefore, loadNewest } from './bar-source.ts';

const bar = { time: '2026-11-16T00:00:00.000Z', open: 1, high: 2, low: 0.5, close: 1.5, volume: 7 };

/** A source whose requests are recorded. `pages` are the responses of `GET /api/bars`. */
function source(interval: string, pages: readonly object[] = []) {
  const asked: unknown[] = [];
  const left = [...pages];
  const client = {
    market: async (symbol: string, options: object) => {
      asked.push(['market', symbol, options]);
      return { ohlcv: [bar] };
    },
    bars: async (symbol: string, options: object) => {
      asked.push(['bars', symbol, options]);
      return left.shift() ?? { items: [], next: null };
    },
  } as unknown as BarClient;
  const made: BarSource = { client, symbol: 'EURUSD', interval, signal: new AbortController().signal };
  return { made, asked };
}

test('bars of a timeframe come from the market', async () => {
  const { made, asked } = source('5m');
  expect(await loadNewest(made)).toEqual({ bars: [bar], complete: true });
  expect(await loadBefore(made, 1_000)).toMatchObject({ bars: [bar] });
  expect(asked).toEqual([
    ['market', 'EURUSD', { timeframe: '5m', bars: 500, detail: true }],
    ['market', 'EURUSD', { timeframe: '5m', bars: 500, before: 1_000, detail: true }],
  ]);
});

test('bars of other intervals come from the history, with taker volumes', async () => {
  const items = [
    { ...bar, buy_volume: 4, sell_volume: 3 },
    { ...bar, buy_volume: null, sell_volume: null },
  ];
  const { made, asked } = source('45m', [{ items, next: 'older' }]);
  expect(await loadNewest(made)).toEqual({
    bars: [
      { ...bar, ask_volume: 4, bid_volume: 3 },
      { ...bar, ask_volume: 0, bid_volume: 0 },
    ],
    complete: false,
  });
  expect(asked).toEqual([['bars', 'EURUSD', { interval: '45m', limit: 500, fields: ['buy_volume', 'sell_volume'] }]]);
});

test('an empty page with a cursor is not the beginning of the history', async () => {
  const { made, asked } = source('1M', [
    { items: [], next: 'more' },
    { items: [bar], next: null },
  ]);
  expect(await loadBefore(made, 5_000)).toMatchObject({ complete: true, bars: [{ time: bar.time }] });
  const fields = ['buy_volume', 'sell_volume'];
  expect(asked).toEqual([
    ['bars', 'EURUSD', { interval: '1M', limit: 500, fields, to: 5_000 }],
    ['bars', 'EURUSD', { interval: '1M', limit: 500, fields, to: 5_000, cursor: 'more' }],
  ]);
});

test('a long way back is one large page, also of a timeframe', async () => {
  const { made, asked } = source('1m');
  await loadBefore(made, 5_000, { count: 50_000 });
  expect(asked).toMatchObject([['bars', 'EURUSD', { interval: '1m', limit: 10_000, to: 5_000 }]]);
});
