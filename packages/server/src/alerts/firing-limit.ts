// Firings of repeating alerts per account and minute, so that one account cannot fill the store and the streams. Beyond the
// limit, each alert has one more firing in the minute, which says that others are left out. Alerts that fire once are
// limited by their number.
import { MINUTE_MS } from '@tickwire/engine';
import { PeriodCounts } from '../work/period-counts.ts';

export const FIRINGS_PER_MINUTE = 1_000;
export const OTHERS_LEFT_OUT = `Further firings of this minute are left out: an account has ${FIRINGS_PER_MINUTE} a minute`;

export class FiringLimit {
  readonly #now: () => number;
  readonly #firings = new PeriodCounts(MINUTE_MS);
  /** Firings beyond the limit, by alert. */
  readonly #beyond = new PeriodCounts(MINUTE_MS);

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a firing. `last`: it is written and says that others are left out. */
  take(account: string, alert: string): 'write' | 'last' | 'leave_out' {
    const now = this.#now();
    if (this.#firings.add(account, 1, now) <= FIRINGS_PER_MINUTE) return 'write';
    return this.#beyond.add(alert, 1, now) === 1 ? 'last' : 'leave_out';
  }
}
