// Requirements on every store: two-factor sign-in.

import { describe, expect, test } from 'bun:test';
import type { Store } from '../../src/store/store.ts';

const hashes = ['a', 'b', 'c'].map((text) => new TextEncoder().encode(text));

export function twoFactorStoreContract(current: () => Store, openAgain: () => Promise<Store>): void {
  describe('two-factor sign-in', () => {
    const account = async (): Promise<number> => (await current().access.createAccount('Ada', 'free', 1)).id;
    const active = async (): Promise<number> => {
      const accountId = await account();
      await current().access.startTwoFactor({ accountId, secret: 's', at: 5 });
      await current().access.confirmTwoFactor(accountId, hashes, 6);
      return accountId;
    };

    test('is active once it is confirmed, and cannot be set up again until it is deleted', async () => {
      const { access } = current();
      const accountId = await account();
      expect(await access.twoFactorOf(accountId)).toBeNull();
      expect(await access.confirmTwoFactor(accountId, hashes, 1)).toBe(false);
      expect(await access.startTwoFactor({ accountId, secret: 'first', at: 5 })).toBe(true);
      expect(await access.startTwoFactor({ accountId, secret: 'second', at: 6 })).toBe(true);
      expect(await access.twoFactorOf(accountId)).toEqual({
        accountId,
        secret: 'second',
        createdAt: 6,
        confirmedAt: null,
      });
      expect([await access.confirmTwoFactor(accountId, hashes, 7), await access.recoveryCodesLeft(accountId)]).toEqual([
        true,
        3,
      ]);
      expect(await access.confirmTwoFactor(accountId, hashes, 8)).toBe(false);
      expect(await access.startTwoFactor({ accountId, secret: 'third', at: 9 })).toBe(false);
      expect(await access.twoFactorOf(accountId)).toMatchObject({ secret: 'second', confirmedAt: 7 });
      expect([await access.deleteTwoFactor(accountId), await access.deleteTwoFactor(accountId)]).toEqual([true, false]);
      expect([await access.twoFactorOf(accountId), await access.recoveryCodesLeft(accountId)]).toEqual([null, 0]);
    });

    test('a time step is used once, and no earlier one after it', async () => {
      const { access } = current();
      const accountId = await active();
      const other = await openAgain();
      const uses = await Promise.all(
        Array.from({ length: 10 }, (_, index) => (index % 2 ? access : other.access).useTimeStep(accountId, 50)),
      );
      expect(uses.filter(Boolean)).toHaveLength(1);
      expect([await access.useTimeStep(accountId, 49), await access.useTimeStep(accountId, 51)]).toEqual([false, true]);
      await other.close();
    });

    test('a recovery code is used once, and only by its account', async () => {
      const { access } = current();
      const accountId = await active();
      const { id } = await access.createAccount('Bob', 'free', 1);
      expect(await access.useRecoveryCode(id, hashes[0]!, 9)).toBe(false);
      expect(await access.useRecoveryCode(accountId, hashes[0]!, 9)).toBe(true);
      expect(await access.useRecoveryCode(accountId, hashes[0]!, 10)).toBe(false);
      expect(await access.recoveryCodesLeft(accountId)).toBe(2);
    });

    test('is deleted with its account', async () => {
      const { access } = current();
      const accountId = await active();
      await access.deleteAccount(accountId, 9);
      expect([await access.twoFactorOf(accountId), await access.recoveryCodesLeft(accountId)]).toEqual([null, 0]);
    });
  });
}
