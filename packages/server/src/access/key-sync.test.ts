// A key that a command has created is accepted at once, also by a service that is just starting.
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { eventually } from '../../testing/process.fixture.ts';
import { startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { loadConfig } from '../config/config.ts';
import { silentLog } from '../ops/log.ts';
import { Timers } from '../ops/timers.ts';
import { openSqliteAccessStore } from '../store/sqlite/open-sqlite-store.ts';
import { createAccount, issueKey } from './issue-key.ts';
import { KeySync } from './key-sync.ts';
import { Keyring } from './keyring.ts';
import { waitForKeySync } from './wait-for-key-sync.ts';

const WAIT_MS = 60_000;

let folder: string;
let service: ReturnType<typeof openSqliteAccessStore>;
let command: ReturnType<typeof openSqliteAccessStore>;
let keyring: Keyring;
let sync: KeySync;
beforeEach(async () => {
  folder = temporaryFolder();
  service = openSqliteAccessStore(folder);
  command = openSqliteAccessStore(folder);
  const { tiers } = loadConfig({ flags: {}, env: {}, cwd: folder });
  keyring = new Keyring({ store: service.access, tiers, log: silentLog, now: Date.now });
  await keyring.load();
  sync = new KeySync(service.access, keyring);
});
afterEach(() => {
  service.close();
  command.close();
  rmSync(folder, { recursive: true, force: true });
});

async function createKey(): Promise<string> {
  const by = { store: command.access, actor: 'test', now: Date.now() };
  const account = await createAccount(by, 'Ada', 'free', true);
  const { key } = await issueKey(by, { name: 'Ada', scopes: ['read'], expiresAt: null, account });
  return key;
}
const isAccepted = (key: string): boolean => keyring.authenticate(key, Date.now()) !== null;

test('a service has the keys that were created while it started', async () => {
  const key = await createKey();
  // Nothing to wait for: the service has not reported yet.
  expect(await waitForKeySync(command.access, WAIT_MS)).toBe(true);
  expect(isAccepted(key)).toBe(false);
  await sync.join();
  expect(isAccepted(key)).toBe(true);
});

test('a command waits for a service that accepts requests but has not refreshed yet', async () => {
  await sync.join();
  const key = await createKey();
  let waited = false;
  const behind = spyOn(command.access, 'servicesBehind');
  const waiting = waitForKeySync(command.access, WAIT_MS).then((loaded) => {
    waited = true;
    return loaded;
  });
  await eventually('a second look', () => behind.mock.calls.length >= 2);
  expect([waited, isAccepted(key)]).toEqual([false, false]);
  const timers = new Timers(silentLog);
  sync.start(timers, 20);
  expect(await waiting).toBe(true);
  expect(isAccepted(key)).toBe(true);
  await timers.stop();
});

test('a command does not wait for a service that has stopped', async () => {
  await sync.join();
  await createKey();
  expect(await waitForKeySync(command.access, 0)).toBe(false);
  await sync.stop();
  await eventually('nothing to wait for', () => waitForKeySync(command.access, 0));
});

test('the port opens only after that', async () => {
  const order: string[] = [];
  const { serve } = Bun;
  const opening = spyOn(Bun, 'serve').mockImplementation(((options: Parameters<typeof serve>[0]) => {
    order.push('open the port');
    return serve(options);
  }) as typeof serve);
  const joining = spyOn(KeySync.prototype, 'join').mockImplementation(async () => {
    await Bun.sleep(50);
    order.push('load the keys');
  });
  try {
    const app = await startService({ feeds: 'push' });
    await app.stop();
    expect(order).toEqual(['load the keys', 'open the port']);
  } finally {
    opening.mockRestore();
    joining.mockRestore();
  }
});
