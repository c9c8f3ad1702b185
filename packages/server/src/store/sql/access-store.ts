// AccessStore in SQL that both SQLite and PostgreSQL understand.
import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type AccessStore, type KeyRecord, NameTakenError, type UsageRecord } from '../access-store.ts';
import type { Account } from '../account-store.ts';
import type { AccessTables } from './access-tables.ts';
import { createAccountStore, type NewAccount, sortedBy } from './account-store.ts';
import { createAuditStore } from './audit-store.ts';
import { createTwoFactorStore } from './two-factor-store.ts';
import type { Work } from './work.ts';

/** Rows per statement: fewer statements to compile, and well within the parameter limit of both databases. */
const ROWS_AT_ONCE = 200;

export interface AccessStoreOptions {
  readonly database: Kysely<AccessTables>;
  readonly version: () => number;
  /** Converts errors of the driver into StoreErrors. */
  readonly toStoreError: (error: unknown) => unknown;
}

export function createAccessStore({ database, version, toStoreError }: AccessStoreOptions): AccessStore {
  const run: Work = async (work) => {
    try {
      return await work(database);
    } catch (error) {
      throw toStoreError(error);
    }
  };
  const inTransaction: Work = (work) => run((tables) => tables.transaction().execute(work));

  /** Assigns a name to the account; throws if another account has or had it. */
  const assignName = async (
    tables: Kysely<AccessTables>,
    accountId: number,
    name: string,
    at: number,
  ): Promise<void> => {
    const folded = name.toLowerCase();
    // Insert first, then check: another process may be assigning the same name right now.
    await tables
      .insertInto('names')
      .values({ name: folded, account_id: accountId, given_at: at })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const owner = await tables.selectFrom('names').select('account_id').where('name', '=', folded).executeTakeFirst();
    if (owner?.account_id !== accountId)
      throw new NameTakenError(`the name "${name}" is or was in use by another account`);
  };

  const insertAccount = async (
    tables: Kysely<AccessTables>,
    { name, tier, at, password, owner }: NewAccount,
  ): Promise<Account> => {
    const publicId = `pub_${randomBytes(8).toString('hex')}`;
    const columns = { public_id: publicId, name, tier, created_at: at, password, owner: Number(owner) };
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
          .values({
            id: key.id,
            account_id: key.accountId,
            name: key.name,
            hash: key.hash,
            scopes: key.scopes.join(','),
            created_at: key.createdAt,
            expires_at: key.expiresAt,
            revoked_at: key.revokedAt,
            last_used_at: key.lastUsedAt,
            demo: Number(key.demo ?? false),
          })
          .execute();
      }),
    keys: () =>
      run(async (tables) => {
        const rows = await tables.selectFrom('keys').selectAll().orderBy('created_at').orderBy('id').execute();
        return rows.map(
          (row): KeyRecord => ({
            id: row.id,
            accountId: row.account_id,
            name: row.name,
            hash: row.hash,
            scopes: row.scopes.split(',').filter(Boolean),
            createdAt: row.created_at,
            expiresAt: row.expires_at,
            revokedAt: row.revoked_at,
            lastUsedAt: row.last_used_at,
          }),
        );
      }),
    moveDemoKeys: (accountId) =>
      run(async (tables) => {
        const rows = await tables
          .updateTable('keys')
          .set({ account_id: accountId })
          .where('demo', '=', 1)
          .where('account_id', '!=', accountId)
          .returning('id')
          .execute();
        return rows.map(({ id }) => id);
      }),
    revokeKey: (id, at) =>
      run(async (tables) => {
        await tables
          .updateTable('keys')
          .set({ revoked_at: at })
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .execute();
      }),
    setKeyExpiry: (id, at) =>
      run(async (tables) => {
        await tables.updateTable('keys').set({ expires_at: at }).where('id', '=', id).execute();
      }),
    saveUsed: (uses) =>
      inTransaction(async (tables) => {
        for (const { id, at } of sortedBy(uses, ({ id }) => id)) {
          await tables.updateTable('keys').set({ last_used_at: at }).where('id', '=', id).execute();
        }
      }),
    usage: () =>
      run(async (tables) => {
        const rows = await tables.selectFrom('usage').selectAll().execute();
        return rows.map(
          (row): UsageRecord => ({
            accountId: row.account_id,
            requests: [...new Float64Array(Uint8Array.from(row.requests).buffer)],
            aiDay: row.ai_day,
            aiCalls: row.ai_calls,
          }),
        );
      }),
    saveUsage: (records) =>
      inTransaction(async (tables) => {
        const ordered = sortedBy(records, ({ accountId }) => accountId);
        for (let at = 0; at < ordered.length; at += ROWS_AT_ONCE) {
          const rows = ordered.slice(at, at + ROWS_AT_ONCE).map(({ accountId, requests, aiDay, aiCalls }) => ({
            account_id: accountId,
            requests: new Uint8Array(Float64Array.from(requests).buffer),
            ai_day: aiDay,
            ai_calls: aiCalls,
          }));
          await tables
            .insertInto('usage')
            .values(rows)
            .onConflict((conflict) =>
              conflict.column('account_id').doUpdateSet(({ ref }) => ({ requests: ref('excluded.requests') })),
            )
            .execute();
        }
      }),
    takeAiCall: async (accountId, day, limit) => {
      if (limit < 1) return null;
      return run(async (tables) => {
        const row = await tables
          .insertInto('usage')
          .values({ account_id: accountId, requests: new Uint8Array(), ai_day: day, ai_calls: 1 })
          .onConflict((conflict) =>
            conflict
              .column('account_id')
              .doUpdateSet(({ eb, ref, val }) => ({
                ai_day: day,
                ai_calls: eb
                  .case()
                  .when('usage.ai_day', '=', day)
                  .then(eb(ref('usage.ai_calls'), '+', 1))
                  .else(val(1))
                  .end(),
              }))
              .where(({ eb, or }) => or([eb('usage.ai_day', '!=', day), eb('usage.ai_calls', '<', limit)])),
          )
          .returning('ai_calls')
          .executeTakeFirst();
        return row?.ai_calls ?? null;
      });
    },
    answered: (accountId, key, since) =>
      run(async (tables) => {
        const row = await tables
          .selectFrom('answers')
          .selectAll()
          .where('account_id', '=', accountId)
          .where('key', '=', key)
          .where('at', '>=', since)
          .executeTakeFirst();
        return row && { accountId, key, bodyHash: row.body_hash, answer: row.answer, at: row.at };
      }),
    remember: ({ accountId, key, bodyHash, answer, at }) =>
      run(async (tables) => {
        const row = { body_hash: bodyHash, answer, at };
        await tables
          .insertInto('answers')
          .values({ account_id: accountId, key, ...row })
          .onConflict((conflict) => conflict.columns(['account_id', 'key']).doUpdateSet(row))
          .execute();
      }),
    forgetAnswers: (time) =>
      run(async (tables) => {
        await tables.deleteFrom('answers').where('at', '<', time).execute();
      }),
  };
}

/** Without the password hash, which only `passwordOf` returns. */
const accountOf = (row: AccessTables['accounts']): Account => ({
  id: row.id,
  publicId: row.public_id,
  name: row.name,
  tier: row.tier,
  createdAt: row.created_at,
  owner: row.owner === 1,
  signsIn: row.password !== null,
  disabledAt: row.disabled_at,
  deletedAt: row.deleted_at,
});
