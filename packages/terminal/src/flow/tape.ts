// The last trades of an instrument, as the order flow brings them, and what they add up to within a second.
import type { OrderFlowTick } from '@tickwire/client';

/** What is kept and shown. */
export const TAPE_LENGTH = 200;

export interface Print {
  /** Unix seconds. */
  readonly time: number;
  readonly price: number;
  readonly size: number;
  /** Who took: buyers lift the ask, sellers hit the bid. Where a message has both, the larger. */
  readonly side: 'buy' | 'sell';
}

export class Tape {
  #fresh: Print[] = [];
  #second = Number.NEGATIVE_INFINITY;
  #delta = 0;

  /** Buying less selling volume within the last second that traded. */
  get secondDelta(): number {
    return this.#delta;
  }

  add({ time, price, bid_volume, ask_volume, delta }: OrderFlowTick): void {
    const size = bid_volume + ask_volume;
    // A subscription begins with the last state, without volume: that is no trade.
    if (size === 0) return;
    // A venue's clock may step back; the volume belongs to the second at hand all the same.
    if (time > this.#second) this.#delta = 0;
    this.#second = Math.max(this.#second, time);
    this.#delta += delta;
    this.#fresh.push({ time, price, size, side: delta >= 0 ? 'buy' : 'sell' });
    // Nobody takes them while the page is hidden.
    if (this.#fresh.length >= 2 * TAPE_LENGTH) this.#fresh = this.#fresh.slice(-TAPE_LENGTH);
  }

  /** What came since this was last asked, oldest first; of more than the tape holds, the newest. */
  take(): readonly Print[] {
    const fresh = this.#fresh.slice(-TAPE_LENGTH);
    this.#fresh = [];
    return fresh;
  }
}
