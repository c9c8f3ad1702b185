import { describe, expect, test } from 'bun:test';
import { asEpochMs, intervalAt, parseChartInterval, UTC_DAY } from '@tickwire/engine';
import fc from 'fast-check';
import { type BarPrices, DerivedBars, streamedTimeframe } from './derived-bars.ts';

const part = (time: number, price: number): BarPrices => ({
  time,
  open: price,
  high: price + 2,
  low: price - 1,
  close: price + 1,
  volume: 0.1,
});
const MONDAY = Date.UTC(2026, 10, 16) / 1_000;

describe('derived bars', () => {
  test.each(['2m', '7m', '90m', '3h', '23h', '24h', '1w', '1M'])(
    'of %s start and end as those of /api/bars',
    (interval) => {
      const bars = new DerivedBars(interval);
      fc.assert(
        fc.property(fc.integer({ min: 946_684_800, max: 2_000_000_000 }), (time) => {
          const { start, end } = intervalAt(asEpochMs(time * 1_000), parseChartInterval(interval)!, UTC_DAY);
          expect([bars.startOf(time), bars.endOf(bars.startOf(time))]).toEqual([start / 1_000, end / 1_000]);
        }),
      );
    },
  );

  test('are made of the longest streamed bars that fit', () => {
    const parts = ['2m', '10m', '30m', '3h', '8h', '24h', '1w', '1M'].map((interval) => new DerivedBars(interval).part);
    expect(parts).toEqual(['1m', '5m', '15m', '1h', '4h', '1d', '1d', '1d']);
    expect(['1m', '4h', '2m'].map(streamedTimeframe)).toEqual(['1m', '4h', null]);
  });

  test('close with their last part, or with the first part after them, and can be corrected', () => {
    const bars = new DerivedBars('2m');
    bars.add([part(MONDAY, 10)]);
    const closed = (time: number, price: number, isClosed = true) =>
      bars.addLive({ ...part(time, price), closed: isClosed }).map((bar) => [bar.time - MONDAY, bar.close, bar.closed]);
    expect(closed(MONDAY + 60, 20, false)).toEqual([[0, 21, false]]);
    expect(closed(MONDAY + 60, 30)).toEqual([[0, 31, true]]);
    expect(closed(MONDAY + 120, 40)).toEqual([[120, 41, false]]);
    // Nothing was traded in the minute before.
    expect(closed(MONDAY + 240, 50, false)).toEqual([
      [120, 41, true],
      [240, 51, false],
    ]);
    expect(closed(MONDAY + 60, 35)).toEqual([[0, 36, true]]);
  });

  test('have the prices and the volume of all their parts', () => {
    const bars = new DerivedBars('3m');
    expect(bars.add([part(MONDAY, 10), part(MONDAY + 60, 5), part(MONDAY + 120, 20)])).toEqual([
      { time: MONDAY, open: 10, high: 22, low: 4, close: 21, volume: 0.3 },
    ]);
    const hour = Array.from({ length: 60 }, (_, minute) => part(MONDAY + 3_600 + minute * 60, minute));
    expect(bars.add(hour).map(({ open, close }) => close - open)).toEqual(Array(20).fill(3));
  });
});
