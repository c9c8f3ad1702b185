import { describe, expect, test } from 'bun:test';
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import fc from 'fast-check';
import { type BarHistory, BarSeries, LATE_WINDOW_MS } from './bars.ts';
import { asEpochMs, asSymbol } from './brands.ts';
import type { Bar, BarEvent, Side } from './events.ts';
import { roundSize } from './price.ts';

const T0 = Date.UTC(2026, 0, 5, 22, 50);

interface Print {
  readonly time: number;
  readonly price: number;
  readonly size: number;
  readonly side: Side;
}

/** Prints at distinct, ascending times, some minutes apart, so that bars of every length open and close. */
const prints = fc
  .array(
    fc.record({
      step: fc.oneof(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 4_000_000 })),
      price: fc.integer({ min: 90_000, max: 110_000 }),
      size: fc.integer({ min: 1, max: 500 }),
      side: fc.constantFrom<Side>('buy', 'sell'),
    }),
    { minLength: 1, maxLength: 120 },
  )
  .map((steps) => {
    let time = T0;
    return steps.map(({ step, price, size, side }): Print => {
      time += step;
      return { time, price: price / 1e5, size: size / 100, side };
    });
  });

function harness() {
  const events: BarEvent[] = [];
  const series = new BarSeries(asSymbol('EURUSD'), (event) => events.push(event));
  // A trade long before makes every bar below one of trades.
  series.trade(T0 - 7 * 86_400_000, 1, 1, 'buy');
  events.length = 0;
  return { series, events };
}

/** Latest state of every closed bar, in order, forming ones included on request. */
function collect(events: readonly BarEvent[], series?: BarSeries): Record<Timeframe, Bar[]> {
  const maps = new Map(TIMEFRAMES.map((timeframe) => [timeframe, new Map<number, Bar>()]));
  for (const { timeframe, bar } of events) maps.get(timeframe)!.set(bar.time, bar);
  if (series) {
    for (const timeframe of TIMEFRAMES) {
      const bar = series.forming(timeframe);
      if (bar) maps.get(timeframe)!.set(bar.time, bar);
    }
  }
  return Object.fromEntries(
    TIMEFRAMES.map((timeframe) => [timeframe, [...maps.get(timeframe)!.values()].sort((a, b) => a.time - b.time)]),
  ) as Record<Timeframe, Bar[]>;
}

/** Independent and naive: group by interval, take first, max, min, last, sum. */
function naive(ticks: readonly Print[], timeframe: Timeframe): Bar[] {
  const groups = new Map<number, Print[]>();
  for (const tick of [...ticks].sort((a, b) => a.time - b.time)) {
    const start = Math.floor(tick.time / TIMEFRAME_MS[timeframe]) * TIMEFRAME_MS[timeframe];
    groups.set(start, [...(groups.get(start) ?? []), tick]);
  }
  const sum = (group: Print[], side?: Side) =>
    roundSize(group.filter((tick) => !side || tick.side === side).reduce((total, tick) => total + tick.size, 0));
  return [...groups].map(([start, group]) => ({
    time: asEpochMs(start),
    open: group[0]!.price,
    high: Math.max(...group.map((tick) => tick.price)),
    low: Math.min(...group.map((tick) => tick.price)),
    close: group.at(-1)!.price,
    volume: sum(group),
    bidVolume: sum(group, 'sell'),
    askVolume: sum(group, 'buy'),
    basis: 'trade',
  }));
}

describe('bars', () => {
  test('bars of any ticks equal a naive grouping, in all six timeframes', () => {
    fc.assert(
      fc.property(prints, (ticks) => {
        const { series, events } = harness();
        for (const { time, price, size, side } of ticks) series.trade(time, price, size, side);
        const bars = collect(events, series);
        for (const timeframe of TIMEFRAMES) expect(bars[timeframe]).toEqual(naive(ticks, timeframe));
      }),
    );
  });

  test('clock events between the ticks change when bars close, not what they are', () => {
    fc.assert(
      fc.property(prints, fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 20 }), (ticks, clocks) => {
        const { series, events } = harness();
        ticks.forEach((tick, index) => {
          series.trade(tick.time, tick.price, tick.size, tick.side);
          if (clocks.includes(index))
            series.advance(Math.min(tick.time + 61_000, (ticks[index + 1]?.time ?? Infinity) - 1));
        });
        series.advance(ticks.at(-1)!.time + 86_400_000);
        const bars = collect(events);
        for (const timeframe of TIMEFRAMES) expect(bars[timeframe]).toEqual(naive(ticks, timeframe));
        expect(events.every((event) => !event.amended)).toBe(true);
      }),
    );
  });

  test('ticks in any order within the late window give the bars of the sorted ones', () => {
    fc.assert(
      fc.property(prints, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (ticks, noise) => {
        const delayed = ticks
          .map((tick) => ({ tick, arrives: tick.time + noise.next().value * (LATE_WINDOW_MS - 60_000) }))
          .sort((a, b) => a.arrives - b.arrives);
        const { series, events } = harness();
        for (const { tick } of delayed) series.trade(tick.time, tick.price, tick.size, tick.side);
        const bars = collect(events, series);
        for (const timeframe of TIMEFRAMES) expect(bars[timeframe]).toEqual(naive(ticks, timeframe));
      }),
    );
  });

  test('a series restored at any minute goes on exactly as the one that never stopped', () => {
    fc.assert(
      fc.property(prints, fc.nat(), (ticks, cut) => {
        const at = ticks[cut % ticks.length]!.time;
        const from = asEpochMs(at - (at % 60_000));
        const before = ticks.filter((tick) => tick.time < from);
        const after = ticks.filter((tick) => tick.time >= from);
        const first = harness();
        for (const tick of before) first.series.trade(tick.time, tick.price, tick.size, tick.side);
        first.series.advance(from);
        const stored = collect(first.events);

        const events: BarEvent[] = [];
        const second = new BarSeries(asSymbol('EURUSD'), (event) => events.push(event));
        second.restore(stored as BarHistory, from);
        second.trade(from - 86_400_000 * 400, 1, 1, 'buy');
        for (const tick of after) second.trade(tick.time, tick.price, tick.size, tick.side);
        const bars = collect([...first.events, ...events], second);
        for (const timeframe of TIMEFRAMES) {
          const expected = naive(ticks, timeframe);
          // Without any trade before the cut the first minute is one of bids: nothing to compare in it.
          if (before.length > 0) expect(bars[timeframe]).toEqual(expected);
        }
      }),
    );
  });

  test('a tick behind the late window leaves the bars alone and is counted', () => {
    const { series, events } = harness();
    series.trade(T0, 1.1, 1, 'buy');
    series.advance(T0 + LATE_WINDOW_MS + 120_000);
    events.length = 0;
    series.trade(T0, 9, 1, 'buy');
    expect(events).toEqual([]);
    expect(series.late).toBe(1);
  });

  test('bars are bids with quote sizes until the minute after the first trade, then trades', () => {
    const events: BarEvent[] = [];
    const series = new BarSeries(asSymbol('EURUSD'), (event) => events.push(event));
    series.quote(T0 + 1_000, 1.1, 5);
    series.quote(T0 + 2_000, 1.2, 0);
    series.trade(T0 + 3_000, 1.9, 7, 'sell');
    series.quote(T0 + 61_000, 1.3, 5);
    series.trade(T0 + 62_000, 1.4, 2, 'buy');
    series.advance(T0 + 120_000);
    const minutes = events.filter((event) => event.timeframe === '1m').map((event) => event.bar);
    expect(minutes).toEqual([
      {
        time: asEpochMs(T0),
        open: 1.1,
        high: 1.2,
        low: 1.1,
        close: 1.2,
        volume: 6,
        bidVolume: 7,
        askVolume: 0,
        basis: 'bid',
      },
      {
        time: asEpochMs(T0 + 60_000),
        open: 1.4,
        high: 1.4,
        low: 1.4,
        close: 1.4,
        volume: 2,
        bidVolume: 0,
        askVolume: 2,
        basis: 'trade',
      },
    ]);
  });

  test('minutes that are known only as bars, in any order within the window, give the bars of their ticks', () => {
    fc.assert(
      fc.property(prints, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (ticks, noise) => {
        const minutes = naive(ticks, '1m')
          .map((bar) => ({ bar, arrives: bar.time + noise.next().value * (LATE_WINDOW_MS - 60_000) }))
          .sort((a, b) => a.arrives - b.arrives);
        const { series, events } = harness();
        for (const { bar } of minutes) series.whole(bar);
        const bars = collect(events, series);
        for (const timeframe of TIMEFRAMES) expect(bars[timeframe]).toEqual(naive(ticks, timeframe));
      }),
    );
  });

  test('a minute that still ran is no bar', () => {
    fc.assert(
      fc.property(prints, (ticks) => {
        const { series, events } = harness();
        for (const bar of naive(ticks, '1m')) series.whole({ ...bar, partial: true });
        series.advance(T0 + 86_400_000);
        expect([events, series.forming('1m'), series.forming('1d')]).toEqual([[], null, null]);
      }),
    );
  });

  test('an interval without data has no bar', () => {
    const { series, events } = harness();
    series.trade(T0, 1.1, 1, 'buy');
    series.trade(T0 + 180_000, 1.2, 1, 'buy');
    series.advance(T0 + 240_000);
    expect(events.filter((event) => event.timeframe === '1m').map((event) => event.bar.time as number)).toEqual([
      T0,
      T0 + 180_000,
    ]);
  });
});
