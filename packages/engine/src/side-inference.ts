// The taker's side of a trade whose feed does not tell it (Lee and Ready): a price above the middle of the standing quote
// was a buy, below it a sell; at the middle, or without a quote, the last change of price decides.
//
// The standing quote is the one from before the trade, by their own times. Venues send the quote that a trade has left
// behind earlier than the trade itself: judged by that one, half of the sides come out wrong (measured on Binance, where
// the true side is known; the figures stand in docs/import.md).
import type { Side, SideMethod } from './events.ts';

export interface Inferred {
  readonly side: Side;
  readonly sideMethod: SideMethod;
}

/** Quotes held for a trade that comes after them: a quarter of a second of the busiest market, or many of any other. */
const HELD = 512;

export class SideInference {
  readonly #times = new Float64Array(HELD);
  /** 0 where the quote says nothing, being crossed. */
  readonly #middles = new Float64Array(HELD);
  #quotes = 0;
  #price = 0;
  #side: Side = 'buy';

  quote(time: number, bid: number, ask: number): void {
    const slot = this.#quotes++ % HELD;
    this.#times[slot] = time;
    this.#middles[slot] = bid <= ask ? (bid + ask) / 2 : 0;
  }

  trade(time: number, price: number): Inferred {
    const inferred = this.#infer(this.#standing(time), price);
    this.#price = price;
    this.#side = inferred.side;
    return inferred;
  }

  /** The middle of the newest quote from before `time`; of the oldest one held where all are younger; 0 without any. */
  #standing(time: number): number {
    const oldest = Math.max(0, this.#quotes - HELD);
    let at = this.#quotes - 1;
    while (at > oldest && this.#times[at % HELD]! >= time) at--;
    return at < 0 ? 0 : this.#middles[at % HELD]!;
  }

  #infer(middle: number, price: number): Inferred {
    if (middle > 0 && price !== middle) {
      return { side: price > middle ? 'buy' : 'sell', sideMethod: 'quote_rule' };
    }
    if (this.#price > 0 && price !== this.#price) {
      return { side: price > this.#price ? 'buy' : 'sell', sideMethod: 'tick_rule' };
    }
    // Unchanged, or the very first: as the trade before.
    return { side: this.#side, sideMethod: 'tick_rule' };
  }
}
