import { describe, expect, test } from 'bun:test';
import type { BarMessage, OhlcvBar, OhlcvBarDetail } from '@tickwire/client';
import fc from 'fast-check';
import { ChartBars, MAX_CANDLES } from './chart-bars.ts';

const bar = (minute: number, close: number, volume = 5): OhlcvBar => ({
  time: new Date(minute * 60_000).toISOString(),
  open: 10,
  high: Math.max(10, close),
  low: Math.min(10, close),
  close,
  volume,
});
const detailed = (minute: number, bid: number, ask: number): OhlcvBarDetail => ({
  ...bar(minute, 10, bid + ask),
  bid_volume: bid,
  ask_volume: ask,
});
const told = (minute: number, close: number, volume = 5, closed = false): BarMessage => ({
  ...bar(minute, close, volume),
  channel: 'bars',
  symbol: 'EURUSD',
  timeframe: '1m',
  time: minute * 60,
  closed,
});
const closes = (series: ChartBars): number[] => series.candles.map(({ close }) => close);
const minutes = (series: ChartBars): number[] => series.candles.map(({ time }) => time / 60_000);

describe('live prices', () => {
  test('extend the forming bar', () => {
    const series = new ChartBars('1m', [bar(1, 10), bar(2, 11)]);
    expect(series.applyPrice(12, 150_000, 2)).toBe(true);
    expect(series.applyPrice(9, 151_000, 1)).toBe(true);
    expect(series.candles.at(-1)).toMatchObject({ time: 120_000, open: 10, high: 12, low: 9, close: 9, volume: 8 });
  });

  test('of the next interval start a bar, aligned to UTC', () => {
    const series = new ChartBars('1m', [bar(2, 11)]);
    series.applyPrice(12, 185_000, 1);
    expect(minutes(series)).toEqual([2, 3]);
    expect(series.candles.at(-1)).toMatchObject({ open: 12, close: 12, volume: 1 });
  });

  test('older than the forming bar change nothing', () => {
    const series = new ChartBars('1m', [bar(2, 11)]);
    expect(series.applyPrice(99, 119_999, 1)).toBe(false);
    expect(closes(series)).toEqual([11]);
  });
});

describe('live bars', () => {
  test('replace the forming bar, start the next, and correct a closed one', () => {
    const series = new ChartBars('1m', [bar(1, 10), bar(2, 11)]);
    expect(series.applyBar(told(2, 12, 9))).toBe(true);
    expect(series.applyBar(told(3, 13))).toBe(true);
    expect(series.applyBar(told(1, 8, 6, true))).toBe(true);
    expect(closes(series)).toEqual([8, 12, 13]);
  });

  test('between known bars are left to the next reload', () => {
    const series = new ChartBars('1m', [bar(1, 10), bar(3, 11)]);
    expect(series.applyBar(told(2, 12))).toBe(false);
    expect(minutes(series)).toEqual([1, 3]);
  });

  test('keep known taker volumes, including those that arrived before the bar', () => {
    const series = new ChartBars('1m', [detailed(1, 2, 3)]);
    series.applyTakerVolume(1, 0, 110_000);
    series.applyBar(told(1, 11, 7));
    series.applyTakerVolume(0.5, 4, 121_000);
    series.applyTakerVolume(0, 1, 122_000);
    expect(series.candles).toHaveLength(1);
    series.applyBar(told(2, 12));
    series.applyTakerVolume(1, 1, 123_000);
    expect(series.candles.map(({ bidVolume, askVolume }) => [bidVolume, askVolume])).toEqual([
      [3, 3],
      [1.5, 6],
    ]);
  });
});

test('the first price or bar starts an empty series', () => {
  const [moved, heard] = [new ChartBars('1m', []), new ChartBars('1m', [])];
  expect([moved.applyPrice(12, 185_000, 1), heard.applyBar(told(3, 12, 1))]).toEqual([true, true]);
  expect(moved.candles).toEqual([...heard.candles.map((candle) => ({ ...candle, open: 12, low: 12 }))]);
});

describe('reloaded bars', () => {
  test('replace bars built from live prices', () => {
    const series = new ChartBars('1m', [bar(1, 10), bar(2, 11)]);
    series.applyPrice(50, 190_000, 1);
    expect(series.mergeTail([bar(2, 12), bar(3, 13)])).toBe(true);
    expect(closes(series)).toEqual([10, 12, 13]);
  });

  test('that do not overlap are rejected, so that the chart has no gap', () => {
    const series = new ChartBars('1m', [bar(1, 10)]);
    expect(series.mergeTail([bar(7, 12)])).toBe(false);
    expect(series.candles).toHaveLength(1);
  });

  test('keep bars and updates that are newer than the response', () => {
    const series = new ChartBars('1m', [bar(1, 10), bar(2, 11)]);
    series.applyBar(told(3, 13, 9));
    series.mergeTail([bar(2, 11), bar(3, 12, 4)]);
    expect(closes(series)).toEqual([10, 11, 13]);
    series.applyPrice(14, 245_000, 1);
    series.mergeTail([bar(3, 12, 10)]);
    expect(closes(series)).toEqual([10, 11, 12, 14]);
  });

  test('remove a bar that the service does not have', () => {
    const series = new ChartBars('1m', [bar(1, 10)]);
    series.applyPrice(11, 125_000, 1);
    series.applyPrice(12, 185_000, 1);
    series.takeChanges();
    series.mergeTail([bar(1, 10), bar(3, 12)]);
    expect(minutes(series)).toEqual([1, 3]);
    expect(series.takeChanges()).toEqual({ all: true, from: 0 });
  });
});

describe('older bars', () => {
  test('are inserted without duplicates', () => {
    const series = new ChartBars('1m', [bar(5, 10), bar(6, 11)]);
    expect(series.prepend([bar(3, 8), bar(4, 9), bar(5, 99)])).toBe(2);
    expect(closes(series)).toEqual([8, 9, 10, 11]);
    expect(series.prepend([])).toBe(0);
  });

  test('are kept up to the limit, newest first', () => {
    const series = new ChartBars('1m', [bar(50_000, 10)]);
    const many = Array.from({ length: MAX_CANDLES + 10 }, (_, index) => bar(index, index));
    expect(series.prepend(many)).toBe(MAX_CANDLES - 1);
    expect([series.full, series.candles.length, series.candles[0]?.close]).toEqual([true, MAX_CANDLES, 11]);
    expect(series.prepend([bar(0, 1)])).toBe(0);
  });
});

test('drops the oldest bars of a page that stays open for days', () => {
  const series = new ChartBars('1m', [bar(0, 10)]);
  for (let minute = 1; minute < MAX_CANDLES + 3_000; minute++) {
    series.applyPrice(11, minute * 60_000, 1);
    expect(series.candles.length).toBeLessThanOrEqual(MAX_CANDLES);
  }
  expect(series.candles.at(-1)?.time).toBe((MAX_CANDLES + 2_999) * 60_000);
  expect(series.candles.length).toBeGreaterThan(MAX_CANDLES - 600);
});

describe('changes', () => {
  test('start at the first changed candle and are reported once', () => {
    const series = new ChartBars('1m', [bar(1, 10), bar(2, 11), bar(3, 12)]);
    expect(series.takeChanges()).toEqual({ all: true, from: 0 });
    expect(series.takeChanges()).toEqual({ all: false, from: 3 });
    series.applyPrice(13, 200_000, 1);
    series.applyBar(told(2, 9));
    expect(series.takeChanges()).toEqual({ all: false, from: 1 });
    series.mergeTail([bar(2, 9), bar(3, 14), bar(4, 15)]);
    expect(series.takeChanges()).toEqual({ all: false, from: 2 });
    series.prepend([bar(0, 1)]);
    expect(series.takeChanges()).toEqual({ all: true, from: 0 });
  });

  test('drawn incrementally produce the same result as drawing everything', () => {
    const minute = fc.integer({ min: 20, max: 40 });
    const price = fc.integer({ min: 1, max: 99 });
    const step = fc.oneof(
      fc.record({ do: fc.constant('move' as const), minute, price }),
      fc.record({ do: fc.constant('tell' as const), minute, price }),
      fc.record({ do: fc.constant('take' as const), minute, price }),
      fc.record({ do: fc.constant('join' as const), minute, price, length: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ do: fc.constant('older' as const), minute: fc.integer({ min: 0, max: 25 }), price }),
      fc.record({ do: fc.constant('draw' as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const series = new ChartBars('1m', [bar(20, 10), bar(21, 11)]);
        let drawn: unknown[] = [];
        const draw = (): void => {
          const { all, from } = series.takeChanges();
          if (all) drawn = [...series.candles];
          else for (let at = from; at < series.candles.length; at++) drawn[at] = series.candles[at];
        };
        for (const each of steps) {
          if (each.do === 'move') series.applyPrice(each.price, each.minute * 60_000, 1);
          else if (each.do === 'tell') series.applyBar(told(each.minute, each.price));
          else if (each.do === 'take') series.applyTakerVolume(1, each.price, each.minute * 60_000);
          else if (each.do === 'join')
            series.mergeTail(Array.from({ length: each.length }, (_, index) => bar(each.minute + index, each.price)));
          else if (each.do === 'older') series.prepend([bar(each.minute, each.price)]);
          else draw();
          const times = minutes(series);
          expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
        }
        draw();
        expect(drawn).toEqual([...series.candles]);
      }),
    );
  });
});

describe('minutes of a longer bar', () => {
  const minute = (at: number, close: number, volume: number): BarMessage => ({
    ...told(at, close),
    ...{ high: close + 1, low: close - 1, volume },
  });
  const newest = (series: ChartBars): readonly number[] => {
    const { time, high, low, close, volume } = series.candles.at(-1)!;
    return [time / 60_000, high, low, close, volume];
  };

  test('widen the forming bar, and count each minute once', () => {
    const series = new ChartBars('7m', [{ ...bar(7, 10), volume: 100 }]);
    // How much of this minute was loaded is not known.
    expect(series.applyMinute(minute(8, 12, 5))).toBe(true);
    expect(newest(series)).toEqual([7, 13, 10, 12, 100]);
    series.applyMinute(minute(8, 9, 8));
    expect(newest(series)).toEqual([7, 13, 8, 9, 103]);
    series.applyMinute(minute(9, 11, 4));
    expect(newest(series)).toEqual([7, 13, 8, 11, 107]);
  });

  test('begin the next bar, and leave older ones to the reload', () => {
    const series = new ChartBars('7m', [{ ...bar(7, 10), volume: 100 }]);
    series.applyMinute(minute(14, 12, 5));
    expect([series.candles.length, ...newest(series)]).toEqual([2, 14, 13, 11, 12, 5]);
    expect(series.applyMinute(minute(13, 50, 9))).toBe(false);
    expect(series.candles[0]!.high).toBe(10);
  });

  test('are not counted twice after a reload', () => {
    const series = new ChartBars('7m', [{ ...bar(7, 10), volume: 100 }]);
    series.applyMinute(minute(8, 10, 5));
    series.mergeTail([{ ...bar(7, 10), volume: 110 }]);
    series.applyMinute(minute(8, 10, 12));
    expect(newest(series).at(-1)).toBe(110);
  });
});
