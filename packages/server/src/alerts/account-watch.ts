// Follows what happens to accounts: a disabled account's alerts are paused, a deleted account is forgotten with everything.
// An account that is not known, as after a restore of an older access database, keeps what it has: only a deletion on record
// deletes.
import type { AccountState } from '../access/account-state.ts';
import type { Log } from '../ops/log.ts';
import type { AlertStore } from '../store/alert-store.ts';
import type { AccountPreferences } from './account-preferences.ts';
import type { AlertJudge } from './alert-judge.ts';
import type { FiringWriter } from './firing-writer.ts';
import type { SubscriptionList } from './subscription-list.ts';

/** Deleted accounts that one round forgets: after a start, there may be many. */
const FORGOTTEN_PER_ROUND = 50;

export interface AccountWatchOptions {
  readonly store: Pick<AlertStore, 'forgetAccount' | 'putAlert'>;
  readonly judge: AlertJudge;
  readonly writer: Pick<FiringWriter, 'drain'>;
  readonly subscriptions: SubscriptionList;
  readonly preferences: Pick<AccountPreferences, 'forget'>;
  /** Undefined for an account that was deleted, or is not known. */
  readonly accountOf: (publicId: string) => AccountState | undefined;
  /** Public ids of all accounts that were deleted. */
  readonly deletedAccounts: () => readonly string[];
  readonly log: Log;
}

export class AccountWatch {
  readonly #options: AccountWatchOptions;
  readonly #forgotten = new Set<string>();
  readonly #unknown = new Set<string>();

  constructor(options: AccountWatchOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { judge, subscriptions, accountOf, deletedAccounts, log } = this.#options;
    const deleted = new Set(deletedAccounts());
    // Also accounts without alerts: they may have destinations, messages and firings.
    const left = [...deleted].filter((account) => !this.#forgotten.has(account));
    for (const account of left.slice(0, FORGOTTEN_PER_ROUND)) await this.#forget(account);
    const rows = Map.groupBy(judge.rows.all(), ({ account }) => account);
    for (const account of new Set([...rows.keys(), ...subscriptions.accounts()])) {
      const state = accountOf(account);
      if (state?.disabled) await this.#pause(account);
      if (state || deleted.has(account) || this.#unknown.has(account)) continue;
      this.#unknown.add(account);
      log.warn('alerts of an account that is not known do not fire', { account });
    }
  }

  async #forget(account: string): Promise<void> {
    const { store, judge, writer, subscriptions, preferences } = this.#options;
    for (const { id } of judge.rows.of(account)) judge.remove(id);
    for (const { id } of subscriptions.of(account)) subscriptions.remove(id);
    await writer.drain();
    await store.forgetAccount(account);
    preferences.forget(account);
    this.#forgotten.add(account);
  }

  async #pause(account: string): Promise<void> {
    const { store, judge } = this.#options;
    for (const row of judge.rows.of(account).filter(({ paused, done }) => !paused && !done)) {
      const paused = { ...row, paused: true, state: null };
      judge.begin(paused, {});
      await store.putAlert(paused);
      judge.commit(row.id);
    }
  }
}
