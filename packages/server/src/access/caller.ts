// The authenticated party behind a request or a stream: a key of an account, or a signed-in session.
import type { AccountState } from './account-state.ts';
import type { Quota } from './quota.ts';

/** What a caller has used since the last write to the store. */
export interface Meter {
  requests: number;
  errors: number;
  aiCalls: number;
  streamMs: number;
}

export interface Caller {
  /** Public id of the key or of the session. */
  readonly keyId: string;
  readonly scopes: ReadonlySet<string>;
  readonly account: AccountState;
  /** What its requests and streams count against: the quota of the account's keys, or that of its sessions. */
  readonly quota: Quota;
  readonly session: boolean;
  /** Path and query that a data link reads; `null` for a key or session, which may read anything. */
  readonly path: string | null;
  readonly meter: Meter;
  /** When a session ends at the latest, however much it is used. Epoch milliseconds; undefined for a key. */
  readonly endsAt?: number;
  /** Epoch milliseconds. */
  expiresAt: number;
  /** False once the key or session is revoked. Open streams check it. */
  valid: boolean;
  /** Epoch milliseconds; 0 if it was never used. */
  lastUsedAt: number;
}

/** Who did it, for the audit log: the account of a session, or a key. */
export const actorOf = ({ session, account, keyId }: Pick<Caller, 'session' | 'account' | 'keyId'>): string =>
  session ? account.publicId : keyId;

export const newMeter = (): Meter => ({ requests: 0, errors: 0, aiCalls: 0, streamMs: 0 });
