// TwoFactorStore in SQL that both SQLite and PostgreSQL understand.
import type { TwoFactorRecord, TwoFactorStore } from '../two-factor-store.ts';
import { change, rows, run, runFor, type SharedWork, type SqlValue, type WorkRunner } from './shared-work.ts';

export function createTwoFactorStore({ read, share }: WorkRunner): TwoFactorStore {
  return {
    twoFactorOf: (accountId) =>
      read(function* () {
        const [row] = yield* rows<TwoFactorRecord>(
          `SELECT account_id AS "accountId", secret, created_at AS "createdAt", confirmed_at AS "confirmedAt"
           FROM two_factor WHERE account_id = $1`,
          accountId,
        );
        return row ?? null;
      }),
    startTwoFactor: ({ accountId, secret, at }) =>
      share(() =>
        changed(
          `INSERT INTO two_factor (account_id, secret, created_at, last_step) VALUES ($1, $2, $3, 0)
           ON CONFLICT (account_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at, last_step = 0
           WHERE two_factor.confirmed_at IS NULL`,
          accountId,
          secret,
          at,
        ),
      ),
    confirmTwoFactor: (accountId, codeHashes, at) =>
      share(function* () {
        const confirm = 'UPDATE two_factor SET confirmed_at = $1 WHERE account_id = $2 AND confirmed_at IS NULL';
        if (!(yield* changed(confirm, at, accountId))) return false;
        yield* run('DELETE FROM recovery_codes WHERE account_id = $1', accountId);
        yield* runFor(
          'INSERT INTO recovery_codes (account_id, hash) SELECT r.account, r.code FROM {records} WHERE true',
          { account: 'int', code: 'bytes' },
          codeHashes.map((code) => ({ account: accountId, code })),
        );
        return true;
      }),
    useTimeStep: (accountId, step) =>
      share(() =>
        changed('UPDATE two_factor SET last_step = $1 WHERE account_id = $2 AND last_step < $1', step, accountId),
      ),
    useRecoveryCode: (accountId, hash, at) =>
      share(() =>
        changed(
          'UPDATE recovery_codes SET used_at = $1 WHERE account_id = $2 AND hash = $3 AND used_at IS NULL',
          at,
          accountId,
          hash,
        ),
      ),
    recoveryCodesLeft: (accountId) =>
      read(function* () {
        const text = 'SELECT count(*) AS count FROM recovery_codes WHERE account_id = $1 AND used_at IS NULL';
        return (yield* rows<{ count: number }>(text, accountId))[0]!.count;
      }),
    deleteTwoFactor: (accountId) => share(() => dropTwoFactor(accountId)),
  };
}

/** Whether the statement changed anything. */
function* changed(text: string, ...values: readonly SqlValue[]): SharedWork<boolean> {
  return (yield* change(text, ...values)) > 0;
}

/** Deletes everything about two-factor sign-in of an account. Must be called in a transaction. */
export function* dropTwoFactor(accountId: number): SharedWork<boolean> {
  yield* run('DELETE FROM recovery_codes WHERE account_id = $1', accountId);
  return yield* changed('DELETE FROM two_factor WHERE account_id = $1', accountId);
}
