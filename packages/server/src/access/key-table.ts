// API keys, all in memory: authenticates a key and finds the keys of an account. Open streams hold on to callers, so known
// ones are updated in place.
import type { KeyRecord } from '../store/store.ts';
import type { AccountState } from './account-state.ts';
import { type Caller, newMeter } from './caller.ts';
import { keyId, matchesHash } from './key-format.ts';

/** Size of the cache of verified keys, which need no hashing again. */
const MAX_VERIFIED = 20_000;

/** What the caller of a data link may do, at its path. */
const LINK_SCOPES = ['read'];

interface KeyEntry {
  record: KeyRecord;
  readonly caller: Caller;
}

export class KeyTable {
  /** By public id, oldest first. */
  readonly #byId = new Map<string, KeyEntry>();
  /** By the number of the account, then by public id. */
  readonly #byAccount = new Map<number, Map<string, KeyEntry>>();
  /** By the full key, once its hash was verified. */
  readonly #verified = new Map<string, Caller>();
  /** By their names. Keys with the same scopes share one set, so that it stays in the processor's caches. */
  readonly #scopes = new Map<string, ReadonlySet<string>>();

  get size(): number {
    return this.#byId.size;
  }

  /** The caller that a key belongs to, or `null` if the key is unknown, expired, revoked or a data link. */
  authenticate(key: string, now: number): Caller | null {
    const caller = this.#valid(key, now);
    return caller?.path === null ? caller : null;
  }

  /** The same for the token of a data link. */
  authenticateLink(token: string, now: number): Caller | null {
    const caller = this.#valid(token, now);
    return caller?.path === null ? null : caller;
  }

  #valid(key: string, now: number): Caller | null {
    const caller = this.#verified.get(key) ?? this.#verify(key);
    return caller?.valid && caller.expiresAt > now ? caller : null;
  }

  /** The callers of all keys, revoked and expired ones included. */
  callers(): Caller[] {
    return [...this.#byId.values()].map(({ caller }) => caller);
  }

  /** The keys of an account, oldest first. */
  of({ id }: AccountState): KeyRecord[] {
    return [...(this.#byAccount.get(id)?.values() ?? [])].map(({ record }) => record);
  }

  callerOf(id: string): Caller | undefined {
    return this.#byId.get(id)?.caller;
  }

  /** Replaces all keys by the records of the store. */
  replace(records: readonly KeyRecord[], accountOf: (id: number) => AccountState): void {
    const gone = new Set(this.#byId.keys());
    for (const record of records) {
      gone.delete(record.id);
      this.put(record, accountOf(record.accountId));
    }
    for (const id of gone) this.remove(id);
  }

  /** Adds a key, or applies a changed record. */
  put(record: KeyRecord, account: AccountState): void {
    const known = this.#byId.get(record.id);
    const scopes = this.#scopesOf(record);
    const expiresAt = record.expiresAt ?? Number.POSITIVE_INFINITY;
    const valid = record.revokedAt === null && !account.disabled;
    if (known) {
      known.record = record;
      if (known.caller.account !== account) {
        this.#byAccount.get(known.caller.account.id)?.delete(record.id);
        this.#index(account, known);
      }
      Object.assign(known.caller, { scopes, expiresAt, valid, account, quota: account.quota });
      return;
    }
    const caller: Caller = {
      keyId: record.id,
      scopes,
      account,
      quota: account.quota,
      session: false,
      path: record.path ?? null,
      meter: newMeter(),
      expiresAt,
      valid,
      lastUsedAt: record.lastUsedAt ?? 0,
    };
    const entry = { record, caller };
    this.#byId.set(record.id, entry);
    this.#index(account, entry);
  }

  #index({ id }: AccountState, entry: KeyEntry): void {
    const ofAccount = this.#byAccount.get(id) ?? new Map<string, KeyEntry>();
    this.#byAccount.set(id, ofAccount.set(entry.record.id, entry));
  }

  remove(id: string): void {
    const entry = this.#byId.get(id);
    if (!entry) return;
    // Also for open streams and for the cache of verified keys.
    entry.caller.valid = false;
    this.#byId.delete(id);
    this.#byAccount.get(entry.caller.account.id)?.delete(id);
  }

  /** Applies a change of the account to its keys. */
  refreshAccount({ id, disabled }: AccountState): void {
    for (const { record, caller } of this.#byAccount.get(id)?.values() ?? [])
      caller.valid = record.revokedAt === null && !disabled;
  }

  #scopesOf({ path, scopes }: KeyRecord): ReadonlySet<string> {
    const names = path ? LINK_SCOPES : scopes;
    const name = names.join(' ');
    const shared = this.#scopes.get(name) ?? new Set(names);
    this.#scopes.set(name, shared);
    return shared;
  }

  #verify(key: string): Caller | null {
    const id = keyId(key);
    const entry = id === undefined ? undefined : this.#byId.get(id);
    if (!entry || !matchesHash(key, entry.record.hash)) return null;
    if (this.#verified.size >= MAX_VERIFIED) this.#verified.delete(this.#verified.keys().next().value!);
    this.#verified.set(key, entry.caller);
    return entry.caller;
  }
}
