// Counts by key. A key without a count takes no memory.

export class Counts<K = string> {
  readonly #counts: Map<K, number>;

  constructor(counts: Iterable<readonly [K, number]> = []) {
    this.#counts = new Map(counts);
  }

  /** Keys with a count. */
  get size(): number {
    return this.#counts.size;
  }

  get(key: K): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Returns the new count, which is never below 0. */
  add(key: K, change: number): number {
    const count = Math.max(0, this.get(key) + change);
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
    return count;
  }

  /** The keys with at least this count. */
  atLeast(count: number): K[] {
    return [...this.#counts].flatMap(([key, counted]) => (counted >= count ? [key] : []));
  }
}
