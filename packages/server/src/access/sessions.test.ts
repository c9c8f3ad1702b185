// How long a session lives, on a clock that the test moves.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { TIERS } from '@tickwire/contract';
import { silentLog } from '../ops/log.ts';
import { openAccessStore } from '../store/sqlite/open.ts';
import type { AccessStore, Account } from '../store/store.ts';
import { beside } from '../testing/access.fixture.ts';
import { temporaryFolder } from '../testing/service.fixture.ts';
import { Keyring } from './keyring.ts';
import { hashToken } from './sessions.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 2, 2);

let folder: string;
let store: AccessStore;
let close: () => void;
let now: number;
let ada: Account;
let keyring: Keyring;
const load = async (): Promise<Keyring> => {
  const loaded = new Keyring({ store, tiers: TIERS, log: silentLog, now: () => now });
  await loaded.load();
  return loaded;
};
beforeEach(async () => {
  now = START;
  folder = temporaryFolder();
  ({ access: store, close } = openAccessStore(folder));
  ada = await store.register({ name: 'Ada', tier: 'pro', password: 'p', owner: false, invitation: null, at: now });
  const sight = { createdAt: now, seenAt: now, browser: 'Firefox', address: '192.0.2.1' };
  await store.addSession({ id: 'ses_1', accountId: ada.id, hash: hashToken('token'), ...sight });
  keyring = await load();
});
afterEach(() => {
  close();
  rmSync(folder, { recursive: true, force: true });
});

const caller = (ring = keyring) => ring.sessions.authenticate('token', now);

describe('a session', () => {
  test('lives for thirty days after it was last seen, over a restart too', async () => {
    now += 29 * DAY;
    keyring.take(caller()!, now);
    await keyring.save();
    now += 29 * DAY;
    expect(caller()).not.toBeNull();
    const restarted = await load();
    expect(caller(restarted)).not.toBeNull();
    now += 1 * DAY;
    expect([caller(), caller(restarted)]).toEqual([null, null]);
    expect(restarted.sessions.expired(now)).toEqual(['ses_1']);
  });

  test('is not seen by being looked at', async () => {
    now += 29 * DAY;
    expect(caller()).not.toBeNull();
    await keyring.save();
    now += 2 * DAY;
    expect(caller()).toBeNull();
  });

  test('is written down once a minute at most', async () => {
    const seen = async (): Promise<number> => (await store.sessions())[0]!.seenAt - START;
    for (const later of [1_000, 2_000, 59_000]) {
      now = START + later;
      keyring.take(caller()!, now);
      await keyring.save();
    }
    expect(await seen()).toBe(1_000);
    now = START + 61_500;
    keyring.take(caller()!, now);
    await keyring.save();
    expect(await seen()).toBe(61_500);
  });

  test('that another process ends is over for whoever holds it', async () => {
    const held = caller()!;
    await beside(folder, (other) => other.endSessions(['ses_1']));
    expect(await keyring.refresh()).toBe(true);
    expect([held.valid, caller()]).toEqual([false, null]);
  });

  test('is out while its account is disabled', async () => {
    const held = caller()!;
    await beside(folder, (other) => other.setDisabled(ada.id, now));
    await keyring.refresh();
    expect([held.valid, caller()]).toEqual([false, null]);
  });

  test('counts requests for itself, and AI calls for its account', async () => {
    const held = caller()!;
    for (let count = 0; count < 600; count++) expect(keyring.take(held, now)).toBe(true);
    expect(keyring.take(held, now)).toBe(false);
    const account = keyring.account('ada')!;
    expect([account.minute.remaining(now), held.account.holder === account]).toEqual([120, true]);
    account.aiDay = now - (now % DAY);
    account.aiCalls = 7;
    expect(held.account.aiCallsUsed(now)).toBe(7);
    expect(held.account.tier).toEqual({ requests_per_minute: 600, streams: 10, ai_calls_per_day: 20 });
  });

  test('what it used is written down for the account, and kept where the store fails', async () => {
    keyring.take(caller()!, now);
    const { addUsage } = store;
    store.addUsage = () => Promise.reject(new Error('full'));
    await expect(keyring.history.flush(now)).rejects.toThrow('full');
    store.addUsage = addUsage;
    keyring.take(caller()!, now);
    await keyring.history.flush(now);
    expect(await store.usageOf(ada.id, 3_600_000, 0)).toMatchObject([{ keyId: '', requests: 2 }]);
  });
});

test('a look that failed is repeated', async () => {
  const { accounts } = store;
  await beside(folder, (other) => other.rename(ada.id, 'Grace', now));
  store.accounts = () => Promise.reject(new Error('locked'));
  await expect(keyring.refresh()).rejects.toThrow('locked');
  store.accounts = accounts;
  expect(await keyring.refresh()).toBe(true);
  expect(keyring.account('grace')).toBeDefined();
});
