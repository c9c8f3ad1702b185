// Accounts, API keys, usage, idempotent responses and the audit log. Times are milliseconds since 1970.
import { StoreError } from '../errors/store-error.ts';
import type { Account, AccountStore, SessionRecord } from './account-store.ts';
import type { AuditStore } from './audit-store.ts';
import type { DocumentStore } from './document-store.ts';
import type { LogRequestStore } from './log-request-store.ts';
import type { TwoFactorStore } from './two-factor-store.ts';

/** The display name belongs, or once belonged, to another account. */
export class NameTakenError extends StoreError {
  override name = 'NameTakenError';
}

export interface KeyRecord {
  /** Public id: the part of the key that may be displayed. */
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly hash: Uint8Array;
  readonly scopes: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
  /** Path and query that a data link reads; absent or `null` for an API key. */
  readonly path?: string | null;
  /** The session in which it was made, or in which the key was made that made it; `null` or absent if there is none. */
  readonly session?: string | null;
  /** When that session was revoked; `null` or absent if it was not. */
  readonly sessionEndedAt?: number | null;
  /** The key of the first start, which passes to the owner. Only written, not read. */
  readonly demo?: boolean;
}

/** How much an account has used of its allowances. */
export interface UsageRecord {
  readonly accountId: number;
  /** Times of the REST requests that still count, ascending; −n after a time means n more at about that time. */
  readonly requests: readonly number[];
  /** UTC day (ms of its midnight) and the AI calls counted on it. */
  readonly aiDay: number;
  readonly aiCalls: number;
}

/** The response to a request with an idempotency key, kept in case the request is repeated. */
export interface IdempotentResponse {
  readonly accountId: number;
  readonly key: string;
  readonly bodyHash: Uint8Array;
  readonly response: string;
  readonly at: number;
}

/** Changed accounts, keys and sessions. */
export interface AccessDelta {
  /** The last of these changes. */
  readonly position: number;
  readonly accounts: readonly Account[];
  readonly keys: readonly KeyRecord[];
  readonly sessions: readonly SessionRecord[];
  readonly removedKeys: readonly string[];
  readonly removedSessions: readonly string[];
}

/** The changes of accounts, keys and sessions in order, so that a running service loads only the rows that changed. */
export interface ChangeLog {
  /** The number of the last change. */
  changePosition(): Promise<number>;
  /** The changes after `position`; `null` if they are too many or no longer known, so that everything must be loaded. */
  changesSince(position: number): Promise<AccessDelta | null>;
  /** Deletes all but the newest changes. */
  forgetChanges(): Promise<void>;
  /** Records that a running service has loaded all changes up to `position`. Repeat it every second. */
  reportLoaded(service: string, position: number): Promise<void>;
  /** The service has stopped. */
  forgetService(service: string): Promise<void>;
  /** The number of running services that have not loaded all changes up to `position`. */
  servicesBehind(position: number): Promise<number>;
}

/** Accounts and keys alone, until they are disposed of. */
export interface OpenedAccess extends AsyncDisposable {
  readonly access: AccessStore;
}

export interface AccessStore
  extends AccountStore,
    AuditStore,
    ChangeLog,
    DocumentStore,
    LogRequestStore,
    TwoFactorStore {
  /** Throws a NameTakenError if the name is or was in use. */
  createAccount(name: string, tier: string, at: number): Promise<Account>;
  accounts(): Promise<Account[]>;
  account(id: number): Promise<Account | undefined>;
  /** Marks the account as an example publisher. */
  markHouse(accountId: number): Promise<void>;
  setTier(accountId: number, tier: string): Promise<void>;
  /** Throws a NameTakenError if the name is or was in use by another account. */
  rename(accountId: number, name: string, at: number): Promise<void>;
  addKey(key: KeyRecord): Promise<void>;
  keys(): Promise<KeyRecord[]>;
  key(id: string): Promise<KeyRecord | undefined>;
  /** Oldest first. */
  keysOf(accountId: number): Promise<KeyRecord[]>;
  /** Deletes keys that were revoked or expired before `time`, except those of example publishers. Returns how many. */
  purgeKeys(time: number): Promise<number>;
  /** Moves the keys that a first start created to another account. Returns the ids of those that were not there yet. */
  moveDemoKeys(accountId: number): Promise<string[]>;
  revokeKey(id: string, at: number): Promise<void>;
  setKeyExpiry(id: string, at: number): Promise<void>;
  saveUsed(uses: readonly { readonly id: string; readonly at: number }[]): Promise<void>;
  usage(): Promise<UsageRecord[]>;
  /** Does not change counted AI calls: only `takeAiCall` counts them. */
  saveUsage(records: readonly UsageRecord[]): Promise<void>;
  /**
   * Counts one AI call on the UTC day (ms of its midnight) and returns the new count. Returns `null` and counts nothing if
   * the limit of the day is reached. Committed when it resolves, and exact with any number of concurrent callers.
   */
  takeAiCall(accountId: number, day: number, limit: number): Promise<number | null>;
  /** The same for one created key. */
  takeKeyCreation(accountId: number, day: number, limit: number): Promise<number | null>;
  /** The response stored for this key since `since`, if any. */
  idempotentResponse(accountId: number, key: string, since: number): Promise<IdempotentResponse | undefined>;
  rememberResponse(response: IdempotentResponse): Promise<void>;
  /** Deletes all but the newest responses of an account. Of those stored in the same millisecond, all or none stay. */
  trimResponses(accountId: number, keep: number): Promise<void>;
  /** Deletes responses stored before `time`. */
  forgetResponses(time: number): Promise<void>;
  /** Changes within a second after another process has written; may also change after this process has written. */
  version(): number;
}
