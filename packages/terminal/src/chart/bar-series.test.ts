import { describe, expect, test } from 'bun:test';
import type { BarMessage, OhlcvBar, OhlcvBarDetail } from '@tickwire/client';
import fc from 'fast-check';
import { BarSeries, MOST_CANDLES, openOfDay } from './bar-series.ts';

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
const closes = (series: BarSeries): number[] => series.candles.map(({ close }) => close);
const minutes = (series: BarSeries): number[] => series.candles.map(({ time }) => time / 60_000);

describe('live prices', () => {
  test('stretch the forming bar', () => {
    const series = new BarSeries('1m', [bar(1, 10), bar(2, 11)]);
    expect(series.move(12, 150_000, 2)).toBe(true);
    expect(series.move(9, 151_000, 1)).toBe(true);
    expect(series.candles.at(-1)).toMatchObject({ time: 120_000, open: 10, high: 12, low: 9, close: 9, volume: 8 });
  });

  test('of the next interval begin a bar, aligned to UTC', () => {
    const series = new BarSeries('1m', [bar(2, 11)]);
    series.move(12, 185_000, 1);
    expect(minutes(series)).toEqual([2, 3]);
    expect(series.candles.at(-1)).toMatchObject({ open: 12, close: 12, volume: 1 });
  });

  test('older than the forming bar change nothing', () => {
    const series = new BarSeries('1m', [bar(2, 11)]);
    expect(series.move(99, 119_999, 1)).toBe(false);
    expect(closes(series)).toEqual([11]);
  });
});

describe('the bars of the service', () => {
  test('take the place of the forming bar, begin the next, and correct one that has closed', () => {
    const series = new BarSeries('1m', [bar(1, 10), bar(2, 11)]);
    expect(series.tell(told(2, 12, 9))).toBe(true);
    expect(series.tell(told(3, 13))).toBe(true);
    expect(series.tell(told(1, 8, 6, true))).toBe(true);
    expect(closes(series)).toEqual([8, 12, 13]);
  });

  test('that do not belong between those at hand are left to the next look at history', () => {
    const series = new BarSeries('1m', [bar(1, 10), bar(3, 11)]);
    expect(series.tell(told(2, 12))).toBe(false);
    expect(minutes(series)).toEqual([1, 3]);
  });

  test('keep the taker volumes that are known, and find those that came before their first', () => {
    const series = new BarSeries('1m', [detailed(1, 2, 3)]);
    series.take(1, 0, 110_000);
    series.tell(told(1, 11, 7));
    series.take(0.5, 4, 121_000);
    series.take(0, 1, 122_000);
    expect(series.candles).toHaveLength(1);
    series.tell(told(2, 12));
    series.take(1, 1, 123_000);
    expect(series.candles.map(({ bidVolume, askVolume }) => [bidVolume, askVolume])).toEqual([
      [3, 3],
      [1.5, 6],
    ]);
  });
});

test('the first price of a market, or its first bar, begins the chart', () => {
  const [moved, heard] = [new BarSeries('1m', []), new BarSeries('1m', [])];
  expect([moved.move(12, 185_000, 1), heard.tell(told(3, 12, 1))]).toEqual([true, true]);
  expect(moved.candles).toEqual([...heard.candles.map((candle) => ({ ...candle, open: 12, low: 12 }))]);
});

describe('a fresh tail', () => {
  test('replaces what live prices had guessed', () => {
    const series = new BarSeries('1m', [bar(1, 10), bar(2, 11)]);
    series.move(50, 190_000, 1);
    expect(series.join([bar(2, 12), bar(3, 13)])).toBe(true);
    expect(closes(series)).toEqual([10, 12, 13]);
  });

  test('that does not join on is refused, so that no hole appears in the chart', () => {
    const series = new BarSeries('1m', [bar(1, 10)]);
    expect(series.join([bar(7, 12)])).toBe(false);
    expect(series.candles).toHaveLength(1);
  });

  test('does not take away a bar that has begun since, nor what the service has told of one since', () => {
    const series = new BarSeries('1m', [bar(1, 10), bar(2, 11)]);
    series.tell(told(3, 13, 9));
    series.join([bar(2, 11), bar(3, 12, 4)]);
    expect(closes(series)).toEqual([10, 11, 13]);
    series.move(14, 245_000, 1);
    series.join([bar(3, 12, 10)]);
    expect(closes(series)).toEqual([10, 11, 12, 14]);
  });

  test('takes out a guessed bar that the service does not have', () => {
    const series = new BarSeries('1m', [bar(1, 10)]);
    series.move(11, 125_000, 1);
    series.move(12, 185_000, 1);
    series.changes();
    series.join([bar(1, 10), bar(3, 12)]);
    expect(minutes(series)).toEqual([1, 3]);
    expect(series.changes()).toEqual({ all: true, from: 0 });
  });
});

describe('older bars', () => {
  test('are put in front, without those that are there already', () => {
    const series = new BarSeries('1m', [bar(5, 10), bar(6, 11)]);
    expect(series.putInFront([bar(3, 8), bar(4, 9), bar(5, 99)])).toBe(2);
    expect(closes(series)).toEqual([8, 9, 10, 11]);
    expect(series.putInFront([])).toBe(0);
  });

  test('are kept up to the bound, the newest of them, and then no more', () => {
    const series = new BarSeries('1m', [bar(50_000, 10)]);
    const many = Array.from({ length: MOST_CANDLES + 10 }, (_, index) => bar(index, index));
    expect(series.putInFront(many)).toBe(MOST_CANDLES - 1);
    expect([series.full, series.candles.length, series.candles[0]?.close]).toEqual([true, MOST_CANDLES, 11]);
    expect(series.putInFront([bar(0, 1)])).toBe(0);
  });
});

test('a page left open for days lets the oldest go', () => {
  const series = new BarSeries('1m', [bar(0, 10)]);
  for (let minute = 1; minute < MOST_CANDLES + 3_000; minute++) {
    series.move(11, minute * 60_000, 1);
    expect(series.candles.length).toBeLessThanOrEqual(MOST_CANDLES);
  }
  expect(series.candles.at(-1)?.time).toBe((MOST_CANDLES + 2_999) * 60_000);
  expect(series.candles.length).toBeGreaterThan(MOST_CANDLES - 600);
});

describe('changes', () => {
  test('are the candles from the first that is another, told once', () => {
    const series = new BarSeries('1m', [bar(1, 10), bar(2, 11), bar(3, 12)]);
    expect(series.changes()).toEqual({ all: true, from: 0 });
    expect(series.changes()).toEqual({ all: false, from: 3 });
    series.move(13, 200_000, 1);
    series.tell(told(2, 9));
    expect(series.changes()).toEqual({ all: false, from: 1 });
    series.join([bar(2, 9), bar(3, 14), bar(4, 15)]);
    expect(series.changes()).toEqual({ all: false, from: 2 });
    series.putInFront([bar(0, 1)]);
    expect(series.changes()).toEqual({ all: true, from: 0 });
  });

  test('drawn one after the other show what is there, whatever happens', () => {
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
        const series = new BarSeries('1m', [bar(20, 10), bar(21, 11)]);
        let drawn: unknown[] = [];
        const draw = (): void => {
          const { all, from } = series.changes();
          if (all) drawn = [...series.candles];
          else for (let at = from; at < series.candles.length; at++) drawn[at] = series.candles[at];
        };
        for (const each of steps) {
          if (each.do === 'move') series.move(each.price, each.minute * 60_000, 1);
          else if (each.do === 'tell') series.tell(told(each.minute, each.price));
          else if (each.do === 'take') series.take(1, each.price, each.minute * 60_000);
          else if (each.do === 'join')
            series.join(Array.from({ length: each.length }, (_, index) => bar(each.minute + index, each.price)));
          else if (each.do === 'older') series.putInFront([bar(each.minute, each.price)]);
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

test("the day's open is that of the first bar from midnight on, if the bars reach back that far", () => {
  const { candles } = new BarSeries('1m', [bar(1, 10), { ...bar(5, 12), open: 11 }, bar(6, 13)]);
  expect(openOfDay(candles, 2 * 60_000)).toBe(11);
  expect(openOfDay(candles, 0)).toBeNull();
  expect(openOfDay(candles, 9 * 60_000)).toBeNull();
  expect(openOfDay([], 0)).toBeNull();
});
