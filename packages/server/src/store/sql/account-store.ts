// AccountStore in SQL that both SQLite and PostgreSQL understand.
import { sql } from 'kysely';
import { type Account, type AccountStore, InvitationError, type Registration } from '../account-store.ts';
import type { AccessDatabase } from './access-tables.ts';
import { dropTwoFactor } from './two-factor-store.ts';
import type { Work } from './work.ts';

export interface AccountStoreParts {
  readonly run: Work;
  readonly inTransaction: Work;
  /** Inserts the account and its name. Must be called in a transaction. */
  readonly insertAccount: (tables: AccessDatabase, account: NewAccount) => Promise<Account>;
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

export function createAccountStore({ run, inTransaction, insertAccount }: AccountStoreParts): AccountStore {
  /** Marks the invitation as used and returns its tier. */
  const redeem = async (
    tables: AccessDatabase,
    hash: Uint8Array,
    { owner, at }: Registration,
  ): Promise<{ id: string; tier: string }> => {
    const row = await tables
      .updateTable('invitations')
      .set({ usedAt: at })
      .where('hash', '=', hash)
      .where('owner', '=', Number(owner))
      .where('usedAt', 'is', null)
      .where('revokedAt', 'is', null)
      .where(({ eb, or }) => or([eb('expiresAt', 'is', null), eb('expiresAt', '>', at)]))
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
          await tables.updateTable('invitations').set({ accountId: account.id }).where('id', '=', used.id).execute();
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
        await tables.updateTable('accounts').set({ disabledAt: at }).where('id', '=', accountId).execute();
      }),
    deleteAccount: (accountId, at) =>
      inTransaction(async (tables) => {
        await tables
          .updateTable('accounts')
          .set(({ ref }) => ({ name: ref('publicId'), password: null, deletedAt: at }))
          .where('id', '=', accountId)
          .execute();
        const keys = await tables
          .updateTable('keys')
          .set({ revokedAt: at })
          .where('accountId', '=', accountId)
          .where('revokedAt', 'is', null)
          .executeTakeFirst();
        const sessions = await tables.deleteFrom('sessions').where('accountId', '=', accountId).executeTakeFirst();
        await tables.deleteFrom('usageHistory').where('accountId', '=', accountId).execute();
        await dropTwoFactor(tables, accountId);
        return { keysRevoked: Number(keys.numUpdatedRows), sessionsEnded: Number(sessions.numDeletedRows) };
      }),
    addSession: (session) =>
      run(async (tables) => {
        await tables.insertInto('sessions').values(session).execute();
      }),
    sessions: () =>
      run((tables) => tables.selectFrom('sessions').selectAll().orderBy('createdAt').orderBy('id').execute()),
    saveSeen: (seen) =>
      inTransaction(async (tables) => {
        for (const { id, at } of sortedBy(seen, ({ id }) => id))
          await tables.updateTable('sessions').set({ seenAt: at }).where('id', '=', id).execute();
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
          .values({ ...invitation, owner: Number(invitation.owner) })
          .execute();
      }),
    invitations: (since) =>
      run(async (tables) => {
        const rows = await tables
          .selectFrom('invitations')
          .selectAll()
          .where('createdAt', '>=', since)
          .orderBy('createdAt', 'desc')
          .orderBy('id')
          .execute();
        return rows.map((row) => ({ ...row, owner: row.owner === 1 }));
      }),
    revokeInvitation: (id, at) =>
      run(async (tables) => {
        await tables
          .updateTable('invitations')
          .set({ revokedAt: at })
          .where('id', '=', id)
          .where('usedAt', 'is', null)
          .where('revokedAt', 'is', null)
          .execute();
      }),
    dropOwnerInvitations: () =>
      run(async (tables) => {
        await tables.deleteFrom('invitations').where('owner', '=', 1).where('usedAt', 'is', null).execute();
      }),
    addUsage: (rows) =>
      inTransaction(async (tables) => {
        const ordered = sortedBy(rows, (row) => `${row.accountId} ${row.step} ${row.start} ${row.keyId}`);
        for (let at = 0; at < ordered.length; at += ROWS_AT_ONCE) {
          await tables
            .insertInto('usageHistory')
            .values(ordered.slice(at, at + ROWS_AT_ONCE))
            .onConflict((conflict) =>
              conflict.columns(['accountId', 'step', 'start', 'keyId']).doUpdateSet({
                requests: sql`usage_history.requests + excluded.requests`,
                errors: sql`usage_history.errors + excluded.errors`,
                aiCalls: sql`usage_history.ai_calls + excluded.ai_calls`,
                streamSeconds: sql`usage_history.stream_seconds + excluded.stream_seconds`,
              }),
            )
            .execute();
        }
      }),
    usageOf: (accountId, step, from) =>
      run((tables) =>
        tables
          .selectFrom('usageHistory')
          .selectAll()
          .where('accountId', '=', accountId)
          .where('step', '=', step)
          .where('start', '>=', from)
          .orderBy('start')
          .orderBy('keyId')
          .execute(),
      ),
    usageTotals: (step, from) =>
      run(async (tables) => {
        const rows = await tables
          .selectFrom('usageHistory')
          .select(({ fn }) => [
            'accountId',
            fn.sum<number>('requests').as('requests'),
            fn.sum<number>('errors').as('errors'),
            fn.sum<number>('aiCalls').as('aiCalls'),
            fn.sum<number>('streamSeconds').as('streamSeconds'),
          ])
          .where('step', '=', step)
          .where('start', '>=', from)
          .groupBy('accountId')
          .execute();
        return new Map(
          rows.map((row) => [
            row.accountId,
            {
              requests: Number(row.requests),
              errors: Number(row.errors),
              aiCalls: Number(row.aiCalls),
              streamSeconds: Number(row.streamSeconds),
            },
          ]),
        );
      }),
    forgetUsage: (step, before) =>
      run(async (tables) => {
        await tables.deleteFrom('usageHistory').where('step', '=', step).where('start', '<', before).execute();
      }),
  };
}
