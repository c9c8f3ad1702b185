// Profiles and footprints of histories that are incomplete, simulated, or have more levels than an answer may have.
import { describe, expect, test } from 'bun:test';
import { FootprintQuery, ProfileQuery, TIMEFRAME_MS, TIMEFRAMES } from '@tickwire/contract';
import {
  aggregateBars,
  asEpochMs,
  asSymbol,
  type Bar,
  CATALOGUE,
  DAY_MS,
  explainsBar,
  HOUR_MS,
  histogramOfTrades,
  type InstrumentSpec,
  MINUTE_MS,
  roundSize,
} from '@tickwire/engine';
import type { ServiceError } from '../errors/service-error.ts';
import { generatedHistogram } from '../market/feeds/sim/generated-histogram.ts';
import { MarketView } from '../market/market-view.ts';
import type { BarRange, HistogramRow } from '../store/store.ts';
import { footprintsOf } from './footprints.ts';
import type { VolumeSources } from './recorded-volume.ts';
import { profileOf } from './volume-profile.ts';

const SPEC: InstrumentSpec = CATALOGUE.find(({ symbol }) => symbol === asSymbol('BTCUSD'))!;
const MONDAY = Date.UTC(2026, 2, 2);

const bar = (time: number, buy: number, sell: number, changes: Partial<Bar> = {}): Bar => ({
  time: asEpochMs(time),
  open: 50_000,
  high: 50_020,
  low: 49_990,
  close: 50_010,
  volume: roundSize(buy + sell),
  bidVolume: sell,
  askVolume: buy,
  basis: 'trade',
  ...changes,
});
const histogram = (time: number, buy: number, sell: number, price = 50_000): HistogramRow => ({
  symbol: SPEC.symbol,
  ...histogramOfTrades(SPEC, time, [
    { price, size: buy, side: 'buy', sideMethod: null },
    { price: price + 10, size: sell, side: 'sell', sideMethod: null },
  ])!,
});

/** A store with minutes and the longer bars made of them, and more bars that have no minutes. */
function sourcesOf(
  minutes: readonly Bar[],
  histograms: readonly HistogramRow[],
  more: Partial<Record<string, Bar[]>> = {},
  generate: VolumeSources['generate'] = null,
): VolumeSources {
  const series = new Map<string, Bar[]>(
    TIMEFRAMES.map((timeframe) => {
      const groups = Map.groupBy(minutes, ({ time }) => time - (time % TIMEFRAME_MS[timeframe]));
      return [timeframe, [...groups].map(([start, inside]) => aggregateBars(start, inside)!)];
    }),
  );
  for (const [timeframe, bars] of Object.entries(more)) {
    const byTime = new Map([...(series.get(timeframe) ?? []), ...bars!].map((each) => [each.time, each]));
    series.set(
      timeframe,
      [...byTime.values()].sort((a, b) => a.time - b.time),
    );
  }
  return {
    store: {
      bars: async ({ timeframe, from, to, limit, first }: BarRange) => {
        const inside = (series.get(timeframe) ?? []).filter(({ time }) => time >= from && time <= to);
        return first === 'oldest' ? inside.slice(0, limit) : inside.slice(-limit);
      },
      histograms: async (_, from, to) => histograms.filter(({ time }) => time >= from && time < to),
    },
    view: new MarketView([SPEC]),
    generate,
  };
}

const profile = (sources: VolumeSources, query: object = {}) =>
  profileOf(sources, SPEC, ProfileQuery.parse({ from: MONDAY, to: MONDAY + DAY_MS - 1, ...query }), MONDAY + DAY_MS);
const footprints = async (sources: VolumeSources, given: object = {}, first: 'oldest' | 'newest' = 'oldest') => {
  const query = FootprintQuery.parse({ interval: '1h', ...given });
  return footprintsOf(sources, SPEC, query, { from: MONDAY - 5 * DAY_MS, to: MONDAY + 40 * DAY_MS, first });
};
const refusal = async (work: Promise<unknown>): Promise<ServiceError> =>
  work.then(
    () => Promise.reject(new Error('it was accepted')),
    (error) => error,
  );

describe('volume that is known only from bars', () => {
  const minutes = [0, 1, 2, 3].map((at) => bar(MONDAY + at * MINUTE_MS, 1, 2));
  const known = (...at: number[]) => at.map((each) => histogram(MONDAY + each * MINUTE_MS, 1, 2));

  test('is reported, with the time from which on everything is known', async () => {
    const { volume, delta, uncovered_volume, covered_from } = await profile(sourcesOf(minutes, known(0, 2, 3)));
    expect([volume, delta, uncovered_volume]).toEqual([9, -3, 3]);
    expect(covered_from).toBe(new Date(MONDAY + 2 * MINUTE_MS).toISOString());
  });

  test('includes minutes whose levels do not add up to their bar', async () => {
    const wrong = histogram(MONDAY, 1, 1.5);
    expect(await profile(sourcesOf(minutes, [wrong, ...known(1, 2, 3)]))).toMatchObject({
      volume: 9,
      uncovered_volume: 3,
    });
  });

  test('includes longer bars without minutes', async () => {
    const hour = bar(MONDAY + 5 * HOUR_MS, 10, 20);
    const day = bar(MONDAY, 14, 28);
    const imported = { '1h': [hour], '1d': [day] };
    const sources = sourcesOf(minutes, known(0, 1, 2, 3), imported);
    // Up to the end of the day, the day has it; before, the hour.
    expect(await profile(sources)).toMatchObject({ volume: 12, uncovered_volume: 30 });
    const part = await profile(sources, { to: MONDAY + 7 * HOUR_MS });
    expect(part).toMatchObject({ volume: 12, uncovered_volume: 30 });
    expect(part.covered_from).toBe(new Date(MONDAY + 6 * HOUR_MS).toISOString());
    const { page } = await footprints(sources);
    expect(page.items.map(({ volume, uncovered_volume }) => [volume, uncovered_volume])).toEqual([
      [12, 0],
      [0, 30],
    ]);
    expect(page.items[1]!.levels).toEqual([]);
  });

  test('does not include the volume of quotes', async () => {
    const quotes = bar(MONDAY, 1, 2, { basis: 'bid', volume: 900 });
    const sources = sourcesOf([quotes], known(0));
    expect(await profile(sources)).toMatchObject({ volume: 3, uncovered_volume: 0 });
  });
});

describe('a simulated minute that is known only as a bar', () => {
  test('has levels that add up to it, within its prices, always the same', async () => {
    for (let at = 0; at < 500; at++) {
      const spec = CATALOGUE[at % CATALOGUE.length]!;
      const tick = 10 ** -spec.digits;
      const low = 1 + at * 7 * tick;
      const made = bar(MONDAY + at * MINUTE_MS, (at % 13) / 100, at * 1.5, {
        low,
        open: low + (at % 5) * tick,
        close: low + (at % 11) * tick,
        high: low + (at % 2 ? 11 : 40_000) * tick,
      });
      const generated = generatedHistogram(spec, made);
      if (at === 0) {
        expect(generated).toBeNull();
        continue;
      }
      expect(explainsBar(generated!, made)).toBe(true);
      expect(generatedHistogram(spec, made)).toEqual(generated);
      const { levels, levelTicks } = generated!;
      expect(levels[0]!.ticks * tick).toBeGreaterThan(made.low - (levelTicks + 1) * tick);
      expect(levels.at(-1)!.ticks * tick).toBeLessThan(made.high + tick);
      expect(levels.every(({ ticks }) => ticks % levelTicks === 0)).toBe(true);
    }
  });

  test('is part of profiles', async () => {
    const sources = sourcesOf([bar(MONDAY, 4, 5), bar(MONDAY + MINUTE_MS, 1, 2)], [], {}, generatedHistogram);
    expect(await profile(sources)).toMatchObject({ volume: 12, delta: -2, uncovered_volume: 0, side_method: 'feed' });
  });
});

describe('levels', () => {
  const minutes = [bar(MONDAY, 1, 2)];
  const sources = sourcesOf(minutes, [histogram(MONDAY, 1, 2)]);

  test.each([0.5, 1.5, 0.001])('of %p are refused, because others are recorded', async (level) => {
    const { code, message, options } = await refusal(profile(sources, { level: String(level) }));
    expect([code, message]).toEqual(['invalid_parameter', 'level must be a multiple of 1 for BTCUSD']);
    expect(options.errors).toEqual([
      { parameter: 'level', value: String(level), allowed: 'a multiple of 1 for BTCUSD' },
    ]);
  });

  test('recorded with another height are named', async () => {
    const coarse = { ...histogram(MONDAY, 1, 2), levelTicks: 5_000 };
    const other = sourcesOf(minutes, [coarse]);
    expect((await refusal(profile(other))).message).toContain('level must be a multiple of 50, because');
    expect(await profile(other, { level: '100' })).toMatchObject({ volume: 3, level: 100 });
  });

  test('recorded with fewer digits are converted', async () => {
    const row = histogram(MONDAY, 1, 2);
    const levels = row.levels.map((level) => ({ ...level, ticks: level.ticks / 10 }));
    const old = { ...row, digits: 1, levelTicks: 10, levels };
    expect(await profile(sourcesOf(minutes, [old]))).toEqual(await profile(sources));
  });

  test('beyond the limit are refused with a height that fits', async () => {
    const trades = Array.from({ length: 6_000 }, (_, at) => ({
      price: 10_000 + at,
      size: 1,
      side: 'buy' as const,
      sideMethod: null,
    }));
    const wide = { symbol: SPEC.symbol, ...histogramOfTrades(SPEC, MONDAY, trades)! };
    const many = sourcesOf([bar(MONDAY, 6_000, 0)], [wide]);
    const error = await refusal(profile(many, { level: '1' }));
    expect(error.message).toBe(
      'level must be at least 2 for this range: it has 6000 levels of 1, and at most 5000 are returned',
    );
    expect((await profile(many, { level: '2' })).levels).toHaveLength(3_000);
    expect((await refusal(footprints(many, { level: '1' }))).code).toBe('invalid_parameter');
  });

  test('of a page are limited: it has fewer bars, and more follow', async () => {
    const hours = [0, 1, 2, 3, 4].map((hour) => MONDAY + hour * HOUR_MS);
    const rows = hours.map((time): HistogramRow => {
      const trades = Array.from({ length: 4_500 }, (_, at) => ({
        price: 10_000 + at,
        size: 1,
        side: 'buy' as const,
        sideMethod: null,
      }));
      return { symbol: SPEC.symbol, ...histogramOfTrades(SPEC, time, trades)! };
    });
    const many = sourcesOf(
      hours.map((time) => bar(time, 4_500, 0)),
      rows,
    );
    const oldest = await footprints(many, { level: '1' });
    expect([oldest.bars.map(({ time }): number => time), oldest.hasMore]).toEqual([hours.slice(0, 4), true]);
    const newest = await footprints(many, { level: '1' }, 'newest');
    expect([newest.bars.map(({ time }): number => time), newest.hasMore]).toEqual([hours.slice(1), true]);
  });
});

describe('ranges', () => {
  const days = Array.from({ length: 40 }, (_, at) => bar(MONDAY + at * DAY_MS, 1, 2));
  const rows = days.map(({ time }) => histogram(time, 1, 2));

  test('of more than 31 days are refused with the one that fits', async () => {
    const { message } = await refusal(profile(sourcesOf([], []), { to: MONDAY + 40 * DAY_MS }));
    expect(message).toBe('from must be at most 31 days before to: 2026-03-11T00:00:00.000Z would fit');
    expect((await refusal(profile(sourcesOf([], []), { to: MONDAY - 1 }))).message).toContain('to must be');
  });

  test('of the current day are the default', async () => {
    const empty = await profileOf(sourcesOf([], []), SPEC, ProfileQuery.parse({}), MONDAY + 90_000);
    expect(empty).toMatchObject({
      from: '2026-03-02T00:00:00.000Z',
      to: '2026-03-02T00:01:30.000Z',
      volume: 0,
      poc: null,
      value_area: null,
      side_method: null,
      levels: [],
    });
  });

  test('of footprints are limited by their minutes: months come one by one', async () => {
    const { bars, hasMore } = await footprints(sourcesOf(days, rows), { interval: '1M' });
    expect([bars.length, hasMore]).toEqual([1, true]);
    const newest = await footprints(sourcesOf(days, rows), { interval: '1d', limit: 1_000 }, 'newest');
    expect([newest.bars.length, newest.hasMore, newest.bars.at(-1)!.time]).toEqual([31, true, days.at(-1)!.time]);
  });
});
