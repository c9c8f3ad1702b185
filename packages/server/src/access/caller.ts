// Who is behind a request or a stream: a key of an account, or a signed-in session.
import type { AccountState } from './account-state.ts';

/** What a caller has used since it was last written down. */
export interface Meter {
  requests: number;
  errors: number;
  aiCalls: number;
  streamMs: number;
}

export interface Caller {
  /** Public id of the key, or of the session. */
  readonly keyId: string;
  readonly scopes: ReadonlySet<string>;
  /** What its requests and streams count against; `holder` is the account it acts for. */
  readonly account: AccountState;
  readonly session: boolean;
  readonly meter: Meter;
  expiresAt: number;
  /** False once the key is revoked or gone; open streams look at it. */
  valid: boolean;
  lastUsedAt: number;
}

export const newMeter = (): Meter => ({ requests: 0, errors: 0, aiCalls: 0, streamMs: 0 });

/** The caller as the account itself: for what is written down under the account, whatever the call counts against. */
export const acting = (caller: Caller): Caller =>
  caller.session ? { ...caller, account: caller.account.holder } : caller;
