// AccessStore in SQL that both SQLite and PostgreSQL understand.
import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { AccessStore, UsageRecord } from '../access-store.ts';
import type { Account } from '../account-store.ts';
import { accountOf, keyOf } from './access-rows.ts';
import type { AccessTables } from './access-tables.ts';
import { createAccountStore, type NewAccount, sortedBy } from './account-store.ts';
import { assignName } from './assign-name.ts';
import { createAuditStore } from './audit-store.ts';
import { createChangeLog } from './change-log.ts';
import { createDocumentStore } from './document-store.ts';
import { createLogRequestStore } from './log-request-store.ts';
import { createTwoFactorStore } from './two-factor-store.ts';
import type { Work } from './work.ts';

/** Rows per statement: fewer statements to compile, and well within the parameter limit of both databases. */
const ROWS_AT_ONCE = 200;

export interface AccessStoreOptions {
  readonly database: Kysely<AccessTables>;
  readonly version: () => number;
  /** SQL for the time of the database in milliseconds since 1970. */
  readonly clock: string;
  /** Converts errors of the driver into StoreErrors. */
  readonly toStoreError: (error: unknown) => unknown;
}

export function createAccessStore({ database, version, clock, toStoreError }: AccessStoreOptions): AccessStore {
  const run: Work = async (work) => {
    try {
      return await work(database);
    } catch (error) {
      throw toStoreError(error);
    }
  };
  const inTransaction: Work = (work) => run((tables) => tables.transaction().execute(work));

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

  /** Counts one use on a UTC day in two columns of `usage`: the day, and the number of uses on it. */
  const takeOfDay = async (
    dayColumn: 'ai_day' | 'key_day',
    countColumn: 'ai_calls' | 'key_count',
    accountId: number,
    day: number,
    limit: number,
  ): Promise<number | null> => {
    if (limit < 1) return null;
    return run(async (tables) => {
      const unused = { requests: new Uint8Array(), ai_day: 0, ai_calls: 0, key_day: 0, key_count: 0 };
      const row = await tables
        .insertInto('usage')
        .values({ account_id: accountId, ...unused, [dayColumn]: day, [countColumn]: 1 })
        .onConflict((conflict) =>
          conflict
            .column('account_id')
            .doUpdateSet(({ eb, ref, val }) => ({
              [dayColumn]: day,
              [countColumn]: eb
                .case()
                .when(`usage.${dayColumn}`, '=', day)
                .then(eb(ref(`usage.${countColumn}`), '+', 1))
                .else(val(1))
                .end(),
            }))
            .where(({ eb, or }) => or([eb(`usage.${dayColumn}`, '!=', day), eb(`usage.${countColumn}`, '<', limit)])),
        )
        .returning(countColumn)
        .executeTakeFirst();
      return (row?.[countColumn] as number | undefined) ?? null;
    });
  };

  return {
    ...createChangeLog({ run, clock }),
    ...createAccountStore({ run, inTransaction, insertAccount }),
    ...createAuditStore(run),
    ...createDocumentStore(run, inTransaction),
    ...createLogRequestStore(run),
    ...createTwoFactorStore(run, inTransaction),
    version,
    createAccount: (name, tier, at) =>
      inTransaction((tables) => insertAccount(tables, { name, tier, at, password: null, owner: false })),
    accounts: () =>
      run(async (tables) => {
        const rows = await tables.selectFrom('accounts').selectAll().orderBy('id').execute();
        return rows.map(accountOf);
      }),
    account: (id) =>
      run(async (tables) => {
        const row = await tables.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
        return row && accountOf(row);
      }),
    markHouse: (id) =>
      run(async (tables) => {
        await tables.updateTable('accounts').set({ house: 1 }).where('id', '=', id).execute();
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
            path: key.path ?? null,
            demo: Number(key.demo ?? false),
          })
          .execute();
      }),
    keys: () =>
      run(async (tables) => {
        const rows = await tables.selectFrom('keys').selectAll().orderBy('created_at').orderBy('id').execute();
        return rows.map(keyOf);
      }),
    key: (id) =>
      run(async (tables) => {
        const row = await tables.selectFrom('keys').selectAll().where('id', '=', id).executeTakeFirst();
        return row && keyOf(row);
      }),
    keysOf: (accountId) =>
      run(async (tables) => {
        const rows = await tables
          .selectFrom('keys')
          .selectAll()
          .where('account_id', '=', accountId)
          .orderBy('created_at')
          .orderBy('id')
          .execute();
        return rows.map(keyOf);
      }),
    purgeKeys: (time) =>
      run(async (tables) => {
        const { numDeletedRows } = await tables
          .deleteFrom('keys')
          .where(({ eb, or }) => or([eb('revoked_at', '<', time), eb('expires_at', '<', time)]))
          // A revoked key stops an example publisher for good.
          .where('account_id', 'not in', tables.selectFrom('accounts').select('id').where('house', '=', 1))
          .executeTakeFirst();
        return Number(numDeletedRows);
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
            key_day: 0,
            key_count: 0,
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
    takeAiCall: (accountId, day, limit) => takeOfDay('ai_day', 'ai_calls', accountId, day, limit),
    takeKeyCreation: (accountId, day, limit) => takeOfDay('key_day', 'key_count', accountId, day, limit),
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
    trimAnswers: (accountId, keep) =>
      run(async (tables) => {
        const oldest = await tables
          .selectFrom('answers')
          .select('at')
          .where('account_id', '=', accountId)
          .orderBy('at', 'desc')
          .offset(keep - 1)
          .limit(1)
          .executeTakeFirst();
        if (oldest)
          await tables.deleteFrom('answers').where('account_id', '=', accountId).where('at', '<', oldest.at).execute();
      }),
    forgetAnswers: (time) =>
      run(async (tables) => {
        await tables.deleteFrom('answers').where('at', '<', time).execute();
      }),
  };
}
