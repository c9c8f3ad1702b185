// Messages per UTC day and account. What exceeds the tier is written as dead, with the reason: the user sees it in the
// delivery log and can replay it. Beyond some of these, messages are not written: they would only fill the store.
import { DAY_MS } from '@tickwire/engine';

const REFUSED_PER_DAY = 100;

export class DeliveryAllowance {
  readonly #now: () => number;
  #day = 0;
  #used = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Messages that were written today. */
  restore(used: ReadonlyMap<string, number>): void {
    this.#startDay();
    this.#used = new Map(used);
  }

  /** Counts a message. Returns why it must not be sent, or `null`. */
  take(account: string, { limit, tier }: { readonly limit: number; readonly tier: string }): string | null {
    this.#startDay();
    const used = this.#used.get(account) ?? 0;
    this.#used.set(account, used + 1);
    return used >= limit ? `The ${tier} tier allows ${limit} messages per day (UTC).` : null;
  }

  /** Whether the limit of refused messages that are stored per day is reached. */
  isFlooded(account: string, limit: number): boolean {
    this.#startDay();
    return (this.#used.get(account) ?? 0) > limit + REFUSED_PER_DAY;
  }

  /** Messages that were counted today are not written after all. */
  giveBack(account: string, count: number): void {
    this.#startDay();
    this.#used.set(account, Math.max(0, (this.#used.get(account) ?? 0) - count));
  }

  #startDay(): void {
    const now = this.#now();
    const day = now - (now % DAY_MS);
    if (day === this.#day) return;
    this.#day = day;
    this.#used.clear();
  }
}
