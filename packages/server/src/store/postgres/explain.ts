// Failures of PostgreSQL, and of the way to it, in words that say what to do.
import { DatabaseError } from 'pg';
import { StoreError } from '../store.ts';

/** The answer to a COMMIT did not come: it may have been done or not. */
export class CommitUnknownError extends StoreError {
  override name = 'CommitUnknownError';
}

/** By the beginning of the SQLSTATE. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^57P0/, 'is stopping or starting: it is tried again'],
  [/^(28|0P)/, 'does not let this user in: check user, password and pg_hba.conf'],
  [/^3D000/, 'does not exist: create it with createdb'],
  [/^42501/, 'does not let this user do that: it must own the schemas of Tickwire'],
  [/^(42P01|3F000|42703)/, 'has another schema than this Tickwire needs: run "tickwire migrate"'],
  [/^53300/, 'has no connection left: raise max_connections, or stop what takes them'],
  [/^(53100|53200)/, 'has no room left: make some on its disk'],
  [/^(55P03|40P01|40001)/, 'is being changed by another process: it is tried again'],
  [/^57014/, 'took too long'],
  [/^25006/, 'is read-only: point the address at the primary'],
  [/^08/, 'is away: the connection was lost'],
  [/^25P03/, 'was left waiting within a transaction, and gave up'],
];

/** How the driver says that the connection is of no use any more. */
const LOST = /terminated|timeout|closed|not queryable|socket|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|certificate/i;

export function explain(shown: string, error: unknown): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error;
  if (error instanceof DatabaseError) {
    const code = error.code ?? 'no code';
    const remedy = REMEDIES.find(([pattern]) => pattern.test(code))?.[1];
    return new StoreError(`${shown} ${remedy ?? 'failed'} (${code}: ${error.message})`, { cause: error });
  }
  const code = (error as NodeJS.ErrnoException).code;
  if (isLost(error)) return new StoreError(`${shown} is away: ${error.message || code}`, { cause: error });
  return error;
}

/** The connection must not be used again. */
export function isLost(error: unknown): boolean {
  if (error instanceof StoreError) return error.cause !== undefined && isLost(error.cause);
  if (error instanceof DatabaseError) return /^(57P0|08|25P03)/.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as NodeJS.ErrnoException;
  return LOST.test(error.message) || LOST.test(code) || /^(ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|CERT_)/.test(code);
}
