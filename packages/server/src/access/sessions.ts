// Signed-in sessions, all in memory. A session is identified by the hash of the token in its cookie. It ends some time after
// the sign-in (30 days by default), and earlier if it is not used for some time (12 hours by default).
import { DAY_MS, HOUR_MS } from '@tickwire/engine';
import { sha256 } from '../ops/sha256.ts';
import type { SessionRecord } from '../store/account-store.ts';
import type { AccountState } from './account-state.ts';
import { type Caller, newMeter } from './caller.ts';
import { callerNetwork } from './client-address.ts';

export interface SessionLifetime {
  /** From the sign-in to the end, however much the session is used. Milliseconds. */
  readonly maxMs: number;
  /** From the last use to the end. Milliseconds. */
  readonly idleMs: number;
}

export const DEFAULT_LIFETIME: SessionLifetime = { maxMs: 30 * DAY_MS, idleMs: 12 * HOUR_MS };

export interface SessionEntry {
  readonly record: SessionRecord;
  readonly caller: Caller;
}

/** A token has 160 random bits, so a fast hash is enough. */
export const hashToken = (token: string): Uint8Array => sha256(token);

export class SessionTable {
  /** By the hash of the token, in hex. */
  #byHash = new Map<string, SessionEntry>();
  readonly lifetime: SessionLifetime;

  constructor(lifetime = DEFAULT_LIFETIME) {
    this.lifetime = lifetime;
  }

  /** The caller that a session token belongs to, or `null` if the session is unknown or has ended. */
  authenticate(token: string, now: number): Caller | null {
    const caller = this.#byHash.get(hex(hashToken(token)))?.caller;
    return caller?.valid && caller.expiresAt > now ? caller : null;
  }

  /** The sessions of an account, oldest first. */
  of(account: AccountState, now: number): SessionEntry[] {
    return this.all(now).filter(({ caller }) => caller.account === account);
  }

  /** All sessions that have not ended. */
  all(now: number): SessionEntry[] {
    return [...this.#byHash.values()].filter(({ caller }) => caller.valid && caller.expiresAt > now);
  }

  /** Whether the account has a session that was started from the network of this address. */
  hasNetwork(account: AccountState, address: string, now: number): boolean {
    const network = callerNetwork(address);
    return this.of(account, now).some(({ record }) => callerNetwork(record.address) === network);
  }

  /** Marks the session as used, here or by another gateway. */
  touch(caller: Caller, at: number): void {
    caller.lastUsedAt = at;
    caller.expiresAt = Math.min(caller.endsAt ?? Number.POSITIVE_INFINITY, at + this.lifetime.idleMs);
  }

  /** Applies uses that other gateways have stored. */
  applyUses(records: readonly SessionRecord[]): void {
    for (const { hash, seenAt } of records) {
      const caller = this.#byHash.get(hex(hash))?.caller;
      if (caller && seenAt > caller.lastUsedAt) this.touch(caller, seenAt);
    }
  }

  /** The ids of expired sessions. */
  expired(now: number): string[] {
    return [...this.#byHash.values()].filter(({ caller }) => caller.expiresAt <= now).map(({ record }) => record.id);
  }

  /** Replaces all sessions by the records of the store. Open streams hold on to callers, so known ones are updated. */
  replace(records: readonly SessionRecord[], accountOf: (id: number) => AccountState): void {
    const before = this.#byHash;
    this.#byHash = new Map();
    for (const record of records) {
      const known = before.get(hex(record.hash));
      if (known) this.#set(known, accountOf(record.accountId));
      else this.add(record, accountOf(record.accountId));
    }
    for (const [hash, { caller }] of before) if (!this.#byHash.has(hash)) caller.valid = false;
  }

  add(record: SessionRecord, account: AccountState): SessionEntry {
    const session: SessionEntry = {
      record,
      caller: {
        keyId: record.id,
        scopes: new Set(['read', 'alerts', 'publish', ...(account.owner ? ['admin'] : [])]),
        account,
        quota: account.sessionQuota,
        session: true,
        path: null,
        meter: newMeter(),
        endsAt: record.createdAt + this.lifetime.maxMs,
        expiresAt: 0,
        valid: true,
        lastUsedAt: record.seenAt,
      },
    };
    this.touch(session.caller, record.seenAt);
    this.#set(session, account);
    return session;
  }

  /** Adds a session, or does nothing if it is known. */
  put(record: SessionRecord, account: AccountState): void {
    if (!this.#byHash.has(hex(record.hash))) this.add(record, account);
  }

  /** Applies a change of the account to its sessions. */
  refreshAccount(account: AccountState): void {
    for (const session of this.#byHash.values()) if (session.caller.account === account) this.#set(session, account);
  }

  remove(ids: readonly string[]): void {
    if (ids.length === 0) return;
    const gone = new Set(ids);
    for (const [hash, { record, caller }] of this.#byHash) {
      if (!gone.has(record.id)) continue;
      caller.valid = false;
      this.#byHash.delete(hash);
    }
  }

  #set(session: SessionEntry, { disabled, deleted }: AccountState): void {
    session.caller.valid = !disabled && !deleted;
    this.#byHash.set(hex(session.record.hash), session);
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
