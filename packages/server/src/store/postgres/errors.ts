// Turns errors of PostgreSQL and of the connection into a StoreError that says what to do.
import { DatabaseError } from 'pg';
import { StoreError } from '../../errors/store-error.ts';

/** The connection was lost during COMMIT: the transaction may or may not be committed. */
export class CommitUnknownError extends StoreError {
  override name = 'CommitUnknownError';
}

/** By the beginning of the SQLSTATE. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^57P0/, 'is stopping or starting: retrying'],
  [/^(28|0P)/, 'rejects this user: check user, password and pg_hba.conf'],
  [/^3D000/, 'does not exist: create it with createdb'],
  [/^42501/, 'denies permission: the user must own the schemas of Tickwire'],
  [/^(42P01|3F000|42703)/, 'does not have the schema this Tickwire needs: run "tickwire migrate"'],
  [/^53300/, 'has no free connections: raise max_connections, or stop other clients'],
  [/^(53100|53200)/, 'is out of disk space or memory: free some on the server'],
  [/^(55P03|40P01|40001)/, 'is being changed by another process: retrying'],
  [/^57014/, 'took too long'],
  [/^25006/, 'is read-only: point the address at the primary'],
  [/^08/, 'is unreachable: the connection was lost'],
  [/^25P03/, 'ended a transaction that was idle for too long'],
];

/** How the driver reports a broken connection. */
const LOST = /terminated|timeout|closed|not queryable|socket|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|certificate/i;

export function toStoreError(shown: string, error: unknown): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error;
  if (error instanceof DatabaseError) {
    const code = error.code ?? 'no code';
    const remedy = REMEDIES.find(([pattern]) => pattern.test(code))?.[1];
    return new StoreError(`${shown} ${remedy ?? 'failed'} (${code}: ${error.message})`, { cause: error });
  }
  const code = (error as NodeJS.ErrnoException).code;
  if (isLost(error)) return new StoreError(`${shown} is unreachable: ${error.message || code}`, { cause: error });
  return error;
}

/** Whether the connection must not be used again. */
export function isLost(error: unknown): boolean {
  if (error instanceof StoreError) return error.cause !== undefined && isLost(error.cause);
  if (error instanceof DatabaseError) return /^(57P0|08|25P03)/.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as NodeJS.ErrnoException;
  return LOST.test(error.message) || LOST.test(code) || /^(ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|CERT_)/.test(code);
}
