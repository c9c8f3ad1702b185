// The taker's side of a trade whose feed does not tell it (Lee and Ready): a price above the middle of the standing quote
// was a buy, below it a sell; at the middle, or without a quote, the last change of price decides.
import type { Side, SideMethod } from './events.ts';

export interface Inferred {
  readonly side: Side;
  readonly sideMethod: SideMethod;
}

export class SideInference {
  #middle = 0;
  #price = 0;
  #side: Side = 'buy';

  /** The standing quote. One that is crossed says nothing. */
  quote(bid: number, ask: number): void {
    this.#middle = bid <= ask ? (bid + ask) / 2 : 0;
  }

  trade(price: number): Inferred {
    const inferred = this.#infer(price);
    this.#price = price;
    this.#side = inferred.side;
    return inferred;
  }

  #infer(price: number): Inferred {
    if (this.#middle > 0 && price !== this.#middle) {
      return { side: price > this.#middle ? 'buy' : 'sell', sideMethod: 'quote_rule' };
    }
    if (this.#price > 0 && price !== this.#price) {
      return { side: price > this.#price ? 'buy' : 'sell', sideMethod: 'tick_rule' };
    }
    // Unchanged, or the very first: as the trade before.
    return { side: this.#side, sideMethod: 'tick_rule' };
  }
}
