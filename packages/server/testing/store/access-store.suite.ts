// Requirements on every store: accounts, keys, usage and the audit log.

import { describe, expect, test } from 'bun:test';
import { DAY_MS } from '@tickwire/engine';
import { StoreError } from '../../src/errors/store-error.ts';
import { NameTakenError } from '../../src/store/access-store.ts';
import type { Store } from '../../src/store/store.ts';
import { eventually } from '../process.fixture.ts';
import { key, MONDAY, refusalOf } from './samples.fixture.ts';

/** `current` returns the store of the running test; `openAgain` opens the same store a second time. */
export function accessStoreContract(current: () => Store, openAgain: () => Promise<Store>): void {
  describe('accounts and keys', () => {
    test('an account keeps its id, public id, name, tier and creation time', async () => {
      const made = await current().access.createAccount('Ada', 'free', 1_234);
      const { id, publicId } = made;
      const never = { owner: false, house: false, signsIn: false, disabledAt: null, deletedAt: null };
      expect(await current().access.accounts()).toEqual([
        { id, publicId, name: 'Ada', tier: 'free', createdAt: 1_234, ...never },
      ]);
      await current().access.setTier(made.id, 'premium');
      expect((await current().access.accounts())[0]!.tier).toBe('premium');
    });

    test('a public id is random and stays when the account is renamed', async () => {
      const [ada, bob] = [
        await current().access.createAccount('Ada', 'free', 1),
        await current().access.createAccount('Bob', 'free', 1),
      ];
      for (const { publicId } of [ada, bob]) expect(publicId).toMatch(/^pub_[0-9a-f]{16}$/);
      expect(ada.publicId).not.toBe(bob.publicId);
      await current().access.rename(ada.id, 'Grace', 2);
      expect((await current().access.accounts()).map((account) => account.publicId)).toEqual([
        ada.publicId,
        bob.publicId,
      ]);
    });

    test('a name is never assigned to another account, in any case, even after its owner was renamed', async () => {
      const ada = await current().access.createAccount('Ada', 'free', 1);
      const bob = await current().access.createAccount('Bob', 'free', 2);
      expect(await refusalOf(current().access.createAccount('ADA', 'free', 3))).toBeInstanceOf(StoreError);
      await current().access.rename(ada.id, 'Grace', 4);
      expect(await refusalOf(current().access.createAccount('ada', 'free', 5))).toBeInstanceOf(StoreError);
      expect(await refusalOf(current().access.rename(bob.id, 'Ada', 6))).toBeInstanceOf(StoreError);
      expect(await refusalOf(current().access.rename(bob.id, 'grace', 7))).toBeInstanceOf(StoreError);
      await current().access.rename(ada.id, 'ada', 8);
      expect((await current().access.accounts()).map((account) => account.name)).toEqual(['ada', 'Bob']);
    });

    test('keeps the newest remembered responses of an account', async () => {
      const { access } = current();
      const [ada, bob] = [await access.createAccount('Ada', 'free', 1), await access.createAccount('Bob', 'free', 1)];
      const remember = (accountId: number, at: number): Promise<void> =>
        access.rememberResponse({ accountId, key: `k${at}`, bodyHash: new Uint8Array([1]), response: '{}', at });
      for (let at = 1; at <= 5; at++) for (const { id } of [ada, bob]) await remember(id, at);
      await access.trimResponses(ada.id, 3);
      await access.trimResponses(bob.id, 6);
      const kept = async ({ id }: { id: number }): Promise<number[]> => {
        const found = await Promise.all([1, 2, 3, 4, 5].map((at) => access.idempotentResponse(id, `k${at}`, 0)));
        return found.flatMap((response) => response?.at ?? []);
      };
      expect(await kept(ada)).toEqual([3, 4, 5]);
      expect(await kept(bob)).toEqual([1, 2, 3, 4, 5]);
    });

    test('a rejected account leaves nothing behind', async () => {
      await current().access.createAccount('Ada', 'free', 1);
      await refusalOf(current().access.createAccount('Ada', 'pro', 2));
      expect(await current().access.accounts()).toHaveLength(1);
      await current().access.createAccount('Bob', 'free', 3);
      expect((await current().access.accounts()).map((account) => account.name)).toEqual(['Ada', 'Bob']);
    });

    test('names beyond ASCII are unique regardless of case too', async () => {
      await current().access.createAccount('Ärger', 'free', 1);
      expect(await refusalOf(current().access.createAccount('ÄRGER', 'free', 2))).toBeInstanceOf(StoreError);
    });

    test('a name that looks like one of another account is rejected, also one that the account had before', async () => {
      const { access } = current();
      const ada = await access.createAccount('Alice', 'free', 1);
      await access.rename(ada.id, 'Grace', 2);
      for (const name of ['Аlice', 'AIice', 'A1ice', 'Grаce', 'Ｇｒａｃｅ', 'Gr\u200bace'])
        expect([name, await refusalOf(access.createAccount(name, 'free', 3))]).toEqual([
          name,
          expect.any(NameTakenError),
        ]);
      expect(await access.accounts()).toHaveLength(1);
      // The account itself may have them.
      await access.rename(ada.id, 'AIice', 4);
      await access.rename(ada.id, 'Alice', 5);
      expect((await access.accounts())[0]!.name).toBe('Alice');
    });

    test('of many accounts created at once with names that look alike, one is created', async () => {
      const names = ['Eve', 'Еve', 'Evе', 'EVE', 'Ｅve', 'eνe'];
      const made = await Promise.allSettled(names.map((name) => current().access.createAccount(name, 'free', 1)));
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await current().access.accounts()).toHaveLength(1);
    });

    test('a key is returned as it was stored', async () => {
      const { id } = await current().access.createAccount('Ada', 'free', 1);
      const keys = [
        key('a', id),
        key('b', id, { createdAt: 2_000, expiresAt: 5_000, lastUsedAt: 3_000, scopes: ['admin'] }),
      ];
      for (const each of keys) await current().access.addKey(each);
      const found = await current().access.keys();
      expect(found.map((each) => ({ ...each, hash: [...each.hash] }))).toEqual(
        keys.map((each) => ({ ...each, hash: [...each.hash] })),
      );
    });

    test('a key is revoked once, gets an expiry, and keeps its last use', async () => {
      const { id } = await current().access.createAccount('Ada', 'free', 1);
      await current().access.addKey(key('a', id));
      await current().access.addKey(key('b', id));
      await current().access.revokeKey('a', 10);
      await current().access.revokeKey('a', 20);
      await current().access.setKeyExpiry('b', 30);
      await current().access.saveUsed([{ id: 'b', at: 25 }]);
      const [a, b] = await current().access.keys();
      expect([a!.revokedAt, b!.revokedAt, a!.expiresAt, b!.expiresAt, b!.lastUsedAt]).toEqual([10, null, null, 30, 25]);
    });

    test('only the demo key moves to another account, once', async () => {
      const { access } = current();
      const [ada, bob] = [await access.createAccount('Ada', 'free', 1), await access.createAccount('Bob', 'free', 1)];
      await access.addKey(key('a', ada.id));
      await access.addKey(key('b', ada.id, { demo: true }));
      expect([await access.moveDemoKeys(bob.id), await access.moveDemoKeys(bob.id)]).toEqual([['b'], []]);
      expect((await access.keys()).map(({ id, accountId }) => [id, accountId])).toEqual([
        ['a', ada.id],
        ['b', bob.id],
      ]);
    });

    test('two keys cannot have the same id', async () => {
      const { id } = await current().access.createAccount('Ada', 'free', 1);
      await current().access.addKey(key('a', id));
      expect(await refusalOf(current().access.addKey(key('a', id)))).toBeInstanceOf(Error);
    });

    test('request times keep fractions of a millisecond and are replaced as a whole', async () => {
      const { id } = await current().access.createAccount('Ada', 'free', 1);
      await current().access.saveUsage([
        { accountId: id, requests: [1.5, 2.25, 1e12 + 0.125], aiDay: MONDAY, aiCalls: 3 },
      ]);
      expect(await current().access.usage()).toEqual([
        { accountId: id, requests: [1.5, 2.25, 1e12 + 0.125], aiDay: MONDAY, aiCalls: 3 },
      ]);
      await current().access.saveUsage([{ accountId: id, requests: [], aiDay: MONDAY, aiCalls: 3 }]);
      expect(await current().access.usage()).toEqual([{ accountId: id, requests: [], aiDay: MONDAY, aiCalls: 3 }]);
    });

    test('saving requests does not undo an AI call counted meanwhile', async () => {
      const { id } = await current().access.createAccount('Ada', 'free', 1);
      const before = { accountId: id, requests: [1], aiDay: 0, aiCalls: 0 };
      expect(await current().access.takeAiCall(id, MONDAY, 5)).toBe(1);
      await current().access.saveUsage([before]);
      expect(await current().access.usage()).toEqual([{ accountId: id, requests: [1], aiDay: MONDAY, aiCalls: 1 }]);
      expect(await current().access.takeAiCall(id, MONDAY, 5)).toBe(2);
      expect(await current().access.usage()).toEqual([{ accountId: id, requests: [1], aiDay: MONDAY, aiCalls: 2 }]);
    });

    test('AI calls are counted up to the limit of a day, and from zero on the next day', async () => {
      const { id } = await current().access.createAccount('Ada', 'free', 1);
      const take = (day: number, limit = 2): Promise<number | null> => current().access.takeAiCall(id, day, limit);
      expect([await take(MONDAY), await take(MONDAY), await take(MONDAY)]).toEqual([1, 2, null]);
      expect(await take(MONDAY, 3)).toBe(3);
      expect([await take(MONDAY + DAY_MS), await take(MONDAY + DAY_MS, 0)]).toEqual([1, null]);
      expect((await current().access.usage())[0]).toMatchObject({ aiDay: MONDAY + DAY_MS, aiCalls: 1 });
    });

    test('of many concurrent AI calls from two stores, exactly the limit is granted', async () => {
      const other = await openAgain();
      const { id } = await current().access.createAccount('Ada', 'free', 1);
      const taken = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          (index % 2 === 0 ? current() : other).access.takeAiCall(id, MONDAY, 7),
        ),
      );
      const counts = taken.filter((count) => count !== null).sort((a, b) => a - b);
      expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7]);
      await other.close();
    });

    test('counts created keys of a day up to the limit, apart from AI calls', async () => {
      const { id } = await current().access.createAccount('Ada', 'free', 1);
      const take = (day: number, limit = 2) => current().access.takeKeyCreation(id, day, limit);
      await current().access.takeAiCall(id, MONDAY, 5);
      expect([await take(MONDAY), await take(MONDAY), await take(MONDAY)]).toEqual([1, 2, null]);
      expect([await take(MONDAY + DAY_MS), await take(MONDAY + DAY_MS, 0)]).toEqual([1, null]);
      expect((await current().access.usage())[0]).toMatchObject({ aiDay: MONDAY, aiCalls: 1 });
    });

    test('finds a key by its id, and the keys of an account', async () => {
      const [ada, bob] = [
        await current().access.createAccount('Ada', 'free', 1),
        await current().access.createAccount('Bob', 'free', 1),
      ];
      for (const [name, { id }] of [
        ['a', ada],
        ['b', bob],
        ['c', ada],
      ] as const)
        await current().access.addKey(key(name, id));
      expect(await current().access.key('b')).toEqual(key('b', bob.id));
      expect(await current().access.key('none')).toBeUndefined();
      expect((await current().access.keysOf(ada.id)).map(({ id }) => id)).toEqual(['a', 'c']);
      expect(await current().access.account(bob.id)).toEqual(bob);
      expect(await current().access.account(-1)).toBeUndefined();
    });

    test('purges keys that were revoked or expired before a time, but not those of example publishers', async () => {
      const { access } = current();
      const [ada, house] = [
        await access.createAccount('Ada', 'free', 1),
        await access.createAccount('House', 'free', 1),
      ];
      await access.markHouse(house.id);
      for (const id of ['valid', 'revoked', 'late']) await access.addKey(key(id, ada.id));
      await access.addKey({ ...key('expired', ada.id), expiresAt: 50 });
      await access.addKey(key('house', house.id));
      await access.revokeKey('revoked', 99);
      await access.revokeKey('late', 100);
      await access.revokeKey('house', 1);
      expect(await access.purgeKeys(100)).toBe(2);
      expect((await access.keys()).map(({ id }) => id).sort()).toEqual(['house', 'late', 'valid']);
    });

    test('reports changes in order, of this and of other stores', async () => {
      const other = await openAgain();
      const { access } = current();
      const { id } = await access.createAccount('Ada', 'free', 1);
      const start = await access.changePosition();
      await other.access.addKey(key('a', id));
      await access.addKey(key('b', id));
      await access.setTier(id, 'pro');
      const last = await access.changePosition();
      const first = (await access.changesSince(start))!;
      expect(first).toMatchObject({ position: last, removedKeys: [], sessions: [], removedSessions: [] });
      expect(first.accounts.map(({ name, tier }) => [name, tier])).toEqual([['Ada', 'pro']]);
      expect(first.keys.map((each) => each.id).sort()).toEqual(['a', 'b']);
      expect(await access.changesSince(last)).toMatchObject({ position: last, accounts: [], keys: [] });
      await other.access.revokeKey('a', 5);
      await access.saveUsed([{ id: 'b', at: 5 }]);
      const after = (await access.changesSince(last))!;
      expect(after.keys.map(({ id, revokedAt }) => [id, revokedAt])).toEqual([['a', 5]]);
      await access.purgeKeys(100);
      expect(await access.changesSince(after.position)).toMatchObject({ keys: [], removedKeys: ['a'] });
      await other.close();
    });

    test('knows which running services have not loaded a change', async () => {
      const { access } = current();
      await access.reportLoaded('one', 5);
      await access.reportLoaded('two', 6);
      const behind = async () => Promise.all([5, 6, 7].map((position) => access.servicesBehind(position)));
      expect(await behind()).toEqual([0, 1, 2]);
      await access.reportLoaded('one', 7);
      expect(await behind()).toEqual([0, 0, 1]);
      await access.forgetService('two');
      expect(await behind()).toEqual([0, 0, 0]);
      await access.forgetService('one');
    });

    test('the version changes when another store writes, and not when this one reads', async () => {
      const other = await openAgain();
      const before = current().access.version();
      await current().access.keys();
      expect(current().access.version()).toBe(before);
      await other.access.createAccount('Ada', 'free', 1);
      // A remote database reports it a moment later.
      await eventually('another version', () => current().access.version() !== before);
      expect(await current().access.accounts()).toHaveLength(1);
      await other.close();
    });
  });
}
