// AccessStore in SQL that both SQLite and PostgreSQL understand.
import { randomBytes } from 'node:crypto';
import { CamelCasePlugin } from 'kysely';
import { type AccessStore, NameTakenError } from '../access-store.ts';
import type { Account } from '../account-store.ts';
import type { AccessDatabase, AccessTables } from './access-tables.ts';
import { createAccountStore, type NewAccount, sortedBy } from './account-store.ts';
import { createAuditStore } from './audit-store.ts';
import { createTwoFactorStore } from './two-factor-store.ts';
import type { Work } from './work.ts';

/** Rows per statement: fewer statements to compile, and well within the parameter limit of both databases. */
const ROWS_AT_ONCE = 200;

export interface AccessStoreOptions {
  readonly database: AccessDatabase;
  readonly version: () => number;
  /** Converts errors of the driver into StoreErrors. */
  readonly toStoreError: (error: unknown) => unknown;
}

export function createAccessStore({ database, version, toStoreError }: AccessStoreOptions): AccessStore {
  const camelCased = database.withPlugin(new CamelCasePlugin());
  const run: Work = async (work) => {
    try {
      return await work(camelCased);
    } catch (error) {
      throw toStoreError(error);
    }
  };
  const inTransaction: Work = (work) => run((tables) => tables.transaction().execute(work));

  /** Assigns a name to the account; throws if another account has or had it. */
  const assignName = async (tables: AccessDatabase, accountId: number, name: string, at: number): Promise<void> => {
    const folded = name.toLowerCase();
    // Insert first, then check: another process may be assigning the same name right now.
    await tables
      .insertInto('names')
      .values({ name: folded, accountId, givenAt: at })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const owner = await tables.selectFrom('names').select('accountId').where('name', '=', folded).executeTakeFirst();
    if (owner?.accountId !== accountId)
      throw new NameTakenError(`the name "${name}" is or was in use by another account`);
  };

  const insertAccount = async (
    tables: AccessDatabase,
    { name, tier, at, password, owner }: NewAccount,
  ): Promise<Account> => {
    const publicId = `pub_${randomBytes(8).toString('hex')}`;
    const columns = { publicId, name, tier, createdAt: at, password, owner: Number(owner) };
    const row = await tables
      .insertInto('accounts')
      .values(columns as AccessTables['accounts'])
      .returningAll()
      .executeTakeFirstOrThrow();
    await assignName(tables, row.id, name, at);
    return accountOf(row);
  };

  return {
    ...createAccountStore({ run, inTransaction, insertAccount }),
    ...createAuditStore(run),
    ...createTwoFactorStore(run, inTransaction),
    version,
    createAccount: (name, tier, at) =>
      inTransaction((tables) => insertAccount(tables, { name, tier, at, password: null, owner: false })),
    accounts: () =>
      run(async (tables) => {
        const rows = await tables.selectFrom('accounts').selectAll().orderBy('id').execute();
        return rows.map(accountOf);
      }),
    setTier: (id, tier) =>
      run(async (tables) => {
        await tables.updateTable('accounts').set({ tier }).where('id', '=', id).execute();
      }),
    rename: (id, name, at) =>
      inTransaction(async (tables) => {
        await assignName(tables, id, name, at);
        await tables.updateTable('accounts').set({ name }).where('id', '=', id).execute();
      }),
    addKey: (key) =>
      run(async (tables) => {
        await tables
          .insertInto('keys')
          .values({ ...key, scopes: key.scopes.join(','), demo: Number(key.demo ?? false) })
          .execute();
      }),
    keys: () =>
      run(async (tables) => {
        const rows = await tables.selectFrom('keys').selectAll().orderBy('createdAt').orderBy('id').execute();
        return rows.map(({ demo: _, ...row }) => ({ ...row, scopes: row.scopes.split(',').filter(Boolean) }));
      }),
    moveDemoKeys: (accountId) =>
      run(async (tables) => {
        const rows = await tables
          .updateTable('keys')
          .set({ accountId })
          .where('demo', '=', 1)
          .where('accountId', '!=', accountId)
          .returning('id')
          .execute();
        return rows.map(({ id }) => id);
      }),
    revokeKey: (id, at) =>
      run(async (tables) => {
        await tables
          .updateTable('keys')
          .set({ revokedAt: at })
          .where('id', '=', id)
          .where('revokedAt', 'is', null)
          .execute();
      }),
    setKeyExpiry: (id, at) =>
      run(async (tables) => {
        await tables.updateTable('keys').set({ expiresAt: at }).where('id', '=', id).execute();
      }),
    saveUsed: (uses) =>
      inTransaction(async (tables) => {
        for (const { id, at } of sortedBy(uses, ({ id }) => id)) {
          await tables.updateTable('keys').set({ lastUsedAt: at }).where('id', '=', id).execute();
        }
      }),
    usage: () =>
      run(async (tables) => {
        const rows = await tables.selectFrom('usage').selectAll().execute();
        return rows.map((row) => ({
          ...row,
          requests: [...new Float64Array(Uint8Array.from(row.requests).buffer)],
        }));
      }),
    saveUsage: (records) =>
      inTransaction(async (tables) => {
        const ordered = sortedBy(records, ({ accountId }) => accountId);
        for (let at = 0; at < ordered.length; at += ROWS_AT_ONCE) {
          const rows = ordered.slice(at, at + ROWS_AT_ONCE).map((record) => ({
            ...record,
            requests: new Uint8Array(Float64Array.from(record.requests).buffer),
          }));
          await tables
            .insertInto('usage')
            .values(rows)
            .onConflict((conflict) =>
              conflict.column('accountId').doUpdateSet(({ ref }) => ({ requests: ref('excluded.requests') })),
            )
            .execute();
        }
      }),
    takeAiCall: async (accountId, day, limit) => {
      if (limit < 1) return null;
      return run(async (tables) => {
        const row = await tables
          .insertInto('usage')
          .values({ accountId, requests: new Uint8Array(), aiDay: day, aiCalls: 1 })
          .onConflict((conflict) =>
            conflict
              .column('accountId')
              .doUpdateSet(({ eb, ref, val }) => ({
                aiDay: day,
                aiCalls: eb
                  .case()
                  .when('usage.aiDay', '=', day)
                  .then(eb(ref('usage.aiCalls'), '+', 1))
                  .else(val(1))
                  .end(),
              }))
              .where(({ eb, or }) => or([eb('usage.aiDay', '!=', day), eb('usage.aiCalls', '<', limit)])),
          )
          .returning('aiCalls')
          .executeTakeFirst();
        return row?.aiCalls ?? null;
      });
    },
    answered: (accountId, key, since) =>
      run((tables) =>
        tables
          .selectFrom('answers')
          .selectAll()
          .where('accountId', '=', accountId)
          .where('key', '=', key)
          .where('at', '>=', since)
          .executeTakeFirst(),
      ),
    remember: ({ accountId, key, ...response }) =>
      run(async (tables) => {
        await tables
          .insertInto('answers')
          .values({ accountId, key, ...response })
          .onConflict((conflict) => conflict.columns(['accountId', 'key']).doUpdateSet(response))
          .execute();
      }),
    forgetAnswers: (time) =>
      run(async (tables) => {
        await tables.deleteFrom('answers').where('at', '<', time).execute();
      }),
  };
}

/** Without the password hash, which only `passwordOf` returns. */
const accountOf = ({ password, owner, ...account }: AccessTables['accounts']): Account => ({
  ...account,
  owner: owner === 1,
  signsIn: password !== null,
});
