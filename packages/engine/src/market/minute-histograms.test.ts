import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { BarSeries, LATE_WINDOW_MS } from './bar-series.ts';
import { CATALOGUE } from './catalogue.ts';
import type { Bar, BarEvent, Side, SideMethod } from './events.ts';
import { asSymbol, type BarSource } from './instrument.ts';
import { histogramOfTrades, MinuteHistograms, recordedLevelTicks, shownLevelTicks } from './minute-histograms.ts';
import { asEpochMs, MINUTE_MS } from './time.ts';
import { explainsBar, tradedVolume } from './volume-coverage.ts';
import { type MinuteHistogram, SIDES_BY_QUOTE_RULE, SIDES_BY_TICK_RULE, SIDES_OF_FEED } from './volume-level.ts';

const T0 = Date.UTC(2026, 0, 5, 22, 50);
const SPEC = { digits: 2, pipSize: 1, levelSize: 10 };
const UNITS = 1e8;

interface Print {
  readonly time: number;
  readonly price: number;
  readonly size: number;
  readonly side: Side;
  readonly quote: boolean;
}

/** Trades and quotes of about twenty minutes; up to fifteen minutes late, so that some come too late to count. */
const prints = fc
  .array(
    fc.record({
      step: fc.integer({ min: 0, max: 30_000 }),
      late: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 15 * MINUTE_MS })),
      price: fc.integer({ min: 9_990_000, max: 10_010_000 }),
      // In units of 1e-8, as of the smallest size that a venue has.
      size: fc.oneof(
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 1, max: 200 }).map((lots) => lots * 1e8),
      ),
      side: fc.constantFrom<Side>('buy', 'sell'),
      quote: fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
    }),
    { minLength: 1, maxLength: 150 },
  )
  .map((steps) => {
    let now = T0;
    return steps.map(({ step, late, price, size, side, quote }): Print => {
      now += step;
      return { time: now - late, price: price / 100, size: size / UNITS, side, quote };
    });
  });

class Recorded {
  readonly bars = new Map<number, Bar>();
  readonly histograms = new Map<number, MinuteHistogram>();
  readonly kept = new MinuteHistograms(SPEC, 75);
  readonly series: BarSeries;

  constructor(source?: BarSource) {
    this.series = new BarSeries(asSymbol('BTCUSD'), (event) => this.put(event), source, this.kept);
  }

  put({ timeframe, bar }: BarEvent): void {
    if (timeframe !== '1m') return;
    this.bars.set(bar.time, bar);
    const histogram = this.kept.at(bar.time);
    if (histogram) this.histograms.set(bar.time, histogram);
  }

  add({ time, price, size, side, quote }: Print): void {
    if (quote) this.series.quote(time, price, 1);
    else this.series.trade(time, price, size, side);
  }
}

const units = (size: number): bigint => BigInt(Math.round(size * UNITS));
const sum = (values: Iterable<number>): bigint => {
  let total = 0n;
  for (const value of values) total += units(value);
  return total;
};

function expectSameVolumes({ bars, histograms }: Recorded): void {
  for (const [time, bar] of bars) {
    const histogram = histograms.get(time);
    if (!histogram) {
      expect(tradedVolume(bar)).toBe(0);
      continue;
    }
    expect(histogram.trades).toBeGreaterThan(0);
    const average = histogram.turnover / tradedVolume(bar);
    // The bar of quotes has other prices.
    if (bar.basis === 'trade') {
      expect(average).toBeGreaterThanOrEqual(bar.low * (1 - 1e-9));
      expect(average).toBeLessThanOrEqual(bar.high * (1 + 1e-9));
    }
    expect(explainsBar(histogram, bar)).toBe(true);
    const [buy, sell] = [
      sum(histogram.levels.map((level) => level.buy)),
      sum(histogram.levels.map((level) => level.sell)),
    ];
    expect(buy).toBe(units(bar.askVolume));
    expect(sell).toBe(units(bar.bidVolume));
    expect(buy + sell).toBe(units(tradedVolume(bar)));
  }
}

describe('the levels of a minute', () => {
  test.each([undefined, 'trades', 'quotes'] as const)(
    'add up to its bar, whatever trades come late (bars of %p)',
    (source) => {
      fc.assert(
        fc.property(prints, (given) => {
          const recorded = new Recorded(source);
          for (const print of given) recorded.add(print);
          recorded.series.advance(given.at(-1)!.time + 2 * LATE_WINDOW_MS);
          expectSameVolumes(recorded);
        }),
        { numRuns: 150 },
      );
    },
  );

  test('are those of the trades that a plain map has', () => {
    fc.assert(
      fc.property(prints, (given) => {
        const recorded = new Recorded('trades');
        const expected = new Map<string, bigint>();
        let newest = 0;
        for (const print of given) {
          recorded.add(print);
          const minute = Math.floor(print.time / MINUTE_MS) * MINUTE_MS;
          newest = Math.max(newest, minute);
          if (print.quote || minute < newest - LATE_WINDOW_MS) continue;
          const key = `${minute} ${Math.floor(print.price)} ${print.side}`;
          expected.set(key, (expected.get(key) ?? 0n) + units(print.size));
        }
        recorded.series.advance(given.at(-1)!.time + 2 * LATE_WINDOW_MS);
        const found = new Map<string, bigint>();
        for (const { time, levels } of recorded.histograms.values()) {
          for (const { ticks, buy, sell } of levels) {
            if (buy > 0) found.set(`${time} ${ticks / 100} buy`, units(buy));
            if (sell > 0) found.set(`${time} ${ticks / 100} sell`, units(sell));
          }
        }
        expect(found).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  test('are the same after a restart at any minute', () => {
    fc.assert(
      fc.property(prints, fc.nat(), (given, at) => {
        const uninterrupted = new Recorded('trades');
        for (const print of given) uninterrupted.add(print);
        const cut = at % given.length;
        const before = new Recorded('trades');
        for (const print of given.slice(0, cut)) before.add(print);
        // A restart knows the closed minutes, and replays everything from the start of the current one.
        const newest = Math.max(...given.slice(0, Math.max(1, cut)).map(({ time }) => time));
        const from = newest - (newest % MINUTE_MS);
        const after = new Recorded('trades');
        const history = [...before.bars.values()].filter(({ time }) => time < from).sort((a, b) => a.time - b.time);
        const kept = before.kept.between(0, from);
        after.series.restore({ '1m': history }, asEpochMs(from), kept);
        for (const [index, print] of given.entries()) if (index >= cut || print.time >= from) after.add(print);
        const end = given.at(-1)!.time + 2 * LATE_WINDOW_MS;
        uninterrupted.series.advance(end);
        after.series.advance(end);
        for (const [time, histogram] of after.histograms)
          expect(histogram).toEqual(uninterrupted.histograms.get(time)!);
        for (const [time, histogram] of uninterrupted.histograms)
          if (time >= from) expect(after.histograms.get(time)).toEqual(histogram);
        expectSameVolumes(after);
      }),
      { numRuns: 150 },
    );
  });
});

test('a minute tells how the sides of its trades are known', () => {
  const trade = (sideMethod: SideMethod | null) =>
    ({ time: T0, price: 100, size: 1, side: 'buy', sideMethod }) as const;
  const sidesOf = (...methods: (SideMethod | null)[]) => histogramOfTrades(SPEC, T0, methods.map(trade))!.sides;
  expect(sidesOf(null)).toBe(SIDES_OF_FEED);
  expect(sidesOf('quote_rule', 'tick_rule')).toBe(SIDES_BY_QUOTE_RULE | SIDES_BY_TICK_RULE);
  expect(histogramOfTrades(SPEC, T0, [])).toBeNull();
});

test('only the newest minutes are held', () => {
  const histograms = new MinuteHistograms(SPEC, 3);
  for (let minute = 0; minute < 10; minute++) histograms.trade(T0 + minute * MINUTE_MS, 100, 1, 'buy', null);
  expect(histograms.between(0, Number.MAX_SAFE_INTEGER).map(({ time }) => (time - T0) / MINUTE_MS)).toEqual([7, 8, 9]);
});

test('a minute with levels of another height is not continued', () => {
  const fine = histogramOfTrades({ ...SPEC, levelSize: 1 }, T0, [
    { price: 100.1, size: 1, side: 'buy', sideMethod: null },
  ])!;
  const histograms = new MinuteHistograms(SPEC, 3);
  histograms.restore([fine]);
  expect(histograms.at(T0)).toBeNull();
});

test('recorded levels divide those shown, and no instrument needs more than a pip', () => {
  for (const spec of CATALOGUE) {
    expect(shownLevelTicks(spec) % recordedLevelTicks(spec)).toBe(0);
    expect(recordedLevelTicks(spec) / 10 ** spec.digits).toBeLessThanOrEqual(spec.pipSize * 5);
  }
  expect(recordedLevelTicks({ digits: 2, pipSize: 0.25 })).toBe(1);
  expect(recordedLevelTicks({ digits: 0, pipSize: 0.1 })).toBe(1);
});
