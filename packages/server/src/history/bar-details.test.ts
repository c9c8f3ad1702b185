import { expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  asEpochMs,
  type Bar,
  CATALOGUE,
  DAY_MS,
  HOUR_MS,
  type InstrumentSpec,
  type MarketSymbol,
  MINUTE_MS,
} from '@tickwire/engine';
import { newFolder, withStore } from '../../testing/import/store-dump.fixture.ts';
import { runImport } from '../import/run-import.ts';
import { MarketView } from '../market/market-view.ts';
import type { BarRange } from '../store/store.ts';
import { BarDetailReader } from './bar-details.ts';
import { LATEST, parseChart, readChartBars } from './chart-reader.ts';
import { coverageOf } from './coverage.ts';

const EURUSD = CATALOGUE.find(({ symbol }) => symbol === 'EURUSD')!;
const BITCOIN = CATALOGUE.find(({ symbol }) => symbol === 'BTCUSD')!;
/** A Wednesday. */
const DAY = Date.UTC(2026, 2, 4);

const barAt = (time: number): Bar => ({
  time: asEpochMs(time),
  open: 1.1,
  high: 1.1,
  low: 1.1,
  close: 1.1,
  volume: 1,
  bidVolume: 0,
  askVolume: 0,
  basis: 'bid',
});

interface Recorded {
  readonly spec?: InstrumentSpec;
  readonly watched: readonly (readonly [from: number, to: number])[];
  /** Starts of recorded minutes. */
  readonly minutes?: readonly number[];
}

/** Unrecorded minutes of bars that start at the given times. */
async function unrecorded(
  interval: string,
  times: readonly number[],
  { spec = EURUSD, watched, minutes = [] }: Recorded,
): Promise<(number | undefined)[]> {
  const view = new MarketView([spec]);
  const store = {
    bars: async ({ from, to }: BarRange) => minutes.filter((time) => time >= from && time <= to).map(barAt),
    histograms: async () => [],
    watched: async () => watched.map(([from, to]) => ({ from, to })),
    fetched: async () => [],
  };
  const now = (): number => DAY + 30 * DAY_MS;
  const sources = { store, view, generate: null, simulated: false, alwaysOpen: false, now };
  const chart = parseChart({ interval, align: 'utc' });
  const bars = await new BarDetailReader(sources, spec, chart, ['unrecorded_minutes']).read(times.map(barAt));
  return bars.map(({ unrecordedMinutes }) => unrecordedMinutes);
}

test('a bar whose source was connected throughout is complete, however little traded', async () => {
  expect(await unrecorded('1h', [DAY, DAY + HOUR_MS], { watched: [[DAY - HOUR_MS, DAY + 2 * HOUR_MS]] })).toEqual([
    0, 0,
  ]);
});

test('minutes without a connected source count, unless a price was recorded', async () => {
  const watched = [
    [DAY, DAY + 10 * MINUTE_MS],
    [DAY + 30 * MINUTE_MS, DAY + 90 * MINUTE_MS],
  ] as const;
  const minutes = [DAY + 12 * MINUTE_MS, DAY + 13 * MINUTE_MS];
  expect(await unrecorded('1h', [DAY, DAY + HOUR_MS], { watched, minutes })).toEqual([18, 30]);
  expect(await unrecorded('4h', [DAY], { watched, minutes })).toEqual([18 + 150]);
});

test('a bar says whether it was fetched from a venue, in whole or in part, and fetched minutes are recorded ones', async () => {
  const store = {
    bars: async () => [],
    histograms: async () => [],
    watched: async () => [{ from: DAY + 90 * MINUTE_MS, to: DAY + DAY_MS }],
    fetched: async () => [
      { timeframe: '1h' as const, from: DAY - HOUR_MS, to: DAY },
      { timeframe: '1m' as const, from: DAY, to: DAY + 80 * MINUTE_MS },
    ],
  };
  const view = new MarketView([BITCOIN]);
  const sources = { store, view, generate: null, simulated: false, alwaysOpen: true, now: () => DAY + 30 * DAY_MS };
  const bars = [-1, 0, 1, 2].map((hour) => barAt(DAY + hour * HOUR_MS));
  const chart = parseChart({ interval: '1h', align: 'utc' });
  const reader = new BarDetailReader(sources, BITCOIN, chart, ['source', 'unrecorded_minutes']);
  expect((await reader.read(bars)).map(({ source, unrecordedMinutes }) => [source, unrecordedMinutes])).toEqual([
    ['venue', 0],
    ['venue', 0],
    ['mixed', 10],
    [null, 0],
  ]);
});

test('bars fetched at a longer length than those that a bar is made of say nothing about it', async () => {
  const store = {
    bars: async () => [],
    histograms: async () => [],
    watched: async () => [],
    fetched: async () => [{ timeframe: '1h' as const, from: DAY, to: DAY + DAY_MS }],
  };
  const view = new MarketView([BITCOIN]);
  const sources = { store, view, generate: null, simulated: false, alwaysOpen: true, now: () => DAY + 30 * DAY_MS };
  const detailsAt = async (interval: string) => {
    const chart = parseChart({ interval, align: 'utc' });
    const reader = new BarDetailReader(sources, BITCOIN, chart, ['source', 'unrecorded_minutes']);
    return (await reader.read([barAt(DAY)])).map(({ source, unrecordedMinutes }) => [source, unrecordedMinutes]);
  };
  expect(await detailsAt('15m')).toEqual([[null, 15]]);
  expect(await detailsAt('1h')).toEqual([['venue', 0]]);
  expect(await detailsAt('4h')).toEqual([['venue', 0]]);
});

test('closed hours do not count', async () => {
  // The market closes on Friday at 22:00 UTC, 17:00 in New York.
  const friday = DAY + 2 * DAY_MS;
  expect(await unrecorded('1d', [friday], { watched: [[friday, friday + 21 * HOUR_MS]] })).toEqual([60]);
  expect(await unrecorded('1d', [friday], { watched: [[friday, friday + 22 * HOUR_MS]] })).toEqual([0]);
  const watched = [[friday, friday + 21 * HOUR_MS]] as const;
  expect(await unrecorded('1d', [friday], { spec: BITCOIN, watched })).toEqual([180]);
});

test('an import with a hole marks the longer bars that are made of a part of their minutes', async () => {
  const folder = newFolder();
  const file = join(folder, 'EURUSD_M1.csv');
  const minutes = Array.from({ length: 240 }, (_, at) => at).filter((at) => at < 70 || at >= 100);
  const rows = minutes.map((at) => `${new Date(DAY + at * MINUTE_MS).toISOString()},1.1,1.1,1.1,1.1,1`);
  writeFileSync(file, ['time,open,high,low,close,volume', ...rows].join('\n'));
  await withStore(join(folder, 'data'), async ({ market: store }) => {
    await runImport({ files: [file], options: { format: 'auto' }, instrument: EURUSD, instruments: [EURUSD], store });
    const view = new MarketView([EURUSD]);
    const sources = { store, view, generate: null, simulated: false, alwaysOpen: false };
    const range = { symbol: EURUSD.symbol, from: 0, to: LATEST, limit: 10, first: 'oldest' } as const;
    const unrecordedAt = async (interval: string, now: number): Promise<(number | undefined)[]> => {
      const chart = parseChart({ interval, align: 'utc' });
      const { bars } = await readChartBars(sources, chart, range);
      const reader = new BarDetailReader({ ...sources, now: () => now }, EURUSD, chart, ['unrecorded_minutes']);
      return (await reader.read(bars)).map(({ unrecordedMinutes }) => unrecordedMinutes);
    };
    expect(await unrecordedAt('1h', DAY + DAY_MS)).toEqual([0, 30, 0, 0]);
    // A day with four hours of minutes, as the coverage counts them. The current minute is not missing.
    const coverage = { ...sources, venueSymbols: new Set<MarketSymbol>() };
    for (const now of [DAY + DAY_MS, DAY + 8 * HOUR_MS + 30_000]) {
      const { absent } = await coverageOf(coverage, EURUSD, { timeframe: '1m', from: DAY, to: DAY + DAY_MS }, now);
      const missing = absent.reduce((sum, { bars, reason }) => sum + (reason === 'not_recorded' ? bars : 0), 0);
      expect(missing).toBe(now === DAY + DAY_MS ? 30 + 20 * 60 : 30 + 4 * 60);
      expect(await unrecordedAt('1d', now)).toEqual([missing]);
    }
  });
  rmSync(folder, { recursive: true, force: true });
});
