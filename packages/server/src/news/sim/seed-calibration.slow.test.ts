// The calibration of a new store, filled from simulated history.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { NewsCalibration } from '@tickwire/contract';
import { asEpochMs, type Bar, CATALOGUE, DAY_MS, MINUTE_MS } from '@tickwire/engine';
import { eventually } from '../../../testing/process.fixture.ts';
import { startService, temporaryFolder } from '../../../testing/service.fixture.ts';
import { minuteBar } from '../../../testing/store/samples.fixture.ts';
import { SimMarket } from '../../market/feeds/sim/sim-market.ts';
import type { BarRange } from '../../store/market-store.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../store/store.ts';
import { type SeedCalibrationOptions, seedCalibration } from './seed-calibration.ts';

const NOW = Date.UTC(2026, 4, 20, 10);
const market = new SimMarket(CATALOGUE, { seed: 7, rate: 50, hours: 'always' });
let store: Store;
beforeAll(() => {
  store = openSqliteStore({ folder: temporaryFolder(), realm: 'sim', exclusive: true });
});
afterAll(() => store.close());

/** Minutes of the path itself. */
const bars = async ({ symbol, from, to }: BarRange): Promise<Bar[]> => {
  const found: Bar[] = [];
  for (let time = Math.ceil(from / MINUTE_MS) * MINUTE_MS; time <= to; time += MINUTE_MS)
    found.push({ ...minuteBar(0), time: asEpochMs(time), close: market.midPrice(symbol, asEpochMs(time + MINUTE_MS)) });
  return found;
};
const asked: string[] = [];
const options = (signal = new AbortController().signal): SeedCalibrationOptions => ({
  market,
  instruments: CATALOGUE,
  models: {
    list: () => [{ id: 'local', kind: 'local', tasks: [], available: true, version: '1', default: true }],
    score: async (requests, { model } = {}) => {
      asked.push(model!);
      return requests.map(({ text }) => {
        const up = /\b(up|climbs|surges|high|Buyers|gain|above|Rally|Gains|higher|strength|firms)\b/.test(text);
        return { sentiment: up ? 'bullish' : 'bearish', score: up ? 1 : -1, model: 'local', certainty: null } as const;
      });
    },
  } as SeedCalibrationOptions['models'],
  news: store.news,
  numbers: store.market,
  history: { bars },
  now: () => NOW,
  days: 4,
  signal,
});

test('measures headlines of the past by the local model, once, and continues after an interruption', async () => {
  const stop = new AbortController();
  const { putMeasured } = store.news;
  let days = 0;
  const interrupted = options(stop.signal);
  const news = {
    ...store.news,
    putMeasured: (moves: Parameters<typeof putMeasured>[0]) => {
      if (++days === 2) stop.abort();
      return putMeasured(moves);
    },
  };
  expect(await seedCalibration({ ...interrupted, news })).toBeGreaterThan(100);
  expect(days).toBe(2);
  const part = await store.news.calibration();
  expect(part.since).toBeGreaterThanOrEqual(Date.UTC(2026, 4, 18));

  expect(await seedCalibration(options())).toBeGreaterThan(300);
  expect(new Set(asked)).toEqual(new Set(['local']));
  const { rows, since } = await store.news.calibration();
  expect(since).toBeWithin(NOW - 5 * DAY_MS, NOW - 3 * DAY_MS);
  expect(new Set(rows.map(({ category }) => category)).size).toBeGreaterThanOrEqual(3);
  expect(new Set(rows.map(({ horizonMinutes }) => horizonMinutes))).toEqual(new Set([15, 60, 240]));
  const items = rows.reduce((sum, row) => sum + row.items, 0);
  expect(items).toBeWithin(400, 4 * 96 * 3 + 1);

  expect(await seedCalibration(options())).toBe(0);
  expect((await store.news.calibration()).rows).toEqual(rows);
});

test('leaves a store alone that has measured moves of its own', async () => {
  const numbers = { number: async () => undefined, setNumber: async () => {} };
  expect(await seedCalibration({ ...options(), numbers })).toBe(0);
});

test('a new service shows the accuracy of sentiment soon after it was asked for the first time', async () => {
  const service = await startService({ sim_rate: '50', news: 'sim' });
  const { key } = await service.key();
  const read = async (): Promise<NewsCalibration> => {
    const response = await fetch(`${service.url}/api/news/calibration`, { headers: { 'X-API-Key': key } });
    expect(response.headers.get('data-source')).toBe('simulated');
    return NewsCalibration.parse(await response.json());
  };
  const { news, market } = service.app.store;
  await eventually('the plan', async () => (await market.number('calibration_seed_first_day')) !== undefined, 60_000);
  expect((await news.calibration()).since).toBeNull();
  expect(await read()).toMatchObject({ items: [], since: null });
  await eventually('the first day', async () => (await news.calibration()).since !== null, 60_000);
  const { items, since } = await read();
  expect(items.length).toBeGreaterThan(3);
  expect(Date.parse(since!)).toBeLessThan(Date.now() - 3_600_000);
  const started = performance.now();
  await service.stop();
  expect(performance.now() - started).toBeLessThan(15_000);
});
