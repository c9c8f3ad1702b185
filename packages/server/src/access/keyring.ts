// Who may call, and how much. All keys, accounts and sessions are in memory, so that checking one touches no database; what
// other processes change (the command line) is taken over within a fraction of a second.
import type { Tier } from '@tickwire/contract';
import type { Log } from '../ops/log.ts';
import type { AccessStore, Account, KeyRecord, UsageRecord } from '../store/store.ts';
import { AccountState } from './account-state.ts';
import { type Caller, newMeter } from './caller.ts';
import { keyId, matchesHash } from './key-format.ts';
import { SESSION_MS, Sessions } from './sessions.ts';
import { UsageHistory } from './usage-history.ts';

export type { AccountState } from './account-state.ts';
export type { Caller } from './caller.ts';

/** Keys that were verified and need no hashing again. */
const MAX_VERIFIED = 20_000;
const LAST_USE_MS = 60_000;

export interface KeyringOptions {
  readonly store: AccessStore;
  readonly tiers: Readonly<Record<string, Tier>>;
  readonly log: Log;
  readonly now: () => number;
}

export class Keyring {
  readonly sessions = new Sessions();
  readonly history: UsageHistory;
  readonly #options: KeyringOptions;
  #version = -1;
  #records = new Map<string, KeyRecord>();
  readonly #accounts = new Map<number, AccountState>();
  /** By public id, and by name in lower case. */
  #byName = new Map<string, AccountState>();
  /** By public id of the key. */
  #callers = new Map<string, Caller>();
  /** By the whole key, once its hash was found right. */
  #verified = new Map<string, Caller>();
  readonly #used = new Set<Caller>();
  readonly #lastUseSaved = new WeakMap<Caller, number>();
  /** Changes to what is in memory wait for each other: none is undone by one that began earlier. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: KeyringOptions) {
    this.#options = options;
    this.history = new UsageHistory(options.store, () => this.#used);
  }

  async load(): Promise<void> {
    const { store, now } = this.#options;
    this.#version = store.version();
    const usage = new Map((await store.usage()).map((record) => [record.accountId, record]));
    await this.#take(usage, now());
  }

  /** Takes over what other processes wrote; true where they did. */
  async refresh(): Promise<boolean> {
    const version = this.#options.store.version();
    if (version === this.#version) return false;
    this.#version = version;
    await this.reload();
    return true;
  }

  /** Takes over what this process wrote: the version tells only of others. */
  async reload(): Promise<void> {
    try {
      await this.inTurn(() => this.#take(new Map(), this.#options.now()));
    } catch (error) {
      // The next look tries again.
      this.#version = -1;
      throw error;
    }
  }

  /** Runs a change of the store and of what is in memory while nothing else is taken over. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  /** The caller behind a key, or null. */
  authenticate(key: string, now: number): Caller | null {
    const caller = this.#verified.get(key) ?? this.#verify(key);
    if (!caller?.valid || caller.expiresAt <= now) return null;
    return caller;
  }

  /** Counts a REST request; false where the allowance is used up. */
  take(caller: Caller, now: number): boolean {
    if (!caller.account.minute.take(now)) return false;
    this.counted(caller, now);
    return true;
  }

  /** A request that was allowed, here or by who counts over all gateways. */
  counted(caller: Caller, now: number): void {
    caller.meter.requests++;
    this.touch(caller, now);
  }

  /** A stream was opened with the key, or is open in the session: it counts as used. */
  touch(caller: Caller, now: number): void {
    caller.lastUsedAt = now;
    if (caller.session) caller.expiresAt = now + SESSION_MS;
    this.#used.add(caller);
  }

  /** A request of a valid caller was answered with an error. */
  failed(caller: Caller): void {
    caller.meter.errors++;
    this.history.note(caller);
  }

  /** An AI call was answered. */
  asked(caller: Caller): void {
    caller.meter.aiCalls++;
    this.history.note(caller);
  }

  get size(): number {
    return this.#callers.size;
  }

  /** Every account that was not deleted. */
  accounts(): AccountState[] {
    return [...this.#accounts.values()].filter(({ deleted }) => !deleted);
  }

  hasOwner(): boolean {
    return this.accounts().some(({ owner }) => owner);
  }

  /** By its public id, or by its display name whatever the case. */
  account(name: string): AccountState | undefined {
    const found = this.#byName.get(name.normalize('NFC').toLowerCase());
    return found?.deleted ? undefined : found;
  }

  /** Of every key there ever was. */
  callers(): Caller[] {
    return [...this.#callers.values()];
  }

  /** As they were made, the oldest first. */
  keysOf({ holder: { id } }: AccountState): KeyRecord[] {
    return [...this.#records.values()].filter(({ accountId }) => accountId === id);
  }

  /** When a key was last used, which memory knows before the store does; null where it never was. */
  lastUse(id: string): number | null {
    return this.#callers.get(id)?.lastUsedAt || null;
  }

  /** Display name of an account by its public id. */
  nameOf(publicId: string): string | undefined {
    return this.#byName.get(publicId)?.name;
  }

  /** Public id of an account by its display name, whatever the case, or by itself. */
  publisherOf(name: string): string | undefined {
    return this.#byName.get(name.normalize('NFC').toLowerCase())?.publicId;
  }

  /** Writes what was used since the last call. */
  async save(): Promise<void> {
    if (this.#used.size === 0) return;
    const used = [...this.#used];
    this.#used.clear();
    for (const caller of used) this.history.note(caller);
    const now = this.#options.now();
    try {
      // A session's own count is not worth keeping over a restart.
      const accounts = new Set(used.filter(({ session }) => !session).map(({ account }) => account));
      await this.#options.store.saveUsage(
        [...accounts].map(({ id, minute, aiDay, aiCalls }) => ({
          accountId: id,
          requests: minute.saved(now),
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

  /** When a key or a session was last used is told to the minute; saving it with every request would be a row per key and flush. */
  async #saveLastUse(used: readonly Caller[], now: number): Promise<void> {
    const due = used.filter((caller) => now - (this.#lastUseSaved.get(caller) ?? 0) >= LAST_USE_MS);
    if (due.length === 0) return;
    const uses = (session: boolean) =>
      due
        .filter((caller) => caller.session === session)
        .map(({ keyId: id, lastUsedAt }) => ({ id, at: Math.floor(lastUsedAt) }));
    await this.#options.store.saveUsed(uses(false));
    await this.#options.store.saveSeen(uses(true));
    for (const caller of due) this.#lastUseSaved.set(caller, now);
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

  async #take(usage: ReadonlyMap<number, UsageRecord>, now: number): Promise<void> {
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
    // A public id is never somebody else's name: it has an underscore and a form of its own, and goes over a name.
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
        session: false,
        meter: known?.meter ?? newMeter(),
        expiresAt: key.expiresAt ?? Number.POSITIVE_INFINITY,
        valid: key.revokedAt === null && !account.disabled,
        lastUsedAt: known?.lastUsedAt ?? key.lastUsedAt ?? 0,
      };
      // Open streams hold the caller they came with: it must keep telling the truth.
      if (known) Object.assign(known, caller);
      this.#callers.set(key.id, known ?? caller);
    }
    for (const [id, caller] of before) if (!this.#callers.has(id)) caller.valid = false;
    this.sessions.replace(sessions, (id) => this.#accounts.get(id)!);
  }

  #tier({ name: account, tier: name }: Account): Tier {
    const tier = this.#options.tiers[name];
    if (tier) return tier;
    this.#options.log.warn('an account has a tier that is not configured; it is served as free', {
      account,
      tier: name,
    });
    return this.#options.tiers.free!;
  }
}
