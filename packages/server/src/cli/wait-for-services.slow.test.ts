import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { openSqliteAccessStore } from '../store/sqlite/open-sqlite-store.ts';
import type { AccessStore } from '../store/store.ts';
import { waitForServices } from './wait-for-services.ts';

let folder: string;
let store: AccessStore;
let close: () => void;
const said: string[] = [];
const stderr = spyOn(process.stderr, 'write');
beforeEach(async () => {
  folder = temporaryFolder();
  ({ access: store, close } = openSqliteAccessStore(folder));
  said.length = 0;
  stderr.mockImplementation((text) => said.push(String(text)) > 0);
  await store.createAccount('Ada', 'free', 1);
});
afterEach(() => {
  stderr.mockReset();
  close();
  rmSync(folder, { recursive: true, force: true });
});

const waited = async (maxWaitMs?: number): Promise<number> => {
  const start = performance.now();
  await waitForServices(store, 'the key', maxWaitMs);
  return performance.now() - start;
};

test('does not wait if no service runs, or if it has stopped', async () => {
  expect(await waited()).toBeLessThan(500);
  await store.reportLoaded('srv', 0);
  await store.forgetService('srv');
  expect(await waited()).toBeLessThan(500);
  expect(said).toEqual([]);
});

test('waits until every running service has loaded the change', async () => {
  const position = await store.changePosition();
  await store.reportLoaded('one', position);
  await store.reportLoaded('two', position - 1);
  setTimeout(() => void store.reportLoaded('two', position), 300);
  expect(await waited()).toBeWithin(250, 3_000);
  expect(said).toEqual([]);
});

test('says so if a service does not load the change in time', async () => {
  await store.reportLoaded('srv', 0);
  expect(await waited(200)).toBeWithin(200, 2_000);
  expect(said).toEqual(['A running service has not loaded the key yet. It may reject it for a moment.\n']);
});

test('does not wait for a service that was killed', async () => {
  await store.reportLoaded('srv', 0);
  // It counts as running for three seconds after its last report.
  expect(await waited()).toBeLessThan(4_500);
  expect(said).toEqual([]);
});
