import { describe, expect, test } from 'bun:test';
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import fc from 'fast-check';
import { type BarHistory, BarSeries, LATE_WINDOW_MS } from './bar-series.ts';
import type { Bar, BarEvent, Side } from './events.ts';
import { asSymbol, type BarSource } from './instrument.ts';
import { roundSize } from './price.ts';
import { asEpochMs } from './time.ts';

const T0 = Date.UTC(2026, 0, 5, 22, 50);

interface Print {
  readonly time: number;
  readonly price: number;
  readonly size: number;
  readonly side: Side;
}

/** Trades at distinct, ascending times, some of them hours apart, so that bars of every timeframe open and close. */
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
  return { series, events };
}

/** Latest state of every closed bar, in order; includes the forming bars of `series` if given. */
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

/** Independent implementation: group by interval, take first, max, min, last and sum. */
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
  test('equal a naive grouping of any ticks, in all six timeframes', () => {
    fc.assert(
      fc.property(prints, (ticks) => {
        const { series, events } = harness();
        for (const { time, price, size, side } of ticks) series.trade(time, price, size, side);
        const bars = collect(events, series);
        for (const timeframe of TIMEFRAMES) expect(bars[timeframe]).toEqual(naive(ticks, timeframe));
      }),
    );
  });

  test('do not depend on clock events between the ticks', () => {
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

  test('do not depend on the order of ticks within the late window', () => {
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

  test('continue after a restore at any minute as if the series had never stopped', () => {
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
        for (const tick of after) second.trade(tick.time, tick.price, tick.size, tick.side);
        const bars = collect([...first.events, ...events], second);
        for (const timeframe of TIMEFRAMES) {
          expect(bars[timeframe]).toEqual(naive(ticks, timeframe));
        }
      }),
    );
  });

  test('ignore and count a tick that is older than the late window', () => {
    const { series, events } = harness();
    series.trade(T0, 1.1, 1, 'buy');
    series.advance(T0 + LATE_WINDOW_MS + 120_000);
    events.length = 0;
    series.trade(T0, 9, 1, 'buy');
    expect(events).toEqual([]);
    expect(series.lateTicks).toBe(1);
  });

  test('aggregate minute bars, in any order within the late window, as if they were ticks', () => {
    fc.assert(
      fc.property(prints, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (ticks, noise) => {
        const minutes = naive(ticks, '1m')
          .map((bar) => ({ bar, arrives: bar.time + noise.next().value * (LATE_WINDOW_MS - 60_000) }))
          .sort((a, b) => a.arrives - b.arrives);
        const { series, events } = harness();
        for (const { bar } of minutes) series.addMinuteBar(bar);
        const bars = collect(events, series);
        for (const timeframe of TIMEFRAMES) expect(bars[timeframe]).toEqual(naive(ticks, timeframe));
      }),
    );
  });

  test('ignore a partial minute bar', () => {
    fc.assert(
      fc.property(prints, (ticks) => {
        const { series, events } = harness();
        for (const bar of naive(ticks, '1m')) series.addMinuteBar({ ...bar, partial: true });
        series.advance(T0 + 86_400_000);
        expect([events, series.forming('1m'), series.forming('1d')]).toEqual([[], null, null]);
      }),
    );
  });

  test('have no bar for an interval without ticks', () => {
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

describe('bars of quotes and trades', () => {
  const SOURCES = ['quotes', 'trades', undefined] as const;
  const mixed = fc.record({
    bars: fc.constantFrom<BarSource | undefined>(...SOURCES),
    ticks: fc.array(fc.record({ tick: fc.nat(), isTrade: fc.boolean() }), { maxLength: 120 }),
    prints,
    /** Quotes alone for the first of them, as before the first trade of a day. */
    quotesFirst: fc.nat({ max: 120 }),
  });

  /** Bars by the rule as it is documented: the kind of each minute first, then the kind of each longer bar. */
  function byTheRule(
    ticks: readonly (Print & { readonly isTrade: boolean })[],
    bars: BarSource | undefined,
    timeframe: Timeframe,
  ) {
    const minuteOf = ({ time }: Print): number => time - (time % 60_000);
    const firstTrade = ticks.find(({ isTrade }) => isTrade);
    const tradesFrom = { quotes: Infinity, trades: 0, auto: firstTrade ? minuteOf(firstTrade) : Infinity }[
      bars ?? 'auto'
    ];
    const counted = ticks.filter((tick) => tick.isTrade === minuteOf(tick) >= tradesFrom);
    const length = TIMEFRAME_MS[timeframe];
    const groups = Map.groupBy(counted, ({ time }) => time - (time % length));
    return [...groups].map(([start, group]) => {
      const basis = group.some(({ isTrade }) => isTrade) ? 'trade' : 'bid';
      const used = group.filter(({ isTrade }) => isTrade === (basis === 'trade'));
      const prices = used.map(({ price }) => price);
      const volume = roundSize(used.reduce((sum, { size }) => sum + (size || 1), 0));
      const [open, close] = [prices[0]!, prices.at(-1)!];
      return { time: start, open, high: Math.max(...prices), low: Math.min(...prices), close, volume, basis };
    });
  }

  test('follow the rule for any mix, whether the feed has declared its kind or not', () => {
    fc.assert(
      fc.property(mixed, ({ bars, ticks, prints: list, quotesFirst }) => {
        const given = list.map((print, index) => ({
          ...print,
          isTrade: index >= quotesFirst && (ticks[index % Math.max(1, ticks.length)]?.isTrade ?? true),
        }));
        const events: BarEvent[] = [];
        const series = new BarSeries(asSymbol('EURUSD'), (event) => events.push(event), bars);
        for (const { time, price, size, side, isTrade } of given) {
          if (isTrade) series.trade(time, price, size, side);
          else series.quote(time, price, size);
        }
        const made = collect(events, series);
        for (const timeframe of TIMEFRAMES) {
          const shown = made[timeframe].map(({ bidVolume: _bid, askVolume: _ask, ...bar }) => bar);
          expect(shown as unknown).toEqual(byTheRule(given, bars, timeframe));
        }
      }),
    );
  });

  const play = (bars?: BarSource) => {
    const events: BarEvent[] = [];
    const series = new BarSeries(asSymbol('EURUSD'), (event) => events.push(event), bars);
    const of = (timeframe: Timeframe) => collect(events, series)[timeframe].map(({ close, volume }) => [close, volume]);
    return { series, of };
  };

  test('have a bar for the minute of the first trade, made of its trades alone', () => {
    const { series, of } = play();
    series.quote(T0 + 1_000, 1.1, 5_000);
    series.trade(T0 + 3_000, 1.9, 7, 'sell');
    series.quote(T0 + 4_000, 1.2, 5_000);
    series.quote(T0 + 61_000, 1.3, 5_000);
    expect([of('1m'), of('5m')]).toEqual([[[1.9, 7]], [[1.9, 7]]]);
    series.trade(T0 + 62_000, 1.4, 2, 'buy');
    expect([of('1m'), of('5m')]).toEqual([
      [
        [1.9, 7],
        [1.4, 2],
      ],
      [[1.4, 9]],
    ]);
  });

  test('leave minutes of quotes out of longer bars that have trades', () => {
    const { series, of } = play();
    series.quote(T0 + 1_000, 1.1, 5_000);
    series.advance(T0 + 60_000);
    expect(of('1h')).toEqual([[1.1, 5_000]]);
    series.trade(T0 + 61_000, 1.4, 2, 'buy');
    expect([of('1m'), of('1h')]).toEqual([
      [
        [1.1, 5_000],
        [1.4, 2],
      ],
      [[1.4, 2]],
    ]);
  });

  test('turn into bars of trades if the first trade of their minute is late', () => {
    const { series, of } = play();
    series.quote(T0 + 1_000, 1.1, 5_000);
    series.quote(T0 + 301_000, 1.2, 5_000);
    series.trade(T0 + 2_000, 1.5, 3, 'buy');
    expect([of('1m'), of('5m')]).toEqual([
      [
        [1.5, 3],
        [1.2, 5_000],
      ],
      [
        [1.5, 3],
        [1.2, 5_000],
      ],
    ]);
    expect(of('1d')).toEqual([[1.5, 3]]);
  });

  test('follow the declared kind from the first event on', () => {
    for (const bars of ['quotes', 'trades'] as const) {
      const { series, of } = play(bars);
      series.quote(T0 + 1_000, 1.1, 5);
      series.trade(T0 + 61_000, 1.4, 2, 'buy');
      series.quote(T0 + 62_000, 1.2, 5);
      const expected =
        bars === 'trades'
          ? [[1.4, 2]]
          : [
              [1.1, 5],
              [1.2, 5],
            ];
      expect(of('1m')).toEqual(expected);
    }
  });
});

test('a series that gets the history before its first minute continues like one that saw it all', () => {
  fc.assert(
    fc.property(prints, fc.nat(), (ticks, cut) => {
      const minuteOf = (index: number): number => Math.floor((ticks[index]?.time ?? 0) / 60_000);
      const at = ticks.findIndex((_, index) => index >= cut % ticks.length && minuteOf(index) !== minuteOf(index - 1));
      if (at < 0) return;
      const whole = harness();
      const late = harness();
      for (const { time, price, size, side } of ticks.slice(0, at)) whole.series.trade(time, price, size, side);
      const { time: first } = ticks[at]!;
      whole.series.advance(first);
      late.series.advance(first);
      late.series.addHistory(collect(whole.events));
      const before = whole.events.length;
      for (const { time, price, size, side } of ticks.slice(at))
        for (const { series } of [whole, late]) series.trade(time, price, size, side);
      for (const timeframe of TIMEFRAMES)
        expect(late.series.forming(timeframe)).toEqual(whole.series.forming(timeframe));
      expect(late.events).toEqual(whole.events.slice(before));
    }),
  );
});
