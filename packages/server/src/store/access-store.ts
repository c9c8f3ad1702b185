// Accounts, keys, usage and the audit log, in the SQL that every supported database understands.
import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import {
  type AccessStore,
  type Account,
  type AuditEntry,
  type KeyRecord,
  StoreError,
  type UsageRecord,
} from './store.ts';

export interface AccessTables {
  accounts: { id: number; public_id: string; name: string; tier: string; created_at: number };
  names: { name: string; account_id: number; given_at: number };
  keys: {
    id: string;
    account_id: number;
    name: string;
    hash: Uint8Array;
    scopes: string;
    created_at: number;
    expires_at: number | null;
    revoked_at: number | null;
    last_used_at: number | null;
  };
  usage: { account_id: number; requests: Uint8Array; ai_day: number; ai_calls: number };
  answers: { account_id: number; key: string; body_hash: Uint8Array; answer: string; at: number };
  audit: { id: number; at: number; actor: string; act: string; subject: string };
}

/** Rows in one statement: fewer statements to compile, and parameters well within any database's limit. */
const ROWS_AT_ONCE = 200;

/** A display name that some account has or had. */
export class NameTakenError extends StoreError {
  override name = 'NameTakenError';
}

export interface AccessStoreOptions {
  readonly database: Kysely<AccessTables>;
  readonly version: () => number;
  /** Turns a failure of the driver into a StoreError. */
  readonly explain: (error: unknown) => unknown;
}

export function createAccessStore({ database, version, explain }: AccessStoreOptions): AccessStore {
  const run = async <T>(work: (tables: Kysely<AccessTables>) => Promise<T>): Promise<T> => {
    try {
      return await work(database);
    } catch (error) {
      throw explain(error);
    }
  };
  const inTransaction = <T>(work: (tables: Kysely<AccessTables>) => Promise<T>): Promise<T> =>
    run((tables) => tables.transaction().execute(work));

  /** Gives the name to the account, or throws where another has or had it. */
  const giveName = async (tables: Kysely<AccessTables>, accountId: number, name: string, at: number): Promise<void> => {
    const folded = name.toLowerCase();
    const owner = await tables.selectFrom('names').select('account_id').where('name', '=', folded).executeTakeFirst();
    if (owner && owner.account_id !== accountId) throw new NameTakenError(`the name "${name}" is taken, or once was`);
    if (!owner)
      await tables.insertInto('names').values({ name: folded, account_id: accountId, given_at: at }).execute();
  };

  return {
    version,
    createAccount: (name, tier, at) =>
      inTransaction(async (tables) => {
        const publicId = `pub_${randomBytes(8).toString('hex')}`;
        const row = await tables
          .insertInto('accounts')
          .values({ public_id: publicId, name, tier, created_at: at } as AccessTables['accounts'])
          .returning('id')
          .executeTakeFirstOrThrow();
        await giveName(tables, row.id, name, at);
        return { id: row.id, publicId, name, tier, createdAt: at };
      }),
    accounts: () =>
      run(async (tables) => {
        const rows = await tables.selectFrom('accounts').selectAll().orderBy('id').execute();
        return rows.map(
          ({ id, public_id, name, tier, created_at }): Account => ({
            id,
            publicId: public_id,
            name,
            tier,
            createdAt: created_at,
          }),
        );
      }),
    setTier: (id, tier) =>
      run(async (tables) => {
        await tables.updateTable('accounts').set({ tier }).where('id', '=', id).execute();
      }),
    rename: (id, name, at) =>
      inTransaction(async (tables) => {
        await giveName(tables, id, name, at);
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
        for (const { id, at } of uses) {
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
        for (let at = 0; at < records.length; at += ROWS_AT_ONCE) {
          const rows = records.slice(at, at + ROWS_AT_ONCE).map(({ accountId, requests, aiDay, aiCalls }) => ({
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
    audit: (entry) =>
      run(async (tables) => {
        await tables
          .insertInto('audit')
          .values(entry as AccessTables['audit'])
          .execute();
      }),
    auditLog: (limit) =>
      run(
        (tables): Promise<AuditEntry[]> =>
          tables
            .selectFrom('audit')
            .select(['at', 'actor', 'act', 'subject'])
            .orderBy('id', 'desc')
            .limit(limit)
            .execute(),
      ),
  };
}
