// Authentication and quotas: all keys, accounts and sessions in memory, so that checking one touches no database. Changes
// by other processes, such as the command line, are picked up within a fraction of a second.
import type { Tier } from '@tickwire/contract';
import { MINUTE_MS } from '@tickwire/engine';
import type { Log } from '../ops/log.ts';
import type { Account } from '../store/account-store.ts';
import type { AccessStore, KeyRecord, UsageRecord } from '../store/store.ts';
import { AccountState } from './account-state.ts';
import { type Caller, newMeter } from './caller.ts';
import { keyId, matchesHash } from './key-format.ts';
import { type SessionLifetime, SessionTable } from './sessions.ts';
import { UsageRecorder } from './usage-recorder.ts';

export type { AccountState } from './account-state.ts';
export type { Caller } from './caller.ts';

/** Size of the cache of verified keys, which need no hashing again. */
const MAX_VERIFIED = 20_000;
/** How often the last use of a key or session is written. */
const LAST_USE_MS = MINUTE_MS;

export interface KeyringOptions {
  readonly store: AccessStore;
  readonly tiers: Readonly<Record<string, Tier>>;
  readonly log: Log;
  readonly now: () => number;
  /** Default: 30 days after the sign-in, 12 hours without use. */
  readonly sessionLifetime?: SessionLifetime;
}

export class Keyring {
  readonly sessions: SessionTable;
  readonly usage: UsageRecorder;
  readonly #options: KeyringOptions;
  #version = -1;
  #records = new Map<string, KeyRecord>();
  readonly #accounts = new Map<number, AccountState>();
  /** By public id and by name in lower case. */
  #byName = new Map<string, AccountState>();
  /** By public id of the key. */
  #callers = new Map<string, Caller>();
  /** By the full key, once its hash was verified. */
  #verified = new Map<string, Caller>();
  readonly #used = new Set<Caller>();
  readonly #lastUseSavedAt = new WeakMap<Caller, number>();
  /** Serializes changes, so that none is undone by a reload that started earlier. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: KeyringOptions) {
    this.#options = options;
    this.sessions = new SessionTable(options.sessionLifetime);
    this.usage = new UsageRecorder(options.store, () => this.#used);
  }

  async load(): Promise<void> {
    const { store, now } = this.#options;
    this.#version = store.version();
    const usage = new Map((await store.usage()).map((record) => [record.accountId, record]));
    await this.#apply(usage, now());
  }

  /** Loads changes by other processes; returns whether there were any. */
  async refresh(): Promise<boolean> {
    const version = this.#options.store.version();
    if (version === this.#version) return false;
    this.#version = version;
    await this.reload();
    return true;
  }

  /** Loads changes by this process, which the store's version does not cover. */
  async reload(): Promise<void> {
    try {
      await this.exclusively(() => this.#apply(new Map(), this.#options.now()));
    } catch (error) {
      // The next refresh retries.
      this.#version = -1;
      throw error;
    }
  }

  /** Runs a change of the store and of the keyring while nothing else changes or reloads either. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => {});
    return done;
  }

  /** The caller that a key belongs to, or `null` if the key is unknown, expired or revoked. */
  authenticate(key: string, now: number): Caller | null {
    const caller = this.#verified.get(key) ?? this.#verify(key);
    if (!caller?.valid || caller.expiresAt <= now) return null;
    return caller;
  }

  /** Counts a REST request against the caller's quota; returns false if the quota is used up. */
  takeRequest(caller: Caller, now: number): boolean {
    if (!caller.quota.requests.take(now)) return false;
    this.recordRequest(caller, now);
    return true;
  }

  /** Records a request that was allowed, by this process or by the shared limiter of a cluster. */
  recordRequest(caller: Caller, now: number): void {
    caller.meter.requests++;
    this.touch(caller, now);
  }

  /** Marks the key or session as used now. An open stream counts as use. */
  touch(caller: Caller, now: number): void {
    if (caller.session) this.sessions.touch(caller, now);
    else caller.lastUsedAt = now;
    this.#used.add(caller);
  }

  /** Records an error response to an authenticated request. */
  recordError(caller: Caller): void {
    caller.meter.errors++;
    this.usage.add(caller);
  }

  /** Records a completed AI call. */
  recordAiCall(caller: Caller): void {
    caller.meter.aiCalls++;
    this.usage.add(caller);
  }

  get size(): number {
    return this.#callers.size;
  }

  /** Every account that is not deleted. */
  accounts(): AccountState[] {
    return [...this.#accounts.values()].filter(({ deleted }) => !deleted);
  }

  hasOwner(): boolean {
    return this.accounts().some(({ owner }) => owner);
  }

  /** An account by its public id or its display name, case-insensitive. */
  account(name: string): AccountState | undefined {
    const found = this.#byName.get(name.normalize('NFC').toLowerCase());
    return found?.deleted ? undefined : found;
  }

  /** The callers of all keys, revoked and expired ones included. */
  callers(): Caller[] {
    return [...this.#callers.values()];
  }

  /** The keys of an account, oldest first. */
  keysOf({ id }: AccountState): KeyRecord[] {
    return [...this.#records.values()].filter(({ accountId }) => accountId === id);
  }

  /** When a key was last used (epoch milliseconds), or `null` if never. Memory is ahead of the store. */
  lastUsedAt(id: string): number | null {
    return this.#callers.get(id)?.lastUsedAt || null;
  }

  /** The display name of the account with a public id. */
  nameOf(publicId: string): string | undefined {
    return this.#byName.get(publicId)?.name;
  }

  /** The public id of an account, by its display name (case-insensitive) or its public id. */
  publisherOf(name: string): string | undefined {
    return this.#byName.get(name.normalize('NFC').toLowerCase())?.publicId;
  }

  /** Saves the usage since the last call. */
  async save(): Promise<void> {
    if (this.#used.size === 0) return;
    const used = [...this.#used];
    this.#used.clear();
    for (const caller of used) this.usage.add(caller);
    const now = this.#options.now();
    try {
      // The quota of a session starts over with a restart.
      const accounts = new Set(used.filter(({ session }) => !session).map(({ account }) => account));
      await this.#options.store.saveUsage(
        [...accounts].map(({ id, quota, aiDay, aiCalls }) => ({
          accountId: id,
          requests: quota.requests.saved(now),
          aiDay,
          aiCalls,
        })),
      );
      await this.#saveLastUse(used, now);
    } catch (error) {
      for (const caller of used) this.#used.add(caller);
      throw error;
    }
  }

  /** Last use is reported to the minute, so it is saved at most once a minute for each key and session. */
  async #saveLastUse(used: readonly Caller[], now: number): Promise<void> {
    const due = used.filter((caller) => now - (this.#lastUseSavedAt.get(caller) ?? 0) >= LAST_USE_MS);
    if (due.length === 0) return;
    const uses = (session: boolean) =>
      due
        .filter((caller) => caller.session === session)
        .map(({ keyId: id, lastUsedAt }) => ({ id, at: Math.floor(lastUsedAt) }));
    await this.#options.store.saveUsed(uses(false));
    await this.#options.store.saveSeen(uses(true));
    for (const caller of due) this.#lastUseSavedAt.set(caller, now);
  }

  #verify(key: string): Caller | null {
    const id = keyId(key);
    const record = id === undefined ? undefined : this.#records.get(id);
    if (!record || !matchesHash(key, record.hash)) return null;
    const caller = this.#callers.get(record.id)!;
    if (this.#verified.size >= MAX_VERIFIED) this.#verified.delete(this.#verified.keys().next().value!);
    this.#verified.set(key, caller);
    return caller;
  }

  async #apply(usage: ReadonlyMap<number, UsageRecord>, now: number): Promise<void> {
    const { store } = this.#options;
    const [accounts, keys, sessions] = [await store.accounts(), await store.keys(), await store.sessions()];
    for (const account of accounts) {
      const tier = this.#tier(account);
      const known = this.#accounts.get(account.id);
      if (known) known.update(account, tier, now);
      else this.#accounts.set(account.id, new AccountState(account, tier, usage.get(account.id), now));
    }
    const states = [...this.#accounts.values()];
    this.#byName = new Map(states.map((state) => [state.name.toLowerCase(), state]));
    // Public ids win over names. No name can equal one: names in the form of a public id are rejected.
    for (const state of states) this.#byName.set(state.publicId, state);
    const before = this.#callers;
    this.#records = new Map(keys.map((key) => [key.id, key]));
    this.#callers = new Map();
    this.#verified = new Map();
    for (const key of keys) {
      const account = this.#accounts.get(key.accountId)!;
      const known = before.get(key.id);
      const caller: Caller = {
        keyId: key.id,
        scopes: new Set(key.scopes),
        account,
        quota: account.quota,
        session: false,
        meter: known?.meter ?? newMeter(),
        expiresAt: key.expiresAt ?? Number.POSITIVE_INFINITY,
        valid: key.revokedAt === null && !account.disabled,
        lastUsedAt: known?.lastUsedAt ?? key.lastUsedAt ?? 0,
      };
      // Open streams hold on to this object, so it is updated in place.
      if (known) Object.assign(known, caller);
      this.#callers.set(key.id, known ?? caller);
    }
    for (const [id, caller] of before) if (!this.#callers.has(id)) caller.valid = false;
    this.sessions.replace(sessions, (id) => this.#accounts.get(id)!);
  }

  #tier({ name: account, tier: name }: Account): Tier {
    const tier = this.#options.tiers[name];
    if (tier) return tier;
    this.#options.log.warn('account has a tier that is not configured; using the free tier', {
      account,
      tier: name,
    });
    return this.#options.tiers.free!;
  }
}
