import { afterEach, beforeEach, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { temporaryFolder } from '../../../../testing/service.fixture.ts';
import { startSingleProcess } from '../../../app/single-process.ts';
import { loadConfig } from '../../../config/config.ts';
import { silentLog } from '../../../ops/log.ts';
import { openSqliteStore } from '../../../store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../../store/store.ts';
import { noiseOfSeed } from './seed-keys.ts';
import { simSeed } from './sim-seed.ts';

let folder: string;
let store: Store;
beforeEach(() => {
  folder = temporaryFolder();
  store = openSqliteStore({ folder, realm: 'sim', exclusive: false });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a new store gets a random seed and keeps it', async () => {
  const seed = await simSeed(store.market, null);
  // Too long to try all of them against observed prices.
  expect(Number.isInteger(seed) && seed >= 2 ** 32 && Number.isSafeInteger(seed)).toBe(true);
  expect(await simSeed(store.market, null)).toBe(seed);
  expect(await simSeed(store.market, seed)).toBe(seed);
  const refused = await simSeed(store.market, 3).catch((error: Error) => error.message);
  expect(refused).toContain('TICKWIRE_SIM_SEED is 3');
  // It is a secret.
  expect(refused).not.toContain(String(seed));
});

test('a new store gets the configured seed', async () => {
  expect(await simSeed(store.market, 7)).toBe(7);
  expect(await simSeed(store.market, null)).toBe(7);
  await expect(simSeed(store.market, 8)).rejects.toThrow('started with 7: use that seed');
});

test('two installations with default settings have different prices', async () => {
  const seeds: unknown[] = [];
  for (let count = 0; count < 2; count++) {
    const data = temporaryFolder();
    const config = loadConfig({ flags: { data, port: '0', metrics_port: 'off', news: 'none' }, env: {}, cwd: data });
    expect(config.sim_seed).toBeNull();
    const app = await startSingleProcess(config, silentLog);
    seeds.push(await app.store.market.number('sim_seed'));
    await app.stop();
    rmSync(data, { recursive: true, force: true });
  }
  expect(seeds[0]).toBeNumber();
  expect(seeds[0]).not.toBe(seeds[1]);
});

test('the keys of every seed are unrelated to each other and to those of other seeds', () => {
  const names = ['USD', 'EUR', 'ticks:EURUSD', 'news'];
  const firstWords = (seed: number): number[] => names.map((name) => noiseOfSeed(seed).named(name).draw(0).a);
  const long = 2 ** 40 + 7;
  expect(firstWords(long)).toEqual(firstWords(long));
  expect(new Set([7, long, long + 1, long + 2 ** 32].flatMap(firstWords)).size).toBe(4 * names.length);
});
