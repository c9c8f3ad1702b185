// Authentication and quotas: all keys, accounts and sessions in memory, so that checking one touches no database. Changes
// by other processes, such as the command line, are picked up within a fraction of a second. Only rows that changed are
// loaded, so a change takes as long with many keys as with few.
import type { Tier } from '@tickwire/contract';
import { MINUTE_MS } from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { Log } from '../ops/log.ts';
import type { AccessDelta } from '../store/access-store.ts';
import type { Account } from '../store/account-store.ts';
import type { AccessStore, KeyRecord, UsageRecord } from '../store/store.ts';
import { WorkQueue } from '../work/work-queue.ts';
import { AccountState } from './account-state.ts';
import type { Caller } from './caller.ts';
import { KeyTable } from './key-table.ts';
import { type SessionLifetime, SessionTable } from './sessions.ts';
import { UsageRecorder } from './usage-recorder.ts';

export type { AccountState } from './account-state.ts';
export type { Caller } from './caller.ts';

/** How long a session need not repeat its password for another privileged step. */
const CONFIRMED_MS = 5 * MINUTE_MS;
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
  readonly #keys = new KeyTable();
  #version = -1;
  /** The last change that was loaded; `null` before the first load. */
  #position: number | null = null;
  readonly #accounts = new Map<number, AccountState>();
  /** By public id and by name in lower case. */
  readonly #byName = new Map<string, AccountState>();
  readonly #used = new Set<Caller>();
  readonly #lastUseSavedAt = new WeakMap<Caller, number>();
  /** Serializes changes, so that none is undone by a reload that started earlier. */
  readonly #changes = new WorkQueue(1);

  constructor(options: KeyringOptions) {
    this.#options = options;
    this.sessions = new SessionTable(options.sessionLifetime);
    this.usage = new UsageRecorder(options.store, () => this.#used);
  }

  async load(): Promise<void> {
    const { store, now } = this.#options;
    this.#version = store.version();
    const usage = new Map((await store.usage()).map((record) => [record.accountId, record]));
    await this.#loadAll(usage, now());
  }

  /** The last change of the store that this keyring knows. */
  get position(): number {
    return this.#position ?? 0;
  }

  /** Loads changes by other processes; returns whether there were any. */
  async refresh(): Promise<boolean> {
    const version = this.#options.store.version();
    if (version === this.#version) return false;
    this.#version = version;
    await this.reload();
    return true;
  }

  /** Loads all changes, also those by this process, which the store's version does not cover. */
  async reload(): Promise<void> {
    try {
      await this.exclusively(() => this.#loadChanges());
    } catch (error) {
      // The next refresh retries.
      this.#version = -1;
      throw error;
    }
  }

  /** Runs a change of the store and of the keyring while nothing else changes or reloads either. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#changes.run(work);
  }

  /** The caller that a key belongs to, or `null` if the key is unknown, expired or revoked. */
  authenticate(key: string, now: number): Caller | null {
    return this.#keys.authenticate(key, now);
  }

  /** The same for the token of a data link. */
  authenticateLink(token: string, now: number): Caller | null {
    return this.#keys.authenticateLink(token, now);
  }

  /** The session has repeated its password. Returns until when that holds, on all gateways. */
  async confirm({ keyId }: Caller): Promise<number> {
    const { store, now } = this.#options;
    const until = Math.floor(now()) + CONFIRMED_MS;
    await withStoreErrors(() => store.confirmSession(keyId, until));
    return until;
  }

  /** Throws if the caller is a session that has not repeated its password in the last minutes. */
  async requireConfirmed({ session, keyId }: Caller): Promise<void> {
    const { store, now } = this.#options;
    if (!session || (await withStoreErrors(() => store.confirmedUntil(keyId))) > now()) return;
    throw new ServiceError('confirmation_required', 'Repeat your password first: POST /api/account/confirm.');
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
    return this.#keys.size;
  }

  /** Every account that is not deleted. */
  accounts(): AccountState[] {
    return [...this.#accounts.values()].filter(({ deleted }) => !deleted);
  }

  /** Public ids of the accounts that were deleted. */
  deletedAccounts(): string[] {
    return [...this.#accounts.values()].filter(({ deleted }) => deleted).map(({ publicId }) => publicId);
  }

  hasOwner(): boolean {
    return this.accounts().some(({ owner }) => owner);
  }

  /** An account by its public id or its display name, case-insensitive. */
  account(name: string): AccountState | undefined {
    const found = this.#find(name);
    return found?.deleted ? undefined : found;
  }

  /** The callers of all keys, revoked and expired ones included. */
  callers(): Caller[] {
    return this.#keys.callers();
  }

  /** The keys of an account, oldest first. */
  keysOf(account: AccountState): KeyRecord[] {
    return this.#keys.of(account);
  }

  /** When a key was last used (epoch milliseconds), or `null` if never. Memory is ahead of the store. */
  lastUsedAt(id: string): number | null {
    return this.#keys.callerOf(id)?.lastUsedAt || null;
  }

  /** The display name of the account with a public id. */
  nameOf(publicId: string): string | undefined {
    return this.#byName.get(publicId)?.name;
  }

  /** The display name of the account that a key belongs to; `null` for any other id. */
  nameOfHolder(keyId: string): string | null {
    return this.#keys.callerOf(keyId)?.account.name ?? null;
  }

  /** The public id of an account, by its display name (case-insensitive) or its public id. */
  publisherOf(name: string): string | undefined {
    return this.#find(name)?.publicId;
  }

  /** Names are stored in NFKC. */
  #find(name: string): AccountState | undefined {
    return this.#byName.get(name.normalize('NFKC').toLowerCase());
  }

  /** Saves the usage since the last call. */
  async save(): Promise<void> {
    if (this.#used.size === 0) return;
    const used = [...this.#used];
    this.#used.clear();
    for (const caller of used) this.usage.add(caller);
    const now = this.#options.now();
    try {
      // The quota of sessions starts over with a restart.
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

  async #loadChanges(): Promise<void> {
    const { store, now } = this.#options;
    const delta = this.#position === null ? null : await store.changesSince(this.#position);
    if (delta) this.#apply(delta, now());
    else await this.#loadAll(new Map(), now());
  }

  async #loadAll(usage: ReadonlyMap<number, UsageRecord>, now: number): Promise<void> {
    const { store } = this.#options;
    // Changes made while the rows are read are loaded again next time.
    const position = await store.changePosition();
    const [accounts, keys, sessions] = [await store.accounts(), await store.keys(), await store.sessions()];
    for (const account of accounts) this.#putAccount(account, usage.get(account.id), now);
    this.#keys.replace(keys, (id) => this.#accounts.get(id)!);
    this.sessions.replace(sessions, (id) => this.#accounts.get(id)!);
    this.#position = position;
  }

  #apply({ position, accounts, keys, sessions, removedKeys, removedSessions }: AccessDelta, now: number): void {
    for (const account of accounts) {
      const state = this.#putAccount(account, undefined, now);
      this.#keys.refreshAccount(state);
      this.sessions.refreshAccount(state);
    }
    for (const key of keys) this.#keys.put(key, this.#accounts.get(key.accountId)!);
    for (const session of sessions) this.sessions.put(session, this.#accounts.get(session.accountId)!);
    for (const id of removedKeys) this.#keys.remove(id);
    this.sessions.remove(removedSessions);
    this.#position = position;
  }

  #putAccount(account: Account, usage: UsageRecord | undefined, now: number): AccountState {
    const tier = this.#tier(account);
    const known = this.#accounts.get(account.id);
    const state = known ?? new AccountState(account, tier, usage, now);
    const oldName = state.name.toLowerCase();
    if (known && this.#byName.get(oldName) === known) this.#byName.delete(oldName);
    known?.update(account, tier, now);
    this.#accounts.set(account.id, state);
    this.#byName.set(account.name.toLowerCase(), state);
    // The name of a deleted account is its public id. No other name can equal one.
    this.#byName.set(account.publicId, state);
    return state;
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
