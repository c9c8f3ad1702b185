// The keyring loads only what changed, and ends up with the same content as a keyring that loads everything.
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { TIERS } from '@tickwire/contract';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { StoreError } from '../errors/store-error.ts';
import { silentLog } from '../ops/log.ts';
import type { AccessDelta } from '../store/access-store.ts';
import type { Account } from '../store/account-store.ts';
import { openSqliteAccessStore } from '../store/sqlite/open-sqlite-store.ts';
import type { AccessStore } from '../store/store.ts';
import { createAccount, issueKey, revokeKey, rotateKey } from './issue-key.ts';
import { Keyring } from './keyring.ts';

let folder: string;
let store: AccessStore;
let close: () => void;
let ada: Account;
let keyring: Keyring;
let now = Date.now();
beforeEach(async () => {
  folder = temporaryFolder();
  ({ access: store, close } = openSqliteAccessStore(folder));
  ada = await createAccount(by(), 'Ada', 'free', false);
  keyring = await loaded();
});
afterEach(() => {
  close();
  rmSync(folder, { recursive: true, force: true });
});

const by = () => ({ store, actor: 'test', now: ++now });
const issue = (account: Account = ada) => issueKey(by(), { name: 'key', scopes: ['read'], expiresAt: null, account });
async function loaded(): Promise<Keyring> {
  const made = new Keyring({ store, tiers: TIERS, log: silentLog, now: () => now });
  await made.load();
  return made;
}

/** Everything that callers can see of a keyring. */
const content = (ring: Keyring) => ({
  accounts: ring.accounts().map(({ id, name, tierName, disabled }) => ({ id, name, tierName, disabled })),
  keys: ring.accounts().map((account) => ring.keysOf(account)),
  callers: ring.callers().map(({ keyId, valid, expiresAt, scopes }) => ({ keyId, valid, expiresAt, scopes })),
  sessions: ring.sessions
    .all(now)
    .map(({ record }) => record.id)
    .sort(),
  names: ['ada', 'grace', 'bob', ada.publicId].map((name) => [name, ring.publisherOf(name), ring.nameOf(name)]),
});
const session = (id: string, accountId: number) => ({
  ...{ id, accountId, hash: new TextEncoder().encode(id), createdAt: now, seenAt: now },
  ...{ browser: 'Firefox', address: '192.0.2.1' },
});

describe('changes', () => {
  test('are loaded one by one, with the same result as loading everything', async () => {
    const { accounts, keys, sessions } = store;
    const one = await issue();
    const two = await issue();
    const changes: (() => Promise<unknown>)[] = [
      () => issue(),
      () => revokeKey(by(), one.id),
      () => rotateKey(by(), two.id, 1_000),
      () => store.rename(ada.id, 'Grace', ++now),
      () => store.setTier(ada.id, 'pro'),
      () => store.addSession(session('ses_1', ada.id)),
      () => store.addSession(session('ses_2', ada.id)),
      () => store.endSessions(['ses_1']),
      async () => issue(await createAccount(by(), 'Bob', 'pro', false)),
      () => store.setDisabled(ada.id, now),
      () => store.setDisabled(ada.id, null),
      () => store.purgeKeys(now + 1),
      () => store.deleteAccount(ada.id, ++now),
    ];
    await keyring.reload();
    for (const [at, change] of changes.entries()) {
      await change();
      const everything = await loaded();
      const refuse = () => Promise.reject(new Error('everything was loaded'));
      Object.assign(store, { accounts: refuse, keys: refuse, sessions: refuse });
      await keyring.reload();
      Object.assign(store, { accounts, keys, sessions });
      expect([at, content(keyring)]).toEqual([at, content(everything)]);
    }
  });

  test('a key that moves to another account counts there, and its caller stays', async () => {
    const { key, id } = await issueKey(by(), {
      name: 'demo',
      scopes: ['read'],
      expiresAt: null,
      account: ada,
      demo: true,
    });
    await keyring.reload();
    const caller = keyring.authenticate(key, now)!;
    const bob = await createAccount(by(), 'Bob', 'pro', false);
    expect(await store.moveDemoKeys(bob.id)).toEqual([id]);
    await keyring.reload();
    expect(keyring.authenticate(key, now)).toBe(caller);
    expect([caller.account.name, caller.quota]).toEqual(['Bob', keyring.account('Bob')!.quota]);
    expect(keyring.keysOf(keyring.account('Ada')!)).toEqual([]);
    expect(content(keyring)).toEqual(content(await loaded()));
  });

  test('that are too many or no longer known are loaded together', async () => {
    await keyring.reload();
    for (let count = 0; count < 1_100; count++) await store.setTier(ada.id, count % 2 === 0 ? 'pro' : 'premium');
    const late = await issue();
    await store.forgetChanges();
    expect(await store.changesSince(keyring.position)).toBeNull();
    await keyring.reload();
    expect(keyring.authenticate(late.key, now)).not.toBeNull();
    expect(content(keyring)).toEqual(content(await loaded()));
  });

  test.each(['changesSince', 'sessions'] as const)(
    'that cannot be loaded leave keys and sessions as they are, and are loaded by the next refresh (%s)',
    async (read) => {
      const { key } = await issue();
      await store.addSession(session('ses_1', ada.id));
      await keyring.reload();
      const before = content(keyring);
      const later = await issue();
      const full = spyOn(store, read).mockRejectedValue(new StoreError('the disk is full'));
      // Too many to be loaded one by one.
      if (read === 'sessions') spyOn(store, 'changesSince').mockResolvedValueOnce(null);
      await expect(keyring.reload()).rejects.toThrow('the disk is full');
      expect(content(keyring)).toEqual(before);
      expect(keyring.authenticate(key, now)).not.toBeNull();
      full.mockRestore();
      expect(await keyring.refresh()).toBe(true);
      expect(keyring.authenticate(later.key, now)).not.toBeNull();
    },
  );

  test('a key keeps its caller, which open streams hold on to', async () => {
    const { key, id } = await issue();
    await keyring.reload();
    const caller = keyring.authenticate(key, now)!;
    await revokeKey(by(), id);
    await keyring.reload();
    expect(caller.valid).toBe(false);
    expect(keyring.authenticate(key, now)).toBeNull();
    await store.purgeKeys(now + 1);
    await keyring.reload();
    expect([keyring.size, keyring.authenticate(key, now)]).toEqual([0, null]);
  });
});

test('requests of a key that was used in an earlier run are saved', async () => {
  const { key } = await issue();
  const used = async (requests: number): Promise<void> => {
    const ring = await loaded();
    const caller = ring.authenticate(key, now)!;
    for (let count = 0; count < requests; count++) expect(ring.takeRequest(caller, now)).toBe(true);
    await ring.save();
  };
  await used(2);
  now += 120_000;
  await used(3);
  const ring = await loaded();
  const caller = ring.authenticate(key, now)!;
  expect(caller.quota.requests.limit - caller.quota.requests.remaining(now)).toBe(3);
  expect(ring.lastUsedAt(caller.keyId)).toBe(now);
});

test('loads only the rows that changed when a key is created or revoked', async () => {
  const actor = () => ({ store, actor: 'test', now: ++now });
  const account = await createAccount(actor(), 'Crowd', 'free', false);
  const add = () => issueKey(actor(), { name: 'key', scopes: ['read'], expiresAt: null, account });
  for (let count = 0; count < 20; count++) await add();
  const ring = await loaded();
  const all = spyOn(store, 'keys');
  const changes = spyOn(store, 'changesSince');
  const { id } = await add();
  await ring.reload();
  await revokeKey(actor(), id);
  await ring.reload();
  const deltas = await Promise.all(changes.mock.results.map(({ value }) => value as Promise<AccessDelta>));
  expect(deltas.map(({ keys, sessions }) => [keys.map((key) => key.id), sessions])).toEqual([
    [[id], []],
    [[id], []],
  ]);
  expect(all).not.toHaveBeenCalled();
});
