// AccountStore in SQL that both SQLite and PostgreSQL understand.
import { type Kysely, sql } from 'kysely';
import type { Account } from '../account-store.ts';
import {
  type AccountStore,
  InvitationError,
  type InvitationRecord,
  type Registration,
  type UsageRow,
} from '../account-store.ts';
import { sessionOf } from './access-rows.ts';
import type { AccessTables } from './access-tables.ts';
import { dropTwoFactor } from './two-factor-store.ts';
import type { Work } from './work.ts';

export interface AccountStoreParts {
  readonly run: Work;
  readonly inTransaction: Work;
  /** Inserts the account and its name. Must be called in a transaction. */
  readonly insertAccount: (tables: Kysely<AccessTables>, account: NewAccount) => Promise<Account>;
}

export interface NewAccount {
  readonly name: string;
  readonly tier: string;
  readonly at: number;
  readonly password: string | null;
  readonly owner: boolean;
}

/** Rows per statement. */
const ROWS_AT_ONCE = 100;

/** Sorts rows by key: processes that update the same rows in the same order cannot deadlock. */
export const sortedBy = <T>(rows: readonly T[], keyOf: (row: T) => string | number): T[] =>
  rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));

const invitationOf = (row: AccessTables['invitations']): InvitationRecord => ({
  id: row.id,
  hash: row.hash,
  tier: row.tier,
  owner: row.owner === 1,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  usedAt: row.used_at,
  revokedAt: row.revoked_at,
  accountId: row.account_id,
});

export function createAccountStore({ run, inTransaction, insertAccount }: AccountStoreParts): AccountStore {
  /** Marks the invitation as used and returns its tier. */
  const redeem = async (
    tables: Kysely<AccessTables>,
    hash: Uint8Array,
    { owner, at }: Registration,
  ): Promise<{ id: string; tier: string }> => {
    const row = await tables
      .updateTable('invitations')
      .set({ used_at: at })
      .where('hash', '=', hash)
      .where('owner', '=', Number(owner))
      .where('used_at', 'is', null)
      .where('revoked_at', 'is', null)
      .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
      .returning(['id', 'tier'])
      .executeTakeFirst();
    if (!row) throw new InvitationError('the link was already used, has expired or was revoked');
    return row;
  };

  return {
    register: (registration) =>
      inTransaction(async (tables) => {
        const { invitation, name, password, owner, at } = registration;
        const used = invitation && (await redeem(tables, invitation, registration));
        const tier = used?.tier ?? registration.tier;
        const account = await insertAccount(tables, { name, tier, at, password, owner });
        if (used)
          await tables.updateTable('invitations').set({ account_id: account.id }).where('id', '=', used.id).execute();
        return account;
      }),
    passwordOf: (accountId) =>
      run(async (tables) => {
        const row = await tables
          .selectFrom('accounts')
          .select('password')
          .where('id', '=', accountId)
          .executeTakeFirst();
        return row?.password ?? null;
      }),
    setPassword: (accountId, password) =>
      run(async (tables) => {
        await tables.updateTable('accounts').set({ password }).where('id', '=', accountId).execute();
      }),
    setDisabled: (accountId, at) =>
      run(async (tables) => {
        await tables.updateTable('accounts').set({ disabled_at: at }).where('id', '=', accountId).execute();
      }),
    deleteAccount: (accountId, at) =>
      inTransaction(async (tables) => {
        await tables
          .updateTable('accounts')
          .set(({ ref }) => ({ name: ref('public_id'), password: null, deleted_at: at }))
          .where('id', '=', accountId)
          .execute();
        const keys = await tables
          .updateTable('keys')
          .set({ revoked_at: at })
          .where('account_id', '=', accountId)
          .where('revoked_at', 'is', null)
          .executeTakeFirst();
        const sessions = await tables.deleteFrom('sessions').where('account_id', '=', accountId).executeTakeFirst();
        await tables.deleteFrom('usage_history').where('account_id', '=', accountId).execute();
        await tables.deleteFrom('documents').where('account_id', '=', accountId).execute();
        await dropTwoFactor(tables, accountId);
        return { keysRevoked: Number(keys.numUpdatedRows), sessionsEnded: Number(sessions.numDeletedRows) };
      }),
    addSession: ({ id, accountId, hash, createdAt, seenAt, browser, address }) =>
      run(async (tables) => {
        await tables
          .insertInto('sessions')
          .values({ id, account_id: accountId, hash, created_at: createdAt, seen_at: seenAt, browser, address })
          .execute();
      }),
    sessions: () =>
      run(async (tables) => {
        const rows = await tables.selectFrom('sessions').selectAll().orderBy('created_at').orderBy('id').execute();
        return rows.map(sessionOf);
      }),
    saveSeen: (seen) =>
      inTransaction(async (tables) => {
        for (const { id, at } of sortedBy(seen, ({ id }) => id))
          await tables.updateTable('sessions').set({ seen_at: at }).where('id', '=', id).execute();
      }),
    endSessions: (ids) =>
      inTransaction(async (tables) => {
        for (const id of sortedBy(ids, (each) => each))
          await tables.deleteFrom('sessions').where('id', '=', id).execute();
      }),
    addInvitation: (invitation) =>
      run(async (tables) => {
        await tables
          .insertInto('invitations')
          .values({
            id: invitation.id,
            hash: invitation.hash,
            tier: invitation.tier,
            owner: Number(invitation.owner),
            created_at: invitation.createdAt,
            expires_at: invitation.expiresAt,
            used_at: invitation.usedAt,
            revoked_at: invitation.revokedAt,
            account_id: invitation.accountId,
          })
          .execute();
      }),
    invitations: (since) =>
      run(async (tables) => {
        const rows = await tables
          .selectFrom('invitations')
          .selectAll()
          .where('created_at', '>=', since)
          .orderBy('created_at', 'desc')
          .orderBy('id')
          .execute();
        return rows.map(invitationOf);
      }),
    invitationOf: (hash) =>
      run(async (tables) => {
        const row = await tables.selectFrom('invitations').selectAll().where('hash', '=', hash).executeTakeFirst();
        return row && invitationOf(row);
      }),
    revokeInvitation: (id, at) =>
      run(async (tables) => {
        await tables
          .updateTable('invitations')
          .set({ revoked_at: at })
          .where('id', '=', id)
          .where('used_at', 'is', null)
          .where('revoked_at', 'is', null)
          .execute();
      }),
    dropOwnerInvitations: () =>
      run(async (tables) => {
        await tables.deleteFrom('invitations').where('owner', '=', 1).where('used_at', 'is', null).execute();
      }),
    addUsage: (rows) =>
      inTransaction(async (tables) => {
        const ordered = sortedBy(rows, (row) => `${row.accountId} ${row.step} ${row.start} ${row.keyId}`);
        for (let at = 0; at < ordered.length; at += ROWS_AT_ONCE) {
          await tables
            .insertInto('usage_history')
            .values(
              ordered.slice(at, at + ROWS_AT_ONCE).map((row) => ({
                account_id: row.accountId,
                key_id: row.keyId,
                step: row.step,
                start: row.start,
                requests: row.requests,
                errors: row.errors,
                ai_calls: row.aiCalls,
                stream_seconds: row.streamSeconds,
              })),
            )
            .onConflict((conflict) =>
              conflict.columns(['account_id', 'step', 'start', 'key_id']).doUpdateSet({
                requests: sql`usage_history.requests + excluded.requests`,
                errors: sql`usage_history.errors + excluded.errors`,
                ai_calls: sql`usage_history.ai_calls + excluded.ai_calls`,
                stream_seconds: sql`usage_history.stream_seconds + excluded.stream_seconds`,
              }),
            )
            .execute();
        }
      }),
    usageOf: (accountId, step, from) =>
      run(async (tables) => {
        const rows = await tables
          .selectFrom('usage_history')
          .selectAll()
          .where('account_id', '=', accountId)
          .where('step', '=', step)
          .where('start', '>=', from)
          .orderBy('start')
          .orderBy('key_id')
          .execute();
        return rows.map(
          (row): UsageRow => ({
            accountId,
            keyId: row.key_id,
            step,
            start: row.start,
            requests: row.requests,
            errors: row.errors,
            aiCalls: row.ai_calls,
            streamSeconds: row.stream_seconds,
          }),
        );
      }),
    usageTotals: (step, from) =>
      run(async (tables) => {
        const rows = await tables
          .selectFrom('usage_history')
          .select(({ fn }) => [
            'account_id',
            fn.sum<number>('requests').as('requests'),
            fn.sum<number>('errors').as('errors'),
            fn.sum<number>('ai_calls').as('ai_calls'),
            fn.sum<number>('stream_seconds').as('stream_seconds'),
          ])
          .where('step', '=', step)
          .where('start', '>=', from)
          .groupBy('account_id')
          .execute();
        return new Map(
          rows.map((row) => [
            row.account_id,
            {
              requests: Number(row.requests),
              errors: Number(row.errors),
              aiCalls: Number(row.ai_calls),
              streamSeconds: Number(row.stream_seconds),
            },
          ]),
        );
      }),
    forgetUsage: (step, before) =>
      run(async (tables) => {
        await tables.deleteFrom('usage_history').where('step', '=', step).where('start', '<', before).execute();
      }),
  };
}
