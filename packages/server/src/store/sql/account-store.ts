// AccountStore in SQL that both SQLite and PostgreSQL understand.
import { randomBytes } from 'node:crypto';
import {
  type Account,
  type AccountStore,
  InvitationError,
  type InvitationRecord,
  type Registration,
  type UsageCounts,
  type UsageRow,
} from '../account-store.ts';
import { ACCOUNTS, type AccountRow, accountOf, SESSIONS, sessions } from './access-rows.ts';
import { assignName } from './assign-name.ts';
import { change, rows, rowsFor, run, runFor, type SharedWork, type SqlValue, type WorkRunner } from './shared-work.ts';
import { columnsWithout, insert, storedFields } from './stored-fields.ts';
import * as tables from './tables/access-tables.ts';
import { dropTwoFactor } from './two-factor-store.ts';

const NEW_ACCOUNTS = storedFields(
  tables.ACCOUNTS,
  columnsWithout(tables.ACCOUNTS, 'id', 'house', 'disabled_at', 'deleted_at'),
);
const INVITATIONS = storedFields(tables.INVITATIONS);
const USAGE_HISTORY = storedFields(tables.USAGE_HISTORY);
const COUNTS = ['requests', 'errors', 'ai_calls', 'stream_seconds'];

/** Sorts rows by key: processes that update the same rows in the same order cannot deadlock. */
export const sortedBy = <T>(rows: readonly T[], keyOf: (row: T) => string | number): T[] =>
  rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));

export function createAccountStore({ read, share }: WorkRunner): AccountStore {
  return {
    register: (registration) =>
      share(function* () {
        const { invitation, name, password, owner, at } = registration;
        const used = invitation && (yield* redeem(invitation, registration));
        const tier = used?.tier ?? registration.tier;
        const account = yield* insertAccount({ name, tier, createdAt: at, password, owner: Number(owner) });
        if (used) yield* run('UPDATE invitations SET account_id = $1 WHERE id = $2', account.id, used.id);
        return account;
      }),
    passwordOf: (accountId) =>
      read(function* () {
        const text = 'SELECT password FROM accounts WHERE id = $1';
        return (yield* rows<{ password: string | null }>(text, accountId))[0]?.password ?? null;
      }),
    setPassword: (accountId, password) =>
      share(() => run('UPDATE accounts SET password = $1 WHERE id = $2', password, accountId)),
    setDisabled: (accountId, at) =>
      share(() => run('UPDATE accounts SET disabled_at = $1 WHERE id = $2', at, accountId)),
    deleteAccount: (accountId, at) =>
      share(function* () {
        yield* run(
          'UPDATE accounts SET name = public_id, password = NULL, deleted_at = $1 WHERE id = $2',
          at,
          accountId,
        );
        const keysRevoked = yield* change(
          'UPDATE keys SET revoked_at = $1 WHERE account_id = $2 AND revoked_at IS NULL',
          at,
          accountId,
        );
        const sessionsEnded = yield* change('DELETE FROM sessions WHERE account_id = $1', accountId);
        for (const table of ['usage_history', 'documents'])
          yield* run(`DELETE FROM ${table} WHERE account_id = $1`, accountId);
        yield* dropTwoFactor(accountId);
        return { keysRevoked, sessionsEnded };
      }),

    addSession: (session) => share(() => insert(SESSIONS, [{ ...session }])),
    sessions: () => read(() => sessions('ORDER BY created_at, id')),
    saveSeen: (seen) =>
      share(function* () {
        for (const { id, at } of sortedBy(seen, ({ id }) => id))
          yield* run('UPDATE sessions SET seen_at = $1 WHERE id = $2', at, id);
      }),
    endSessions: (ids, revokedAt) =>
      share(function* () {
        for (const id of sortedBy(ids, (each) => each)) {
          if (revokedAt !== undefined)
            yield* run(
              `UPDATE keys SET session_ended_at = $1 WHERE session = $2
                 AND account_id = (SELECT account_id FROM sessions WHERE id = $2)`,
              revokedAt,
              id,
            );
          yield* run('DELETE FROM sessions WHERE id = $1', id);
        }
      }),
    confirmSession: (id, until) =>
      share(() => run('UPDATE sessions SET confirmed_until = $1 WHERE id = $2', until, id)),
    confirmedUntil: (id) =>
      read(function* () {
        const text = 'SELECT confirmed_until AS until FROM sessions WHERE id = $1';
        return (yield* rows<{ until: number }>(text, id))[0]?.until ?? 0;
      }),

    addInvitation: (invitation) =>
      share(() => insert(INVITATIONS, [{ ...invitation, owner: Number(invitation.owner) }])),
    invitations: (since) => read(() => invitations('created_at >= $1 ORDER BY created_at DESC, id', since)),
    invitationOf: (hash) =>
      read(function* () {
        return (yield* invitations('hash = $1', hash))[0];
      }),
    revokeInvitation: (id, at) =>
      share(() =>
        run('UPDATE invitations SET revoked_at = $1 WHERE id = $2 AND used_at IS NULL AND revoked_at IS NULL', at, id),
      ),
    dropOwnerInvitations: () => share(() => run('DELETE FROM invitations WHERE owner = 1 AND used_at IS NULL')),

    addUsage: (rows) =>
      share(function* () {
        const sums = COUNTS.map((name) => `${name} = usage_history.${name} + excluded.${name}`);
        yield* runFor(
          `${USAGE_HISTORY.insert} ON CONFLICT (account_id, step, start, key_id) DO UPDATE SET ${sums.join(', ')}`,
          USAGE_HISTORY.columns,
          sortedBy(rows, (row) => `${row.accountId} ${row.step} ${row.start} ${row.keyId}`),
        );
      }),
    usageOf: (accountId, step, from) =>
      read(() =>
        rows<UsageRow>(
          `SELECT ${USAGE_HISTORY.select} FROM usage_history
           WHERE account_id = $1 AND step = $2 AND start >= $3 ORDER BY start, key_id`,
          accountId,
          step,
          from,
        ),
      ),
    usageTotals: (step, from) =>
      read(function* () {
        // The sum of integers is no integer in PostgreSQL.
        const [requests, errors, aiCalls, streamSeconds] = COUNTS.map((name) => `CAST(sum(${name}) AS BIGINT)`);
        const found = yield* rows<UsageCounts & { accountId: number }>(
          `SELECT account_id AS "accountId", ${requests} AS requests, ${errors} AS errors, ${aiCalls} AS "aiCalls",
             ${streamSeconds} AS "streamSeconds"
           FROM usage_history WHERE step = $1 AND start >= $2 GROUP BY account_id`,
          step,
          from,
        );
        return new Map(found.map(({ accountId, ...counts }) => [accountId, counts]));
      }),
    forgetUsage: (step, before) =>
      share(() => run('DELETE FROM usage_history WHERE step = $1 AND start < $2', step, before)),
  };
}

/** Inserts the account and its name. Must be called in a transaction. */
export function* insertAccount(
  account: Pick<AccountRow, 'name' | 'tier' | 'createdAt' | 'password' | 'owner'>,
): SharedWork<Account> {
  const row = { ...account, publicId: `pub_${randomBytes(8).toString('hex')}` };
  const [inserted] = yield* rowsFor<AccountRow, keyof typeof row>(
    `${NEW_ACCOUNTS.insert} RETURNING ${ACCOUNTS.select}`,
    NEW_ACCOUNTS.columns,
    [row],
  );
  yield* assignName(inserted!.id, account.name, account.createdAt);
  return accountOf(inserted!);
}

/** Marks the invitation as used. */
function* redeem(hash: Uint8Array, { owner, at }: Registration): SharedWork<{ id: string; tier: string }> {
  const [row] = yield* rows<{ id: string; tier: string }>(
    `UPDATE invitations SET used_at = $1 WHERE hash = $2 AND owner = $3 AND used_at IS NULL AND revoked_at IS NULL
       AND (expires_at IS NULL OR expires_at > $1) RETURNING id, tier`,
    at,
    hash,
    Number(owner),
  );
  if (!row) throw new InvitationError('the link was already used, has expired or was revoked');
  return row;
}

function* invitations(where: string, value: SqlValue): SharedWork<InvitationRecord[]> {
  const found = yield* rows<Omit<InvitationRecord, 'owner'> & { owner: number }>(
    `SELECT ${INVITATIONS.select} FROM invitations WHERE ${where}`,
    value,
  );
  return found.map((row) => ({ ...row, owner: row.owner === 1 }));
}
