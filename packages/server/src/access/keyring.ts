// Who may call, and how much. All keys and accounts are in memory, so that checking one touches no database; what other
// processes change (the command line) is taken over within a fraction of a second.
import type { Tier } from '@tickwire/contract';
import type { Log } from '../ops/log.ts';
import type { AccessStore, Account, KeyRecord, UsageRecord } from '../store/store.ts';
import { keyId, matchesHash } from './key-format.ts';
import { RollingMinute } from './rolling-minute.ts';

const DAY_MS = 86_400_000;
/** Keys that were verified and need no hashing again. */
const MAX_VERIFIED = 20_000;
const LAST_USE_MS = 60_000;

/** An account with what it has used. Allowances count over all of its keys. */
export class AccountState {
  name: string;
  tierName: string;
  tier: Tier;
  readonly id: number;
  readonly publicId: string;
  readonly minute: RollingMinute;
  aiDay: number;
  aiCalls: number;
  /** Open authenticated streams. */
  streams = 0;

  constructor(account: Account, tier: Tier, usage: UsageRecord | undefined, now: number) {
    this.id = account.id;
    this.publicId = account.publicId;
    this.name = account.name;
    this.tierName = account.tier;
    this.tier = tier;
    // Times from a clock that was since set back would block for as long as it was ahead.
    this.minute = new RollingMinute(
      tier.requests_per_minute,
      usage?.requests.map((time) => Math.min(time, now)),
    );
    this.aiDay = usage?.aiDay ?? 0;
    this.aiCalls = usage?.aiCalls ?? 0;
  }

  aiCallsUsed(now: number): number {
    return this.aiDay === now - (now % DAY_MS) ? this.aiCalls : 0;
  }
}

export interface Caller {
  readonly keyId: string;
  readonly scopes: ReadonlySet<string>;
  readonly account: AccountState;
  readonly expiresAt: number;
  /** False once the key is revoked or gone; open streams look at it. */
  valid: boolean;
  lastUsedAt: number;
}

export interface KeyringOptions {
  readonly store: AccessStore;
  readonly tiers: Readonly<Record<string, Tier>>;
  readonly log: Log;
  readonly now: () => number;
}

export class Keyring {
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
  readonly #lastUseSaved = new Map<string, number>();

  constructor(options: KeyringOptions) {
    this.#options = options;
  }

  async load(): Promise<void> {
    const { store, now } = this.#options;
    this.#version = store.version();
    const usage = new Map((await store.usage()).map((record) => [record.accountId, record]));
    await this.#take(usage, now());
  }

  /** Takes over what other processes wrote; true where they did. */
  async refresh(): Promise<boolean> {
    const { store, now } = this.#options;
    const version = store.version();
    if (version === this.#version) return false;
    this.#version = version;
    await this.#take(new Map(), now());
    return true;
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
    caller.lastUsedAt = now;
    this.#used.add(caller);
    return true;
  }

  /** A stream was opened with the key: it counts as used. */
  touch(caller: Caller, now: number): void {
    caller.lastUsedAt = now;
    this.#used.add(caller);
  }

  get size(): number {
    return this.#callers.size;
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
    const now = this.#options.now();
    try {
      const accounts = new Set(used.map((caller) => caller.account));
      await this.#options.store.saveUsage(
        [...accounts].map(({ id, minute, aiDay, aiCalls }) => ({
          accountId: id,
          requests: minute.times(now),
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

  /** When a key was last used is told to the minute; saving it with every request would be a row per key and flush. */
  async #saveLastUse(used: readonly Caller[], now: number): Promise<void> {
    const due = used.filter((caller) => now - (this.#lastUseSaved.get(caller.keyId) ?? 0) >= LAST_USE_MS);
    if (due.length === 0) return;
    await this.#options.store.saveUsed(due.map(({ keyId: id, lastUsedAt }) => ({ id, at: Math.floor(lastUsedAt) })));
    for (const { keyId: id } of due) this.#lastUseSaved.set(id, now);
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
    const [accounts, keys] = [await store.accounts(), await store.keys()];
    for (const account of accounts) {
      const { id, name, tier: tierName } = account;
      const tier = this.#tier(tierName, name);
      const known = this.#accounts.get(id);
      if (!known) this.#accounts.set(id, new AccountState(account, tier, usage.get(id), now));
      else {
        if (known.minute.limit !== tier.requests_per_minute) known.minute.resize(tier.requests_per_minute, now);
        Object.assign(known, { name, tierName, tier });
      }
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
        expiresAt: key.expiresAt ?? Number.POSITIVE_INFINITY,
        valid: key.revokedAt === null,
        lastUsedAt: known?.lastUsedAt ?? key.lastUsedAt ?? 0,
      };
      // Open streams hold the caller they came with: it must keep telling the truth.
      if (known) Object.assign(known, caller);
      this.#callers.set(key.id, known ?? caller);
    }
    for (const [id, caller] of before) if (!this.#callers.has(id)) caller.valid = false;
  }

  #tier(name: string, account: string): Tier {
    const tier = this.#options.tiers[name];
    if (tier) return tier;
    this.#options.log.warn('an account has a tier that is not configured; it is served as free', {
      account,
      tier: name,
    });
    return this.#options.tiers.free!;
  }
}
