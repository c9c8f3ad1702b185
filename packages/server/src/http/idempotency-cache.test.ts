// An account cannot fill the store with idempotency keys.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { makeKey, temporaryFolder } from '../../testing/service.fixture.ts';
import { openSqliteAccessStore } from '../store/sqlite/open-sqlite-store.ts';
import { IdempotencyCache } from './idempotency-cache.ts';

const folder = temporaryFolder();
let store: ReturnType<typeof openSqliteAccessStore>;
let account: number;
let other: number;
beforeAll(async () => {
  account = (await makeKey(folder, 'free', ['read'])).account.id;
  other = (await makeKey(folder, 'free', ['read'])).account.id;
  store = openSqliteAccessStore(folder);
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

test('keeps the newest keys of each account', async () => {
  let now = Date.now();
  const cache = new IdempotencyCache(store.access, () => now++, 100);
  const hash = new Uint8Array(32);
  const run = (id: number, key: string): Promise<string> => cache.once(id, key, hash, async () => `"first ${key}"`);
  await run(other, 'of another account');
  for (let count = 0; count < 500; count++) await run(account, `key ${count}`);
  const kept = async (id: number, key: string): Promise<boolean> =>
    (await store.access.idempotentResponse(id, key, 0)) !== undefined;
  const all = await Promise.all(Array.from({ length: 500 }, (_, at) => kept(account, `key ${at}`)));
  expect(all.filter(Boolean).length).toBeWithin(100, 106);
  expect(all.lastIndexOf(false)).toBeLessThan(all.indexOf(true));
  expect(await kept(other, 'of another account')).toBe(true);
  expect(await run(account, 'key 499')).toBe('"first key 499"');
});
