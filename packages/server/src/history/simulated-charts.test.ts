// Charts of any interval and alignment over the computed past of simulated markets.
import { expect, test } from 'bun:test';
import {
  aggregateBars,
  asEpochMs,
  asSymbol,
  type Bar,
  CATALOGUE,
  DAY_MS,
  intervalAt,
  type MarketSymbol,
  MINUTE_MS,
} from '@tickwire/engine';
import fc from 'fast-check';
import { computed } from '../../testing/event-loop.fixture.ts';
import { SimBarSource } from '../market/feeds/sim/sim-bar-source.ts';
import { SimPast } from '../market/feeds/sim/sim-past.ts';
import { MarketView } from '../market/market-view.ts';
import type { BarRange } from '../store/store.ts';
import { parseChart, readChartBars } from './chart-reader.ts';

const EURUSD = asSymbol('EURUSD');
const SYMBOLS = [EURUSD, asSymbol('US500'), asSymbol('BTCUSD')];
const NOW = Date.UTC(2026, 4, 6);
const OPTIONS = { seed: 11, rate: 50, hours: 'real' } as const;
const NUMBERS: Readonly<Record<string, number>> = {
  sim_seed: OPTIONS.seed,
  sim_past_rate: OPTIONS.rate,
  sim_past_activity: 100,
  sim_past_hours: 1,
};
const past = new SimPast(CATALOGUE, { ...OPTIONS, totalActivity: NUMBERS.sim_past_activity! });

/** Has only the last day, so everything else is computed. */
const store = {
  bars: async ({ symbol, timeframe, from, to, limit }: BarRange): Promise<Bar[]> =>
    [...past.barsOfDay(symbol, NOW - DAY_MS, timeframe as '1m', { from, to })].flat().slice(0, limit),
  watched: async () => [],
  fetched: async () => [],
  number: async (name: string) => NUMBERS[name],
};
const sources = {
  store: new SimBarSource({ store, instruments: CATALOGUE, now: () => NOW }),
  view: new MarketView(CATALOGUE),
};

const minutesOf = (symbol: MarketSymbol, from: number, to: number) =>
  sources.store.bars({ symbol, timeframe: '1m', from, to, limit: 1_000_000, first: 'oldest' });

/** Sums of volumes differ in their last digits, depending on the order. */
const exact = (bar: Bar): Bar => {
  const size = (value: number): number => Math.round(value * 1e5) / 1e5;
  return { ...bar, volume: size(bar.volume), bidVolume: size(bar.bidVolume), askVolume: size(bar.askVolume) };
};

test('bars of any interval and alignment are the aggregates of the computed minutes', async () => {
  const anyChart = fc.record({
    interval: fc.constantFrom('1m', '7m', '30m', '45m', '2h', '4h', '6h', '1d', '1w'),
    align: fc.constantFrom('utc', 'ny', 'Europe/London', 'Asia/Kolkata', 'Australia/Lord_Howe'),
  });
  const anyTime = fc.integer({ min: Date.UTC(2001, 0, 1), max: NOW - 30 * DAY_MS });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...SYMBOLS), anyChart, anyTime, async (symbol, names, time) => {
      const chart = parseChart(names);
      const margin = (names.interval === '1w' ? 8 : 2) * DAY_MS;
      const [from, to] = [time, time + margin];
      const page = { symbol, from, to, limit: 10_000, first: 'oldest' as const };
      const { bars, hasMore } = await readChartBars(sources, chart, page);
      expect(hasMore).toBe(false);
      const startOf = (bar: Bar): number => intervalAt(bar.time, chart.interval, chart.day).start;
      const minutes = await minutesOf(symbol, from - margin, to + margin);
      const expected = [...Map.groupBy(minutes, startOf)]
        .filter(([start]) => start >= from && start <= to)
        .map(([start, inside]) => aggregateBars(start, inside)!);
      expect(bars.map(exact)).toEqual(expected.map(exact));
    }),
    { numRuns: 20 },
  );
});

/** The least computing of several runs: the first ones are interpreted, and garbage of earlier tests may be collected in any. */
async function leastComputing(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run++) {
    const before = computed();
    await work();
    least = Math.min(least, computed() - before);
  }
  return least;
}

test('five years of days are read in one page, without their minutes', async () => {
  let drawn = 0;
  const countedBars = (range: BarRange): Promise<Bar[]> => {
    drawn++;
    return store.bars(range);
  };
  const chart = parseChart({ interval: '1d', align: 'utc' });
  const page = { symbol: EURUSD, from: Date.UTC(2021, 0, 1), to: NOW, limit: 10_000, first: 'oldest' as const };
  const read = () => {
    drawn = 0;
    const counted = { ...store, bars: countedBars };
    const source = new SimBarSource({ store: counted, instruments: CATALOGUE, now: () => NOW });
    return readChartBars({ ...sources, store: source }, chart, page);
  };
  const { bars } = await read();
  expect(bars.length).toBeGreaterThan(5 * 300);
  expect(drawn).toBeLessThan(30);
  // A month of minutes costs more than five years of days.
  expect(await leastComputing(read)).toBeLessThan(
    await leastComputing(() => minutesOf(EURUSD, NOW - 60 * DAY_MS, NOW - 30 * DAY_MS)),
  );
  expect(bars.every(({ time }) => time % DAY_MS === 0)).toBe(true);
  expect(asEpochMs(bars[0]!.time) - Date.UTC(2021, 0, 1)).toBeLessThan(4 * DAY_MS + MINUTE_MS);
});
