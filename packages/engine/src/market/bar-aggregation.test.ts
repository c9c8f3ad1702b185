import { describe, expect, test } from 'bun:test';
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import fc from 'fast-check';
import { aggregateBars, MinuteAggregator } from './bar-aggregation.ts';
import { BarSeries } from './bar-series.ts';
import type { Bar, Side } from './events.ts';
import { asSymbol } from './instrument.ts';

const T0 = Date.UTC(2026, 0, 5);
const MINUTE = 60_000;

const tick = fc.record({
  /** Within two hours, so that every timeframe up to one hour closes. */
  at: fc.integer({ min: 0, max: 7_199_999 }),
  price: fc.integer({ min: 90, max: 110 }),
  size: fc.integer({ min: 0, max: 500 }).map((size) => size / 100),
  side: fc.constantFrom<Side | null>('buy', 'sell', null),
});

/** Closed bars of a BarSeries by timeframe. */
function seriesBars(feed: (series: BarSeries) => void): Map<Timeframe, Bar[]> {
  const bars = new Map<Timeframe, Bar[]>(TIMEFRAMES.map((timeframe) => [timeframe, []]));
  const series = new BarSeries(asSymbol('ANY'), ({ timeframe, bar }) => bars.get(timeframe)!.push(bar));
  feed(series);
  series.advance(T0 + 2 * TIMEFRAME_MS['1d']);
  return bars;
}

describe('aggregated bars', () => {
  test('equal those of a BarSeries for any mix of quotes and trades', () => {
    fc.assert(
      fc.property(fc.array(tick, { maxLength: 80 }), (given) => {
        const ticks = given.toSorted((a, b) => a.at - b.at);
        const expected = seriesBars((series) => {
          for (const { at, price, size, side } of ticks) {
            if (side) series.trade(T0 + at, price, size, side);
            else series.quote(T0 + at, price, size);
          }
        });
        const traded = ticks.find(({ side }) => side !== null);
        const firstTrade = traded ? traded.at - (traded.at % MINUTE) : Number.POSITIVE_INFINITY;
        const minute = new MinuteAggregator();
        const minutes = [...Map.groupBy(ticks, ({ at }) => at - (at % MINUTE))].flatMap(([start, inside]) => {
          minute.begin(T0 + start, start > firstTrade);
          for (const { at, price, size, side } of inside) {
            if (side) minute.trade(T0 + at, price, size, side);
            else minute.quote(T0 + at, price, size);
          }
          return minute.bar() ?? [];
        });
        expect(minutes).toEqual(expected.get('1m')!);
        let shorter = minutes;
        for (const timeframe of TIMEFRAMES.slice(1)) {
          const length = TIMEFRAME_MS[timeframe];
          shorter = [...Map.groupBy(shorter, ({ time }) => time - (time % length))].map(
            ([start, bars]) => aggregateBars(start, bars)!,
          );
          expect(shorter).toEqual(expected.get(timeframe)!);
        }
      }),
    );
  });

  test('are null without input', () => {
    expect([aggregateBars(T0, []), new MinuteAggregator().bar()]).toEqual([null, null]);
  });
});
