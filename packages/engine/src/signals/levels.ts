// Prices at which something happens, the nearest on top: a tick looks at the top and nothing else, however many there are.
// What is no longer in force is left where it is until it comes up, or until there is more of it than of the rest.
//
// A heap with four children to a node, its keys side by side in one array of numbers: a step down looks at four neighbours
// in memory instead of following pointers, and there are half as many steps.

export interface Level<T> {
  /** The smallest is reached first. */
  readonly key: number;
  readonly owner: T;
}

const ARITY = 4;
const FIRST_ROOM = 64;

export class Levels<T> {
  /** Key of the nearest level; Infinity where there is none. */
  nearest = Number.POSITIVE_INFINITY;
  #keys = new Float64Array(FIRST_ROOM);
  #levels: Level<T>[] = [];

  get size(): number {
    return this.#levels.length;
  }

  push(level: Level<T>): void {
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

  /** Takes the nearest level off, if the market has come to it. */
  reached(probe: number): Level<T> | null {
    if (!(this.nearest <= probe)) return null;
    const top = this.#levels[0]!;
    const last = this.#levels.pop()!;
    if (this.#levels.length > 0) this.#sink(last, 0);
    this.#look();
    return top;
  }

  /** Drops what is no longer in force. */
  keep(inForce: (level: Level<T>) => boolean): void {
    this.#levels = this.#levels.filter(inForce);
    for (let at = 0; at < this.#levels.length; at++) this.#keys[at] = this.#levels[at]!.key;
    for (let at = Math.floor((this.#levels.length - 2) / ARITY); at >= 0; at--) this.#sink(this.#levels[at]!, at);
    this.#look();
  }

  #look(): void {
    this.nearest = this.#levels.length > 0 ? this.#keys[0]! : Number.POSITIVE_INFINITY;
  }

  #sink(level: Level<T>, from: number): void {
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
