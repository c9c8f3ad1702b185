// Messages per UTC day and account. What exceeds the tier is written as dead, with the reason: the user sees it in the
// delivery log and can replay it. Beyond some of these, messages are not written: they would only fill the store.
import { DAY_MS } from '@tickwire/engine';
import { PeriodCounts } from '../work/period-counts.ts';

const REFUSED_PER_DAY = 100;

export class DeliveryAllowance {
  readonly #now: () => number;
  readonly #used = new PeriodCounts(DAY_MS);

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Messages that were written today. */
  restore(used: ReadonlyMap<string, number>): void {
    this.#used.restore(used, this.#now());
  }

  /** Counts a message. Returns why it must not be sent, or `null`. */
  take(account: string, { limit, tier }: { readonly limit: number; readonly tier: string }): string | null {
    const used = this.#used.add(account, 1, this.#now());
    return used > limit ? `The ${tier} tier allows ${limit} messages per day (UTC).` : null;
  }

  /** Whether the limit of refused messages that are stored per day is reached. */
  isFlooded(account: string, limit: number): boolean {
    return this.#used.get(account, this.#now()) > limit + REFUSED_PER_DAY;
  }

  /** Messages that were counted today are not written after all. */
  giveBack(account: string, count: number): void {
    this.#used.add(account, -count, this.#now());
  }
}
