// Prices at which something happens, the nearest on top: a tick looks at the top and nothing else, however many there are.
// What is no longer in force is left where it is until it comes up, or until there is more of it than of the rest.

export interface Level<T> {
  /** The smallest is reached first. */
  readonly key: number;
  readonly owner: T;
}

export class Levels<T> {
  /** Key of the nearest level; Infinity where there is none. */
  nearest = Number.POSITIVE_INFINITY;
  #heap: Level<T>[] = [];

  get size(): number {
    return this.#heap.length;
  }

  push(level: Level<T>): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(level);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]!.key <= level.key) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = level;
    this.nearest = heap[0]!.key;
  }

  /** Takes the nearest level off, if the market has come to it. */
  reached(probe: number): Level<T> | null {
    if (!(this.nearest <= probe)) return null;
    const top = this.#heap[0]!;
    const last = this.#heap.pop()!;
    if (this.#heap.length > 0) this.#sink(last, 0);
    this.nearest = this.#heap[0]?.key ?? Number.POSITIVE_INFINITY;
    return top;
  }

  /** Drops what is no longer in force. */
  keep(inForce: (level: Level<T>) => boolean): void {
    this.#heap = this.#heap.filter(inForce);
    for (let at = (this.#heap.length >> 1) - 1; at >= 0; at--) this.#sink(this.#heap[at]!, at);
    this.nearest = this.#heap[0]?.key ?? Number.POSITIVE_INFINITY;
  }

  #sink(level: Level<T>, from: number): void {
    const heap = this.#heap;
    const { length } = heap;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= length) break;
      if (child + 1 < length && heap[child + 1]!.key < heap[child]!.key) child++;
      if (heap[child]!.key >= level.key) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = level;
  }
}
