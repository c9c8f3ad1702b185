// The latest trades of an instrument, from the order flow, and their delta within a second.
import type { OrderFlowTick } from '@tickwire/client';

/** Number of trades kept and shown. */
export const TAPE_LENGTH = 200;

export interface Print {
  /** Unix seconds. */
  readonly time: number;
  readonly price: number;
  readonly size: number;
  /** The taker: buyers lift the ask, sellers hit the bid. If a message has both, the larger side. */
  readonly side: 'buy' | 'sell';
}

export class Tape {
  #fresh: Print[] = [];
  #second = Number.NEGATIVE_INFINITY;
  #delta = 0;

  /** Buy volume minus sell volume of the last second with trades. */
  get secondDelta(): number {
    return this.#delta;
  }

  add({ time, price, bid_volume, ask_volume, delta }: OrderFlowTick): void {
    const size = bid_volume + ask_volume;
    // A subscription starts with the last state, which has no volume and is not a trade.
    if (size === 0) return;
    // A venue's clock may step back; the volume still belongs to the current second.
    if (time > this.#second) this.#delta = 0;
    this.#second = Math.max(this.#second, time);
    this.#delta += delta;
    this.#fresh.push({ time, price, size, side: delta >= 0 ? 'buy' : 'sell' });
    // Nothing is drained while the page is hidden.
    if (this.#fresh.length >= 2 * TAPE_LENGTH) this.#fresh = this.#fresh.slice(-TAPE_LENGTH);
  }

  /** Trades since the last call, oldest first. Only the newest ones that the tape can hold. */
  drain(): readonly Print[] {
    const fresh = this.#fresh.slice(-TAPE_LENGTH);
    this.#fresh = [];
    return fresh;
  }
}
