// Prices of all simulated instruments at the start of every minute, computed once. Stories are found by them.

import { Paths } from '../../market/feeds/sim/model.ts';
import type { SimMarket } from '../../market/feeds/sim/sim-market.ts';
import { UNITS_PER_MINUTE } from '../../market/feeds/sim/time-grid.ts';

/** Minutes in memory: a day and the longest look-back before it. */
const MAX_MINUTES = 1_700;

export class MinutePrices {
  readonly #market: SimMarket;
  readonly #paths: Paths;
  readonly #rows = new Map<number, Float64Array>();

  constructor(market: SimMarket) {
    this.#market = market;
    this.#paths = new Paths(market.model.factors);
  }

  /** Logarithms of the mid prices in the order of the model's instruments; `minute` counts from the epoch. */
  at(minute: number): Float64Array {
    let row = this.#rows.get(minute);
    if (row) return row;
    row = Float64Array.from(this.#market.model.instruments, (instrument) =>
      this.#paths.logPrice(instrument, minute * UNITS_PER_MINUTE),
    );
    this.#rows.set(minute, row);
    if (this.#rows.size > MAX_MINUTES) this.#rows.delete(this.#rows.keys().next().value!);
    return row;
  }
}
