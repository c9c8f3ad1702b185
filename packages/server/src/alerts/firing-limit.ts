// Firings of repeating alerts per account and minute, so that one account cannot fill the store and the streams. Beyond the
// limit, each alert has one more firing in the minute, which says that others are left out. Alerts that fire once are
// limited by their number.
import { MINUTE_MS } from '@tickwire/engine';

export const FIRINGS_PER_MINUTE = 1_000;
export const OTHERS_LEFT_OUT = `Further firings of this minute are left out: an account has ${FIRINGS_PER_MINUTE} a minute`;

interface UsedMinute {
  count: number;
  /** Alerts that had their firing beyond the limit. */
  readonly told: Set<string>;
}

export class FiringLimit {
  readonly #now: () => number;
  #minute = 0;
  readonly #used = new Map<string, UsedMinute>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a firing. `last`: it is written and says that others are left out. */
  take(account: string, alert: string): 'write' | 'last' | 'leave_out' {
    const minute = Math.floor(this.#now() / MINUTE_MS);
    if (minute !== this.#minute) this.#used.clear();
    this.#minute = minute;
    const used = this.#used.get(account) ?? { count: 0, told: new Set() };
    this.#used.set(account, used);
    if (++used.count <= FIRINGS_PER_MINUTE) return 'write';
    if (used.told.has(alert)) return 'leave_out';
    used.told.add(alert);
    return 'last';
  }
}
