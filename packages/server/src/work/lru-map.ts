// A map of bounded size that drops the least recently used keys. It has two generations: when the younger one is full, it
// replaces the older one. (Deleting single keys from the front of one Map is slow, because Map iterators walk over deleted
// entries.)

export class LruMap<K, V> {
  readonly #half: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  /** At most `maxSize` keys, and always the `maxSize / 2` that were used last. */
  constructor(maxSize: number) {
    this.#half = maxSize / 2;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: K): V | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: K, value: V): void {
    this.#old.delete(key);
    if (this.#young.size >= this.#half && !this.#young.has(key)) this.rotate();
    this.#young.set(key, value);
  }

  delete(key: K): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  /** Drops the keys that were not used since the last rotation. */
  rotate(): void {
    this.#old = this.#young;
    this.#young = new Map();
  }
}
