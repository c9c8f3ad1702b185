// Subscriptions in memory, and which of them an event concerns.
import type { AlertCondition, NewsDetail, SignalHappening } from '@tickwire/contract';
import type { AnySignalEvent } from '../journal/journal.ts';
import type { SubscriptionRow } from '../store/alert-store.ts';

export class SubscriptionList {
  readonly #rows = new Map<string, SubscriptionRow>();
  /** By what they follow: `publisher pub_1`, `symbol EURUSD`, `category forex`. */
  readonly #following = new Map<string, Set<SubscriptionRow>>();

  get size(): number {
    return this.#rows.size;
  }

  get(id: string): SubscriptionRow | undefined {
    return this.#rows.get(id);
  }

  /** Newest first. */
  of(account: string): SubscriptionRow[] {
    return [...this.#rows.values()].filter((row) => row.account === account).reverse();
  }

  accounts(): ReadonlySet<string> {
    return new Set([...this.#rows.values()].map(({ account }) => account));
  }

  add(row: SubscriptionRow): void {
    this.remove(row.id);
    this.#rows.set(row.id, row);
    const key = keyOf(row);
    const same = this.#following.get(key) ?? new Set();
    same.add(row);
    this.#following.set(key, same);
  }

  /** Keeps its place in the order. */
  #replace(row: SubscriptionRow): void {
    const same = this.#following.get(keyOf(row))!;
    same.delete(this.#rows.get(row.id)!);
    same.add(row);
    this.#rows.set(row.id, row);
  }

  remove(id: string): void {
    const row = this.#rows.get(id);
    if (!row) return;
    this.#rows.delete(id);
    const key = keyOf(row);
    const same = this.#following.get(key)!;
    same.delete(row);
    if (same.size === 0) this.#following.delete(key);
  }

  /** A destination was deleted. */
  withoutDestination(account: string, destination: string): void {
    for (const row of this.of(account))
      if (row.deliver.includes(destination))
        this.#replace({ ...row, deliver: row.deliver.filter((id) => id !== destination) });
  }

  /** Subscriptions that a record of the signal log concerns. */
  ofSignal({ n, publisher, symbol }: AnySignalEvent, happening: SignalHappening): SubscriptionRow[] {
    return this.#of(`publisher ${publisher}`, `symbol ${symbol}`).filter(
      ({ sinceN, events }) => n > sinceN && events.includes(happening),
    );
  }

  /** Subscriptions that a headline concerns. `seenAt`: when the service received it. */
  ofNews({ category, symbols }: NewsDetail, seenAt: number): SubscriptionRow[] {
    return this.#of(`category ${category}`, ...symbols.map((symbol) => `symbol ${symbol}`)).filter(
      ({ createdAt }) => createdAt <= seenAt,
    );
  }

  /** Each once: an item may mention several instruments. */
  #of(...keys: readonly string[]): SubscriptionRow[] {
    if (this.#rows.size === 0) return [];
    return [...new Set(keys.flatMap((key) => [...(this.#following.get(key) ?? [])]))];
  }
}

const keyOf = ({ publisher, symbol, category }: SubscriptionRow): string =>
  publisher !== null ? `publisher ${publisher}` : symbol !== null ? `symbol ${symbol}` : `category ${category}`;

/** What a subscription follows, as the condition of its firings. */
export const signalCondition = ({ publisher, events }: SubscriptionRow): AlertCondition => ({
  type: 'signal',
  events: [...events],
  ...(publisher !== null && { publisher }),
});

export const headlineCondition = ({ category }: SubscriptionRow): AlertCondition => ({
  type: 'headline',
  ...(category !== null && { category: category as NewsDetail['category'] }),
});
