import { afterEach, beforeEach, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { asEpochMs, asSymbol, type Bar, CATALOGUE, DAY_MS, MINUTE_MS, type TradeEvent } from '@tickwire/engine';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { silentLog } from '../ops/log.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { encodeBlock } from '../store/tape-block.ts';
import { HistogramFill } from './histogram-fill.ts';

const BTCUSD = asSymbol('BTCUSD');
const SPEC = CATALOGUE.find(({ symbol }) => symbol === BTCUSD)!;
const DAY = Date.UTC(2026, 10, 10);

let folder: string;
let store: Store;
beforeEach(() => {
  folder = temporaryFolder();
  store = openSqliteStore({ folder, realm: 'live', exclusive: true });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const trade = (time: number, price: number, side: 'buy' | 'sell'): TradeEvent => ({
  kind: 'trade',
  symbol: BTCUSD,
  time: asEpochMs(time),
  price,
  size: 2,
  side,
  sideMethod: null,
});

/** A minute with a bought and a sold trade. `volume`: that of its bar. */
async function record(time: number, volume = 4): Promise<void> {
  const records = [trade(time + 1, 100, 'buy'), trade(time + 2, 101, 'sell')].map((event, seq) => ({
    seq: time + seq,
    event,
    source: 'test',
  }));
  const bytes = encodeBlock(records, time, SPEC.digits);
  const block = {
    symbol: BTCUSD,
    minute: asEpochMs(time),
    firstSeq: time,
    count: 2,
    bidVolume: 2,
    askVolume: 2,
    bytes,
  };
  await store.market.writeTape([block]);
  const [open, high, low, close] = [100, 101, 100, 101];
  const bar: Bar = {
    time: asEpochMs(time),
    open,
    high,
    low,
    close,
    volume,
    bidVolume: 2,
    askVolume: volume - 2,
    basis: 'trade',
  };
  const bars = [{ ...bar, symbol: BTCUSD, timeframe: '1m' }];
  await store.market.writeImported({ bars, prices: [], numbers: {}, days: [], watched: [] });
}

const fill = (now: number) =>
  new HistogramFill({ store: store.market, instruments: [SPEC], tapeDays: 14, log: silentLog, now: () => now });
const minutes = async (): Promise<number[]> =>
  (await store.market.histograms([BTCUSD], 0, DAY + DAY_MS)).map(({ time }) => (time - DAY) / MINUTE_MS);

test('fills minutes whose trades are on the tape and add up to the bar, once', async () => {
  await record(DAY);
  await record(DAY + 90 * MINUTE_MS);
  await record(DAY + 91 * MINUTE_MS, 9);
  const first = fill(DAY + 2 * DAY_MS);
  for (let step = 0; step < 3; step++) await first.step();
  expect(await minutes()).toEqual([0, 90]);
  const [histogram] = await store.market.histograms([BTCUSD], DAY, DAY + MINUTE_MS);
  expect(histogram).toMatchObject({ trades: 2, turnover: 402 });
  expect(histogram!.levels.map(({ buy, sell }) => [buy, sell])).toEqual([
    [2, 0],
    [0, 2],
  ]);
  // A later start does nothing.
  await record(DAY + 200 * MINUTE_MS);
  const second = fill(DAY + 2 * DAY_MS);
  for (let step = 0; step < 3; step++) await second.step();
  expect(await minutes()).toEqual([0, 90]);
});

test('leaves days that the tape keeps only because they were imported', async () => {
  await record(DAY);
  const filling = fill(DAY + 15 * DAY_MS);
  for (let step = 0; step < 3; step++) await filling.step();
  expect(await minutes()).toEqual([]);
});
