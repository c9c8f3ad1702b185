// TwoFactorStore in SQL that both SQLite and PostgreSQL understand.
import type { TwoFactorStore } from '../two-factor-store.ts';
import type { AccessDatabase } from './access-tables.ts';
import type { Work } from './work.ts';

export function createTwoFactorStore(run: Work, inTransaction: Work): TwoFactorStore {
  return {
    twoFactorOf: (accountId) =>
      run(async (tables) => {
        const row = await tables
          .selectFrom('twoFactor')
          .selectAll()
          .where('accountId', '=', accountId)
          .executeTakeFirst();
        if (!row) return null;
        return { accountId, secret: row.secret, createdAt: row.createdAt, confirmedAt: row.confirmedAt };
      }),
    startTwoFactor: ({ accountId, secret, at }) =>
      run(async (tables) => {
        const fresh = { secret, createdAt: at, lastStep: 0 };
        const row = await tables
          .insertInto('twoFactor')
          .values({ accountId, confirmedAt: null, ...fresh })
          .onConflict((conflict) =>
            conflict.column('accountId').doUpdateSet(fresh).where('twoFactor.confirmedAt', 'is', null),
          )
          .returning('accountId')
          .executeTakeFirst();
        return row !== undefined;
      }),
    confirmTwoFactor: (accountId, codeHashes, at) =>
      inTransaction(async (tables) => {
        const row = await tables
          .updateTable('twoFactor')
          .set({ confirmedAt: at })
          .where('accountId', '=', accountId)
          .where('confirmedAt', 'is', null)
          .returning('accountId')
          .executeTakeFirst();
        if (!row) return false;
        await tables.deleteFrom('recoveryCodes').where('accountId', '=', accountId).execute();
        await tables
          .insertInto('recoveryCodes')
          .values(codeHashes.map((hash) => ({ accountId, hash, usedAt: null })))
          .execute();
        return true;
      }),
    useTimeStep: (accountId, step) =>
      run(async (tables) => {
        const row = await tables
          .updateTable('twoFactor')
          .set({ lastStep: step })
          .where('accountId', '=', accountId)
          .where('lastStep', '<', step)
          .returning('accountId')
          .executeTakeFirst();
        return row !== undefined;
      }),
    useRecoveryCode: (accountId, hash, at) =>
      run(async (tables) => {
        const row = await tables
          .updateTable('recoveryCodes')
          .set({ usedAt: at })
          .where('accountId', '=', accountId)
          .where('hash', '=', hash)
          .where('usedAt', 'is', null)
          .returning('accountId')
          .executeTakeFirst();
        return row !== undefined;
      }),
    recoveryCodesLeft: (accountId) =>
      run(async (tables) => {
        const { count } = await tables
          .selectFrom('recoveryCodes')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('accountId', '=', accountId)
          .where('usedAt', 'is', null)
          .executeTakeFirstOrThrow();
        return Number(count);
      }),
    deleteTwoFactor: (accountId) => inTransaction((tables) => dropTwoFactor(tables, accountId)),
  };
}

/** Deletes everything about two-factor sign-in of an account. Must be called in a transaction. */
export async function dropTwoFactor(tables: AccessDatabase, accountId: number): Promise<boolean> {
  await tables.deleteFrom('recoveryCodes').where('accountId', '=', accountId).execute();
  const { numDeletedRows } = await tables.deleteFrom('twoFactor').where('accountId', '=', accountId).executeTakeFirst();
  return numDeletedRows > 0;
}
