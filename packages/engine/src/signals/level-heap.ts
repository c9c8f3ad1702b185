// A priority queue of levels (prices or deadlines), the nearest on top: a tick compares with the top only, however many levels
// there are. Obsolete levels stay in the heap until they reach the top or the heap is swept.
//
// A heap with four children per node and the keys in one array of numbers: a step down compares four neighbours in memory
// instead of following pointers, and there are half as many steps as in a binary heap.

export interface HeapLevel<T> {
  /** The smallest key is reached first. */
  readonly key: number;
  readonly owner: T;
}

const ARITY = 4;
const INITIAL_CAPACITY = 64;

export class LevelHeap<T> {
  /** Key of the nearest level; `Infinity` if there is none. */
  nearest = Number.POSITIVE_INFINITY;
  #keys = new Float64Array(INITIAL_CAPACITY);
  #levels: HeapLevel<T>[] = [];

  get size(): number {
    return this.#levels.length;
  }

  push(level: HeapLevel<T>): void {
    let at = this.#levels.length;
    if (at === this.#keys.length) this.#grow();
    this.#levels.push(level);
    const keys = this.#keys;
    const levels = this.#levels;
    const { key } = level;
    while (at > 0) {
      const parent = Math.floor((at - 1) / ARITY);
      if (keys[parent]! <= key) break;
      keys[at] = keys[parent]!;
      levels[at] = levels[parent]!;
      at = parent;
    }
    keys[at] = key;
    levels[at] = level;
    this.nearest = keys[0]!;
  }

  /** Removes and returns the nearest level if `probe` has reached it; otherwise `null`. */
  popReached(probe: number): HeapLevel<T> | null {
    if (!(this.nearest <= probe)) return null;
    const top = this.#levels[0]!;
    const last = this.#levels.pop()!;
    if (this.#levels.length > 0) this.#sink(last, 0);
    this.#updateNearest();
    return top;
  }

  /** Removes every level that is not in force. */
  keep(inForce: (level: HeapLevel<T>) => boolean): void {
    this.#levels = this.#levels.filter(inForce);
    for (let at = 0; at < this.#levels.length; at++) this.#keys[at] = this.#levels[at]!.key;
    for (let at = Math.floor((this.#levels.length - 2) / ARITY); at >= 0; at--) this.#sink(this.#levels[at]!, at);
    this.#updateNearest();
  }

  #updateNearest(): void {
    this.nearest = this.#levels.length > 0 ? this.#keys[0]! : Number.POSITIVE_INFINITY;
  }

  #sink(level: HeapLevel<T>, from: number): void {
    const keys = this.#keys;
    const levels = this.#levels;
    const { length } = levels;
    const { key } = level;
    let at = from;
    for (;;) {
      const first = ARITY * at + 1;
      if (first >= length) break;
      let least = first;
      const end = Math.min(first + ARITY, length);
      for (let child = first + 1; child < end; child++) if (keys[child]! < keys[least]!) least = child;
      if (keys[least]! >= key) break;
      keys[at] = keys[least]!;
      levels[at] = levels[least]!;
      at = least;
    }
    keys[at] = key;
    levels[at] = level;
  }

  #grow(): void {
    const keys = new Float64Array(this.#keys.length * 2);
    keys.set(this.#keys);
    this.#keys = keys;
  }
}
