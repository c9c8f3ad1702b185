// Signed-in sessions, all of them in memory as the keys are. A session is known by the hash of the token in its cookie, and
// ends thirty days after it was last seen.
import { createHash } from 'node:crypto';
import type { SessionRecord } from '../store/account-records.ts';
import { type AccountState, SessionAccount } from './account-state.ts';
import { type Caller, newMeter } from './caller.ts';
import { callerNetwork } from './client-address.ts';

export const SESSION_MS = 30 * 86_400_000;

export interface Session {
  readonly record: SessionRecord;
  readonly caller: Caller;
}

/** A token of 160 random bits needs no slow hash. */
export const hashToken = (token: string): Uint8Array => createHash('sha256').update(token).digest();

export class Sessions {
  /** By the hash of the token, in hex. */
  #byHash = new Map<string, Session>();

  /** The caller behind a cookie, or null. */
  authenticate(token: string, now: number): Caller | null {
    const caller = this.#byHash.get(hex(hashToken(token)))?.caller;
    return caller?.valid && caller.expiresAt > now ? caller : null;
  }

  /** Those of an account, the oldest first. */
  of(account: AccountState, now: number): Session[] {
    return this.all(now).filter(({ caller }) => caller.account.holder === account.holder);
  }

  /** Those that have not expired. */
  all(now: number): Session[] {
    return [...this.#byHash.values()].filter(({ caller }) => caller.valid && caller.expiresAt > now);
  }

  /** Whether the account has a session that came from this network. */
  knows(account: AccountState, address: string, now: number): boolean {
    const network = callerNetwork(address);
    return this.of(account, now).some(({ record }) => callerNetwork(record.address) === network);
  }

  /** Ids of those that have ended by themselves. */
  expired(now: number): string[] {
    return [...this.#byHash.values()].filter(({ caller }) => caller.expiresAt <= now).map(({ record }) => record.id);
  }

  /** Takes over what the store has. Streams hold the caller they came with: it must keep telling the truth. */
  replace(records: readonly SessionRecord[], accountOf: (id: number) => AccountState): void {
    const before = this.#byHash;
    this.#byHash = new Map();
    for (const record of records) {
      const account = accountOf(record.accountId);
      const known = before.get(hex(record.hash));
      if (known) this.#keep(known, account);
      else this.add(record, account);
    }
    for (const [hash, { caller }] of before) if (!this.#byHash.has(hash)) caller.valid = false;
  }

  add(record: SessionRecord, account: AccountState): Session {
    const session: Session = {
      record,
      caller: {
        keyId: record.id,
        scopes: new Set(account.owner ? ['read', 'publish', 'admin'] : ['read', 'publish']),
        account: new SessionAccount(account),
        session: true,
        meter: newMeter(),
        expiresAt: record.seenAt + SESSION_MS,
        valid: true,
        lastUsedAt: record.seenAt,
      },
    };
    this.#keep(session, account);
    return session;
  }

  remove(ids: readonly string[]): void {
    for (const [hash, { record, caller }] of this.#byHash) {
      if (!ids.includes(record.id)) continue;
      caller.valid = false;
      this.#byHash.delete(hash);
    }
  }

  #keep(session: Session, { disabled, deleted }: AccountState): void {
    session.caller.valid = !disabled && !deleted;
    this.#byHash.set(hex(session.record.hash), session);
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
