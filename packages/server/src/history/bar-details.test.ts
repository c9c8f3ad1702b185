import { expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asEpochMs, type Bar, CATALOGUE, DAY_MS, HOUR_MS, type InstrumentSpec, MINUTE_MS } from '@tickwire/engine';
import { newFolder, withStore } from '../../testing/import/store-dump.fixture.ts';
import { runImport } from '../import/run-import.ts';
import { MarketView } from '../market/market-view.ts';
import type { BarRange } from '../store/store.ts';
import { BarDetailReader } from './bar-details.ts';
import { LATEST, parseChart, readChartBars } from './chart-reader.ts';

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
  view.read({ firstSeq: 1, source: 'test', events: [{ kind: 'clock', time: asEpochMs(DAY + 30 * DAY_MS) }] });
  const store = {
    bars: async ({ from, to }: BarRange) => minutes.filter((time) => time >= from && time <= to).map(barAt),
    histograms: async () => [],
    watched: async () => watched.map(([from, to]) => ({ from, to })),
  };
  const sources = { store, view, generate: null, simulated: false, alwaysOpen: false };
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
    view.read({ firstSeq: 1, source: 'test', events: [{ kind: 'clock', time: asEpochMs(DAY + DAY_MS) }] });
    const sources = { store, view, generate: null, simulated: false, alwaysOpen: false };
    const chart = parseChart({ interval: '1h', align: 'utc' });
    const range = { symbol: EURUSD.symbol, from: 0, to: LATEST, limit: 10, first: 'oldest' } as const;
    const { bars } = await readChartBars(sources, chart, range);
    const detailed = await new BarDetailReader(sources, EURUSD, chart, ['unrecorded_minutes']).read(bars);
    expect(detailed.map(({ unrecordedMinutes }) => unrecordedMinutes)).toEqual([0, 30, 0, 0]);
  });
  rmSync(folder, { recursive: true, force: true });
});
