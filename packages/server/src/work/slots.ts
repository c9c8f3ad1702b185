// Slots bound how much is done at the same time, over all and by key. What gets none is refused.
import { Counts } from './counts.ts';

export interface SlotLimits {
  /** Default: no limit. */
  readonly total?: number;
  readonly perKey?: number;
}

/**
 * How many slots a key may have while `free` are left: a quarter of them, at least one and at most `most`. The more are in use,
 * the fewer a key gets, so that a key with none finds a free one.
 */
export const fairShare = (free: number, most = Number.POSITIVE_INFINITY): number =>
  Math.max(1, Math.min(most, Math.floor(free / 4)));

export class Slots<K = string> {
  readonly #total: number;
  readonly #perKey: number;
  readonly #used = new Counts<K>();
  #all = 0;

  constructor({ total = Number.POSITIVE_INFINITY, perKey = Number.POSITIVE_INFINITY }: SlotLimits) {
    this.#total = total;
    this.#perKey = perKey;
  }

  get used(): number {
    return this.#all;
  }

  usedBy(key: K): number {
    return this.#used.get(key);
  }

  /** Takes a slot. Returns the function that releases it, or `null` if none is free. `perKey`: instead of the limit by key. */
  take(key: K, perKey = this.#perKey): (() => void) | null {
    if (this.#all >= this.#total || this.usedBy(key) >= perKey) return null;
    this.#all++;
    this.#used.add(key, 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#all--;
      this.#used.add(key, -1);
    };
  }
}
