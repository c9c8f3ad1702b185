// The lifetime of a session, on a clock that the test controls.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { TIERS } from '@tickwire/contract';
import { DAY_MS, HOUR_MS } from '@tickwire/engine';
import { withAccessStore } from '../../testing/access.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { silentLog } from '../ops/log.ts';
import type { Account } from '../store/account-store.ts';
import { openSqliteAccessStore } from '../store/sqlite/open-sqlite-store.ts';
import type { AccessStore } from '../store/store.ts';
import { Keyring } from './keyring.ts';
import { hashToken } from './sessions.ts';

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
  ({ access: store, close } = openSqliteAccessStore(folder));
  ada = await store.register({ name: 'Ada', tier: 'pro', password: 'p', owner: false, invitation: null, at: now });
  const sessionFields = { createdAt: now, seenAt: now, browser: 'Firefox', address: '192.0.2.1' };
  await store.addSession({ id: 'ses_1', accountId: ada.id, hash: hashToken('token'), ...sessionFields });
  keyring = await load();
});
afterEach(() => {
  close();
  rmSync(folder, { recursive: true, force: true });
});

const caller = (ring = keyring) => ring.sessions.authenticate('token', now);

describe('a session', () => {
  const use = async (): Promise<void> => {
    keyring.takeRequest(caller()!, now);
    await keyring.save();
  };

  test('ends 12 hours after its last use, also across a restart', async () => {
    now += 11 * HOUR_MS;
    await use();
    now += 11 * HOUR_MS;
    expect(caller()).not.toBeNull();
    const restarted = await load();
    expect(caller(restarted)).not.toBeNull();
    now += 1 * HOUR_MS;
    expect([caller(), caller(restarted)]).toEqual([null, null]);
    expect(restarted.sessions.expired(now)).toEqual(['ses_1']);
  });

  test('ends 30 days after the sign-in, however much it is used, also across a restart', async () => {
    for (let hours = 11; hours < 30 * 24; hours += 11) {
      now = START + hours * HOUR_MS;
      await use();
    }
    const restarted = await load();
    now = START + 30 * DAY_MS - 1;
    expect([caller() === null, caller(restarted) === null]).toEqual([false, false]);
    now++;
    expect([caller(), caller(restarted)]).toEqual([null, null]);
  });

  test('of an earlier run, unused for 12 hours or started 30 days ago, has ended', async () => {
    const sessionFields = { accountId: ada.id, browser: 'Firefox', address: '192.0.2.1' };
    const old = [
      { id: 'ses_idle', hash: hashToken('idle'), createdAt: now - 2 * DAY_MS, seenAt: now - 12 * HOUR_MS },
      { id: 'ses_old', hash: hashToken('old'), createdAt: now - 30 * DAY_MS, seenAt: now },
      { id: 'ses_good', hash: hashToken('good'), createdAt: now - 29 * DAY_MS, seenAt: now - 11 * HOUR_MS },
    ];
    for (const session of old) await store.addSession({ ...session, ...sessionFields });
    const { sessions } = await load();
    const open = ['idle', 'old', 'good'].filter((token) => sessions.authenticate(token, now) !== null);
    expect([open, sessions.expired(now).sort()]).toEqual([['good'], ['ses_idle', 'ses_old']]);
  });

  test('can be configured to live longer or shorter', async () => {
    const short = new Keyring({
      store,
      tiers: TIERS,
      log: silentLog,
      now: () => now,
      sessionLifetime: { maxMs: 2 * HOUR_MS, idleMs: HOUR_MS },
    });
    await short.load();
    now += HOUR_MS - 1;
    short.takeRequest(caller(short)!, now);
    now += HOUR_MS - 1;
    expect(caller(short)).not.toBeNull();
    now += 2;
    expect(caller(short)).toBeNull();
  });

  test('stays open on a gateway that does not see its uses, once it has read them from the store', async () => {
    now += 11 * HOUR_MS;
    await withAccessStore(folder, (other) => other.saveSeen([{ id: 'ses_1', at: now }]));
    keyring.sessions.applyUses(await store.sessions());
    now += 11 * HOUR_MS;
    expect(caller()).not.toBeNull();
    expect(keyring.sessions.expired(now)).toEqual([]);
  });

  test('is not extended by authentication alone', async () => {
    now += 11 * HOUR_MS;
    expect(caller()).not.toBeNull();
    await keyring.save();
    now += 2 * HOUR_MS;
    expect(caller()).toBeNull();
  });

  test('saves its last use at most once a minute', async () => {
    const seen = async (): Promise<number> => (await store.sessions())[0]!.seenAt - START;
    for (const later of [1_000, 2_000, 59_000]) {
      now = START + later;
      keyring.takeRequest(caller()!, now);
      await keyring.save();
    }
    expect(await seen()).toBe(1_000);
    now = START + 61_500;
    keyring.takeRequest(caller()!, now);
    await keyring.save();
    expect(await seen()).toBe(61_500);
  });

  test('becomes invalid for open streams when another process ends it', async () => {
    const held = caller()!;
    await withAccessStore(folder, (other) => other.endSessions(['ses_1']));
    expect(await keyring.refresh()).toBe(true);
    expect([held.valid, caller()]).toEqual([false, null]);
  });

  test('is invalid while its account is disabled', async () => {
    const held = caller()!;
    await withAccessStore(folder, (other) => other.setDisabled(ada.id, now));
    await keyring.refresh();
    expect([held.valid, caller()]).toEqual([false, null]);
  });

  test('counts requests against its own quota, and AI calls against its account', async () => {
    const held = caller()!;
    for (let count = 0; count < 120; count++) expect(keyring.takeRequest(held, now)).toBe(true);
    expect(keyring.takeRequest(held, now)).toBe(false);
    const account = keyring.account('ada')!;
    expect([account.quota.requests.remaining(now), held.account === account]).toEqual([120, true]);
    account.aiDay = now - (now % DAY_MS);
    account.aiCalls = 7;
    expect(held.account.aiCallsUsed(now)).toBe(7);
    expect([held.quota.requests.limit, held.quota.maxStreams]).toEqual([120, 5]);
    expect(held.account.tier).toEqual(TIERS.pro!);
  });

  test('records its usage for the account, and keeps it if the store fails', async () => {
    keyring.takeRequest(caller()!, now);
    const { addUsage } = store;
    store.addUsage = () => Promise.reject(new Error('full'));
    await expect(keyring.usage.flush(now)).rejects.toThrow('full');
    store.addUsage = addUsage;
    keyring.takeRequest(caller()!, now);
    await keyring.usage.flush(now);
    expect(await store.usageOf(ada.id, HOUR_MS, 0)).toMatchObject([{ keyId: '', requests: 2 }]);
  });
});

test('retries a refresh that failed', async () => {
  const { changesSince } = store;
  await withAccessStore(folder, (other) => other.rename(ada.id, 'Grace', now));
  store.changesSince = () => Promise.reject(new Error('locked'));
  await expect(keyring.refresh()).rejects.toThrow('locked');
  store.changesSince = changesSince;
  expect(await keyring.refresh()).toBe(true);
  expect(keyring.account('grace')).toBeDefined();
});
