// A map of bounded size that drops the least recently used keys. It has two generations: when the younger one is full, it
// replaces the older one. (Deleting single keys from the front of one Map is slow, because Map iterators walk over deleted
// entries.)

export class LruMap<V> {
  readonly #half: number;
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  constructor(maxSize: number) {
    this.#half = maxSize / 2;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: string): V | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: V): void {
    if (this.#young.size >= this.#half && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
