import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ChartCandle } from './chart-bars.ts';
import { averageAt, MovingAverage } from './moving-average.ts';

const candle = (index: number, close: number): ChartCandle => ({
  time: index * 60_000,
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
  bidVolume: 0,
  askVolume: 0,
});

test('averages the last closes, if there are enough', () => {
  const candles = [1, 2, 3, 4, 8].map((close, index) => candle(index, close));
  expect([0, 1, 2, 3, 4].map((at) => averageAt(candles, at, 3))).toEqual([null, null, 2, 3, 5]);
});

test('incremental updates equal a full calculation', () => {
  const close = fc.double({ min: 0.00001, max: 100_000, noNaN: true });
  const change = fc.record({ back: fc.nat({ max: 6 }), closes: fc.array(close, { minLength: 1, maxLength: 8 }) });
  fc.assert(
    fc.property(
      fc.array(close, { maxLength: 40 }),
      fc.array(change),
      fc.integer({ min: 1, max: 12 }),
      (first, changes, length) => {
        const candles = first.map((each, index) => candle(index, each));
        const followed = new MovingAverage(length);
        followed.update(candles, 0);
        for (const { back, closes } of changes) {
          const from = Math.max(0, candles.length - back);
          candles.splice(from, candles.length, ...closes.map((each, index) => candle(from + index, each)));
          followed.update(candles, from);
        }
        expect(followed.values).toEqual(candles.map((_, at) => averageAt(candles, at, length)));
      },
    ),
  );
});

test('older bars add averages to bars that had none', () => {
  const average = new MovingAverage(3);
  const newer = [4, 5].map((close, index) => candle(index + 3, close));
  average.update(newer, 0);
  expect(average.values).toEqual([null, null]);
  average.update([candle(1, 2), candle(2, 3), ...newer], 0);
  expect(average.values).toEqual([null, null, 3, 4]);
});
