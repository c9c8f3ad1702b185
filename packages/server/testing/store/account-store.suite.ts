// Requirements on every store: passwords, sessions, invitations and usage over time.

import { describe, expect, test } from 'bun:test';
import { HOUR_MS } from '@tickwire/engine';
import { StoreError } from '../../src/errors/store-error.ts';
import type { AccessStore } from '../../src/store/access-store.ts';
import {
  type Account,
  InvitationError,
  type InvitationRecord,
  type SessionRecord,
  type UsageRow,
} from '../../src/store/account-store.ts';
import type { Store } from '../../src/store/store.ts';
import { key, refusalOf } from './samples.fixture.ts';

const bytes = (...of: number[]): Uint8Array => new Uint8Array(of);

const session = (id: string, accountId: number, changes: Partial<SessionRecord> = {}): SessionRecord => ({
  id,
  accountId,
  hash: new TextEncoder().encode(id),
  createdAt: 5,
  seenAt: 6,
  browser: 'Firefox on Linux',
  address: '192.0.2.1',
  ...changes,
});

const invitation = (id: string, changes: Partial<InvitationRecord> = {}): InvitationRecord => ({
  id,
  hash: new TextEncoder().encode(id),
  tier: 'pro',
  owner: false,
  createdAt: 10,
  expiresAt: 100,
  usedAt: null,
  revokedAt: null,
  accountId: null,
  ...changes,
});

const usage = (accountId: number, changes: Partial<UsageRow> = {}): UsageRow => ({
  accountId,
  keyId: 'k',
  step: HOUR_MS,
  start: HOUR_MS,
  requests: 1,
  errors: 2,
  aiCalls: 3,
  streamSeconds: 4,
  ...changes,
});

const plain = (record: { hash: Uint8Array }): object => ({ ...record, hash: [...record.hash] });

export function accountStoreContract(current: () => Store): void {
  const access = (): AccessStore => current().access;
  const register = (name: string, invited: string | null = null, changes = {}): Promise<Account> =>
    access().register({
      name,
      tier: 'free',
      password: `hash of ${name}`,
      owner: false,
      invitation: invited === null ? null : new TextEncoder().encode(invited),
      at: 50,
      ...changes,
    });

  describe('accounts that sign in', () => {
    test('registers an account with its password, which the list of accounts does not contain', async () => {
      const ada = await register('Ada');
      expect(ada).toMatchObject({ name: 'Ada', tier: 'free', owner: false, signsIn: true, disabledAt: null });
      expect(await access().accounts()).toEqual([ada]);
      expect(JSON.stringify(await access().accounts())).not.toContain('hash of');
      expect(await access().passwordOf(ada.id)).toBe('hash of Ada');
      await access().setPassword(ada.id, 'another');
      expect(await access().passwordOf(ada.id)).toBe('another');
    });

    test('an account made for a key has no password', async () => {
      const { id, signsIn } = await access().createAccount('Ada', 'free', 1);
      expect([signsIn, await access().passwordOf(id), await access().passwordOf(99)]).toEqual([false, null, null]);
    });

    test('there is at most one owner', async () => {
      expect(await register('Ada', null, { owner: true })).toMatchObject({ owner: true });
      expect(await refusalOf(register('Bob', null, { owner: true }))).toBeInstanceOf(Error);
      expect((await access().accounts()).map(({ name }) => name)).toEqual(['Ada']);
    });

    test('disables and enables an account', async () => {
      const { id } = await register('Ada');
      await access().setDisabled(id, 70);
      expect((await access().accounts())[0]!.disabledAt).toBe(70);
      await access().setDisabled(id, null);
      expect((await access().accounts())[0]!.disabledAt).toBeNull();
    });

    test('deleting an account removes keys, sessions, password and usage, and blocks its name for good', async () => {
      const [ada, bob] = [await register('Ada'), await register('Bob')];
      for (const id of ['a', 'b', 'c']) await access().addKey(key(id, id === 'c' ? bob.id : ada.id));
      await access().revokeKey('a', 20);
      await access().addSession(session('s', ada.id));
      await access().addSession(session('t', bob.id));
      await access().addUsage([usage(ada.id), usage(bob.id)]);
      expect(await access().deleteAccount(ada.id, 80)).toEqual({ keysRevoked: 1, sessionsEnded: 1 });
      const [gone] = await access().accounts();
      expect(gone).toMatchObject({ id: ada.id, name: ada.publicId, signsIn: false, deletedAt: 80 });
      expect((await access().keys()).map(({ revokedAt }) => revokedAt)).toEqual([20, 80, null]);
      expect((await access().sessions()).map(({ id }) => id)).toEqual(['t']);
      expect([...(await access().usageTotals(HOUR_MS, 0)).keys()]).toEqual([bob.id]);
      expect(await refusalOf(register('ADA'))).toBeInstanceOf(StoreError);
    });
  });

  describe('invitations', () => {
    test('an invitation creates one account with its tier, and records which', async () => {
      await access().addInvitation(invitation('i'));
      const ada = await register('Ada', 'i');
      expect(ada.tier).toBe('pro');
      expect(await access().invitationOf(new Uint8Array([99]))).toBeUndefined();
      expect((await access().invitationOf(invitation('i').hash))?.usedAt).toBe(50);
      const [used] = await access().invitations(0);
      expect(plain(used!)).toEqual(plain(invitation('i', { usedAt: 50, accountId: ada.id })));
      expect(await refusalOf(register('Bob', 'i'))).toBeInstanceOf(InvitationError);
      expect(await access().accounts()).toHaveLength(1);
    });

    test('of many concurrent registrations with one invitation, one succeeds', async () => {
      await access().addInvitation(invitation('i'));
      const tries = Array.from({ length: 8 }, (_, index) => refusalOf(register(`Ada ${index}`, 'i')));
      expect((await Promise.all(tries)).filter((refusal) => refusal === null)).toHaveLength(1);
      expect(await access().accounts()).toHaveLength(1);
    });

    test('rejects an invitation that expired, was revoked, is for the owner, or does not exist', async () => {
      await access().addInvitation(invitation('late', { expiresAt: 50 }));
      await access().addInvitation(invitation('back'));
      await access().revokeInvitation('back', 40);
      await access().revokeInvitation('back', 45);
      await access().addInvitation(invitation('setup', { owner: true, expiresAt: null }));
      for (const id of ['late', 'back', 'setup', 'none'])
        expect([id, await refusalOf(register('Ada', id))]).toEqual([id, expect.any(InvitationError)]);
      expect(await refusalOf(register('Ada', 'late', { owner: true }))).toBeInstanceOf(InvitationError);
      expect((await access().invitations(0)).find(({ id }) => id === 'back')!.revokedAt).toBe(40);
      expect(await access().accounts()).toEqual([]);
    });

    test('an invitation stays valid if the name was in use', async () => {
      await register('Ada');
      await access().addInvitation(invitation('i'));
      expect(await refusalOf(register('ADA', 'i'))).toBeInstanceOf(StoreError);
      expect(await register('Bob', 'i')).toMatchObject({ name: 'Bob' });
    });

    test('deletes the unused invitations that create an owner', async () => {
      await access().addInvitation(invitation('old', { owner: true, expiresAt: null }));
      await access().addInvitation(invitation('i', { createdAt: 11 }));
      await access().dropOwnerInvitations();
      expect((await access().invitations(0)).map(({ id }) => id)).toEqual(['i']);
      expect(await access().invitations(12)).toEqual([]);
    });
  });

  describe('sessions', () => {
    test('are returned as stored, marked as seen, and ended', async () => {
      const { id } = await register('Ada');
      const all = [session('a', id), session('b', id, { createdAt: 7, hash: bytes(0, 255) })];
      for (const each of all) await access().addSession(each);
      expect((await access().sessions()).map(plain)).toEqual(all.map(plain));
      await access().saveSeen([{ id: 'b', at: 99 }]);
      await access().endSessions(['a', 'none']);
      expect((await access().sessions()).map(({ id, seenAt }) => [id, seenAt])).toEqual([['b', 99]]);
    });

    test('are confirmed until a time, and mark their keys if they are revoked', async () => {
      const [ada, bob] = [await register('Ada'), await register('Bob')];
      await access().addSession(session('a', ada.id));
      await access().addSession(session('b', ada.id, { hash: bytes(0, 255) }));
      for (const [id, made] of [
        ['k', 'a'],
        ['l', 'b'],
        ['m', null],
      ] as const)
        await access().addKey(key(id, ada.id, { session: made }));
      await access().addKey(key('n', bob.id, { session: 'a' }));
      expect(await access().confirmedUntil('a')).toBe(0);
      await access().confirmSession('a', 1_234);
      expect([await access().confirmedUntil('a'), await access().confirmedUntil('b')]).toEqual([1_234, 0]);
      await access().endSessions(['a'], 99);
      await access().endSessions(['b']);
      expect(await access().confirmedUntil('a')).toBe(0);
      const marks = (await access().keys()).map(({ id, sessionEndedAt }) => [id, sessionEndedAt]);
      expect(marks).toEqual([
        ['k', 99],
        ['l', null],
        ['m', null],
        ['n', null],
      ]);
    });
  });

  describe('usage over time', () => {
    test('adds up by account, key and interval', async () => {
      const [ada, bob] = [await register('Ada'), await register('Bob')];
      await access().addUsage([usage(ada.id), usage(ada.id, { keyId: '' }), usage(bob.id)]);
      await access().addUsage([usage(ada.id, { requests: 10 }), usage(ada.id, { start: 2 * HOUR_MS })]);
      expect(await access().usageOf(ada.id, HOUR_MS, 0)).toEqual([
        usage(ada.id, { keyId: '' }),
        usage(ada.id, { requests: 11, errors: 4, aiCalls: 6, streamSeconds: 8 }),
        usage(ada.id, { start: 2 * HOUR_MS }),
      ]);
      expect(await access().usageOf(ada.id, HOUR_MS, 2 * HOUR_MS)).toHaveLength(1);
      expect(await access().usageOf(ada.id, 60_000, 0)).toEqual([]);
      expect((await access().usageTotals(HOUR_MS, HOUR_MS)).get(ada.id)).toEqual({
        requests: 13,
        errors: 8,
        aiCalls: 12,
        streamSeconds: 16,
      });
    });

    test('accepts more rows than fit one statement, and deletes old ones by interval length', async () => {
      const { id } = await register('Ada');
      const many = Array.from({ length: 250 }, (_, at) => usage(id, { start: at * HOUR_MS }));
      await access().addUsage([...many, usage(id, { step: 60_000, start: 0 })]);
      await access().forgetUsage(HOUR_MS, 200 * HOUR_MS);
      expect(await access().usageOf(id, HOUR_MS, 0)).toHaveLength(50);
      expect(await access().usageOf(id, 60_000, 0)).toHaveLength(1);
    });
  });
}
