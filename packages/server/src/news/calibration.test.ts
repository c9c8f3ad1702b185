import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { NewsDetail } from '@tickwire/contract';
import { asEpochMs, asSymbol, DAY_MS, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { news } from '../../testing/store/news-samples.fixture.ts';
import { bar, EURUSD, MONDAY, XAUUSD } from '../../testing/store/samples.fixture.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { measureMoves } from './calibration.ts';

const BTCUSD = asSymbol('BTCUSD');
const known = new Set([EURUSD, XAUUSD, BTCUSD]);
/** All horizons have passed by then. */
const LATER = MONDAY + 600 * MINUTE_MS;
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

/** Minute bars with these closes from a minute of Monday on; null: a minute without a bar. */
async function closes(symbol: MarketSymbol, first: number, prices: readonly (number | null)[]): Promise<void> {
  const bars = prices.flatMap((close, index) =>
    close === null
      ? []
      : [
          bar({
            symbol,
            time: asEpochMs(MONDAY + (first + index) * MINUTE_MS),
            close,
            high: close,
            open: close,
            low: close,
          }),
        ],
  );
  await store.market.write({ bars, prices: [], barsUntil: LATER });
}
const gold = (id: string, minute: number, changes: Partial<NewsDetail> = {}) =>
  news(id, minute, { category: 'gold', symbols: ['XAUUSD'], sentiment: 'bullish', ...changes });
const measure = (now = LATER, symbols: ReadonlySet<MarketSymbol> = known): Promise<number> =>
  measureMoves({ news: store.news, market: store.market, symbols }, now);
const rows = async () =>
  (await store.news.calibration()).rows.map(({ horizonMinutes, items, hits, averagePercent }) => [
    horizonMinutes,
    items,
    hits,
    Math.round(averagePercent! * 1e6) / 1e6,
  ]);

describe('the market move after an item', () => {
  test('goes from the last close when the item was seen to the last close at each horizon', async () => {
    await store.news.put([gold('a', 10)]);
    // Bar 9 is the last that had closed at minute 10: the price then was 100.
    await closes(XAUUSD, 5, [90, 91, 92, 93, 100, 400]);
    await closes(XAUUSD, 24, [101, 500]);
    await closes(XAUUSD, 69, [98, 500]);
    await closes(XAUUSD, 249, [110, 500]);
    expect(await measure()).toBe(3);
    expect(await rows()).toEqual([
      [15, 1, 1, 1],
      [60, 1, 0, -2],
      [240, 1, 1, 10],
    ]);
  });

  test('is measured once per horizon, after its bars are stored', async () => {
    await store.news.put([gold('a', 10)]);
    await closes(XAUUSD, 0, Array(300).fill(100));
    const at = (minute: number): number => MONDAY + minute * MINUTE_MS;
    expect(await measure(at(27))).toBe(0);
    expect(await measure(at(27) + 1)).toBe(1);
    expect(await measure(at(28))).toBe(0);
    expect(await measure(at(72) + 1)).toBe(1);
    expect(await measure(at(252) + 1)).toBe(1);
    expect(await measure(LATER)).toBe(0);
    expect(await rows()).toEqual([15, 60, 240].map((horizon) => [horizon, 1, 0, 0]));
  });

  test('is not measured in a closed market, and not tried again', async () => {
    await store.news.put([gold('a', 10), gold('b', 100)]);
    // Closed at minute 4: five minutes old, the oldest that counts; b finds nothing, and neither has a price later.
    await closes(XAUUSD, 0, [1, 1, 1, 1, 100]);
    await closes(XAUUSD, 19, [103]);
    expect(await measure()).toBe(6);
    expect(await rows()).toEqual([[15, 1, 1, 3]]);
    expect(await measure()).toBe(0);
  });

  test('is not measured if the price is older than five minutes', async () => {
    await store.news.put([gold('a', 10)]);
    await closes(XAUUSD, 3, [100]);
    await closes(XAUUSD, 24, [101]);
    await measure();
    expect(await rows()).toEqual([]);
  });

  test('uses the first catalogue instrument of the item, else the benchmark of its category', async () => {
    for (const [symbol, price] of [
      [EURUSD, 1],
      [XAUUSD, 2],
      [BTCUSD, 4],
    ] as const)
      await closes(symbol, 0, [100, ...Array(14).fill(100), 100 + price, ...Array(5).fill(100 + price)]);
    await store.news.put([
      gold('a', 1, { symbols: ['NOSUCH', 'EURUSD', 'BTCUSD'], model: 'named' }),
      gold('b', 1, { symbols: [], model: 'gold' }),
      gold('c', 1, { symbols: ['NOSUCH'], category: 'crypto', model: 'crypto' }),
      gold('d', 1, { symbols: [], category: 'forex', model: 'forex' }),
      gold('e', 1, { symbols: [], category: 'macro', model: 'macro' }),
    ]);
    expect(await measure()).toBe(15);
    const found = (await store.news.calibration()).rows.map(({ model, averagePercent }) => [model, averagePercent]);
    expect(found).toEqual([
      ['crypto', 4],
      ['gold', 2],
      ['named', 1],
    ]);
  });

  test('is not measured for old news', async () => {
    await closes(XAUUSD, 0, Array(300).fill(100));
    await store.news.put([
      { ...gold('fresh', 10), seenAt: MONDAY + 25 * MINUTE_MS },
      { ...gold('old', 10), seenAt: MONDAY + 25 * MINUTE_MS + 1 },
    ]);
    expect(await measure()).toBe(6);
    expect((await rows()).map(([, items]) => items)).toEqual([1, 1, 1]);
  });

  test('is not measured if the service was down for more than a day', async () => {
    await store.news.put([gold('a', 10)]);
    await closes(XAUUSD, 0, Array(300).fill(100));
    const end = MONDAY + (10 + 240 + 2) * MINUTE_MS + DAY_MS;
    expect(await measure(end + 1)).toBe(0);
    // Its last horizon is still within a day, to the millisecond.
    expect(await measure(end)).toBe(1);
  });

  test('is measured in batches of 500, oldest first', async () => {
    await store.news.put(Array.from({ length: 700 }, (_, index) => gold(`n${index}`, 10 + (index % 7))));
    await closes(XAUUSD, 0, Array(300).fill(100));
    expect([await measure(), await measure(), await measure()]).toEqual([1_500, 600, 0]);
  });

  test('counts for the model and label that the item has when it is measured', async () => {
    await closes(XAUUSD, 0, Array(300).fill(100));
    await store.news.put([gold('a', 10, { model: 'm-1' })]);
    await measure(MONDAY + 30 * MINUTE_MS);
    await store.news.put([gold('a', 10, { model: 'm-2', sentiment: 'bearish', revision: 1 })]);
    await measure();
    const found = (await store.news.calibration()).rows;
    expect(found.map(({ model, sentiment, horizonMinutes }) => `${model} ${sentiment} ${horizonMinutes}`)).toEqual([
      'm-1 bullish 15',
      'm-2 bearish 60',
      'm-2 bearish 240',
    ]);
  });
});
