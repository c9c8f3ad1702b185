// How the messages of each account write times and numbers. A message keeps the preferences of the time when it was written.
import { DEFAULT_PREFERENCES, type Preferences, type PreferencesChange } from '@tickwire/contract';
import { DEFAULT_LOCALE, type MessageLocale } from '../delivery/channel.ts';
import type { AlertStore, PreferencesRow } from '../store/alert-store.ts';
import { WorkQueue } from '../work/work-queue.ts';

export class AccountPreferences {
  readonly #store: Pick<AlertStore, 'putPreferences'>;
  readonly #chosen: Map<string, Preferences>;
  /** Changes are stored one after another, so that none undoes another. */
  readonly #changes = new WorkQueue(1);

  constructor(store: Pick<AlertStore, 'putPreferences'>, rows: readonly PreferencesRow[]) {
    this.#store = store;
    this.#chosen = new Map(rows.map((row) => [row.account, preferencesOf(row)]));
  }

  of(account: string): Preferences {
    return this.#chosen.get(account) ?? DEFAULT_PREFERENCES;
  }

  localeOf(account: string): MessageLocale {
    const chosen = this.#chosen.get(account);
    return chosen ? { timeZone: chosen.time_zone, numberFormat: chosen.number_format } : DEFAULT_LOCALE;
  }

  change(account: string, change: PreferencesChange): Promise<Preferences> {
    return this.#changes.run(() => this.#change(account, change));
  }

  /** Accounts that have chosen any. */
  accounts(): Iterable<string> {
    return this.#chosen.keys();
  }

  /** Call when the account is deleted from the store. */
  forget(account: string): void {
    this.#chosen.delete(account);
  }

  async #change(account: string, { time_zone, number_format }: PreferencesChange): Promise<Preferences> {
    const before = this.of(account);
    const changed: Preferences = {
      time_zone: time_zone ?? before.time_zone,
      number_format: number_format ?? before.number_format,
    };
    const { time_zone: timeZone, number_format: numberFormat } = changed;
    await this.#store.putPreferences({ account, timeZone, numberFormat });
    this.#chosen.set(account, changed);
    return changed;
  }
}

const preferencesOf = ({ timeZone, numberFormat }: PreferencesRow): Preferences => ({
  time_zone: timeZone,
  number_format: numberFormat as Preferences['number_format'],
});
