import { expect, test } from 'bun:test';
import type { ChartCandle } from '../bars/chart-bars.ts';
import { WeekOpening } from './week-opening.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MONDAY = Date.UTC(2026, 10, 16);
const candle = (time: number, delta: number): ChartCandle => ({
  time,
  open: 1,
  high: 1,
  low: 1,
  close: 1,
  volume: delta,
  bidVolume: 0,
  askVolume: delta,
});

function loaded(deltas: readonly (number | null)[]) {
  const asked: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const client = {
    bars: async (symbol: string, range: object) => {
      asked.push({ symbol, ...range });
      return { items: deltas.map((delta) => ({ delta })) };
    },
  };
  const opening = new WeekOpening({ client: client as never, signal: new AbortController().signal, onChange: resolve });
  return { opening, asked, changed: promise };
}

test('adds up the hours of the week before the first bar, less the bars before a full hour', async () => {
  const { opening, asked, changed } = loaded([10, null, 5]);
  const candles = [candle(MONDAY + 2.5 * HOUR, 1), candle(MONDAY + 2.75 * HOUR, 2), candle(MONDAY + 3 * HOUR, 7)];
  expect(opening.of('BTCUSD', candles, false)).toBeNull();
  await changed;
  expect(opening.of('BTCUSD', candles, false)).toBe(12);
  expect(asked).toEqual([
    { symbol: 'BTCUSD', interval: '1h', from: MONDAY, to: MONDAY + 3 * HOUR, limit: 200, fields: ['delta'] },
  ]);
});

test('needs nothing if the bars begin with the week or with the history', () => {
  const { opening, asked } = loaded([]);
  expect(opening.of('BTCUSD', [candle(MONDAY, 1)], false)).toBe(0);
  expect(opening.of('BTCUSD', [candle(MONDAY + HOUR, 1)], true)).toBe(0);
  expect(opening.of('BTCUSD', [], false)).toBeNull();
  expect(asked).toEqual([]);
});
