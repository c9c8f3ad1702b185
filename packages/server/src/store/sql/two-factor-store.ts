// TwoFactorStore in SQL that both SQLite and PostgreSQL understand.
import type { Kysely } from 'kysely';
import type { TwoFactorStore } from '../two-factor-store.ts';
import type { AccessTables } from './access-tables.ts';
import type { Work } from './work.ts';

export function createTwoFactorStore(run: Work, inTransaction: Work): TwoFactorStore {
  return {
    twoFactorOf: (accountId) =>
      run(async (tables) => {
        const row = await tables
          .selectFrom('two_factor')
          .selectAll()
          .where('account_id', '=', accountId)
          .executeTakeFirst();
        if (!row) return null;
        return { accountId, secret: row.secret, createdAt: row.created_at, confirmedAt: row.confirmed_at };
      }),
    startTwoFactor: ({ accountId, secret, at }) =>
      run(async (tables) => {
        const fresh = { secret, created_at: at, last_step: 0 };
        const row = await tables
          .insertInto('two_factor')
          .values({ account_id: accountId, confirmed_at: null, ...fresh })
          .onConflict((conflict) =>
            conflict.column('account_id').doUpdateSet(fresh).where('two_factor.confirmed_at', 'is', null),
          )
          .returning('account_id')
          .executeTakeFirst();
        return row !== undefined;
      }),
    confirmTwoFactor: (accountId, codeHashes, at) =>
      inTransaction(async (tables) => {
        const row = await tables
          .updateTable('two_factor')
          .set({ confirmed_at: at })
          .where('account_id', '=', accountId)
          .where('confirmed_at', 'is', null)
          .returning('account_id')
          .executeTakeFirst();
        if (!row) return false;
        await tables.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute();
        await tables
          .insertInto('recovery_codes')
          .values(codeHashes.map((hash) => ({ account_id: accountId, hash, used_at: null })))
          .execute();
        return true;
      }),
    useTimeStep: (accountId, step) =>
      run(async (tables) => {
        const row = await tables
          .updateTable('two_factor')
          .set({ last_step: step })
          .where('account_id', '=', accountId)
          .where('last_step', '<', step)
          .returning('account_id')
          .executeTakeFirst();
        return row !== undefined;
      }),
    useRecoveryCode: (accountId, hash, at) =>
      run(async (tables) => {
        const row = await tables
          .updateTable('recovery_codes')
          .set({ used_at: at })
          .where('account_id', '=', accountId)
          .where('hash', '=', hash)
          .where('used_at', 'is', null)
          .returning('account_id')
          .executeTakeFirst();
        return row !== undefined;
      }),
    recoveryCodesLeft: (accountId) =>
      run(async (tables) => {
        const { count } = await tables
          .selectFrom('recovery_codes')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('account_id', '=', accountId)
          .where('used_at', 'is', null)
          .executeTakeFirstOrThrow();
        return Number(count);
      }),
    deleteTwoFactor: (accountId) => inTransaction((tables) => dropTwoFactor(tables, accountId)),
  };
}

/** Deletes everything about two-factor sign-in of an account. Must be called in a transaction. */
export async function dropTwoFactor(tables: Kysely<AccessTables>, accountId: number): Promise<boolean> {
  await tables.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute();
  const { numDeletedRows } = await tables
    .deleteFrom('two_factor')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return numDeletedRows > 0;
}
