// Prices of all simulated instruments at the start of every minute, read once each: what stories are found by.
import type { SimMarket } from '../../feeds/sim/market.ts';
import { Paths } from '../../feeds/sim/model.ts';
import { UNITS_PER_SECOND } from '../../feeds/sim/time-grid.ts';

export const UNITS_PER_MINUTE = 60 * UNITS_PER_SECOND;
/** Minutes that are kept: a day and the longest look back before it. */
const KEPT = 1_700;

export class PriceGrid {
  readonly #market: SimMarket;
  readonly #paths: Paths;
  readonly #rows = new Map<number, Float64Array>();

  constructor(market: SimMarket) {
    this.#market = market;
    this.#paths = new Paths(market.model.factors);
  }

  /** Logs of the middle prices, in the order of the model's instruments, at a minute since the epoch. */
  at(minute: number): Float64Array {
    let row = this.#rows.get(minute);
    if (row) return row;
    row = Float64Array.from(this.#market.model.instruments, (instrument) =>
      this.#paths.logPrice(instrument, minute * UNITS_PER_MINUTE),
    );
    this.#rows.set(minute, row);
    if (this.#rows.size > KEPT) this.#rows.delete(this.#rows.keys().next().value!);
    return row;
  }
}
