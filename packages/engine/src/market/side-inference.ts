// Infers the taker's side of a trade if the feed does not report it (Lee and Ready): a price above the midpoint of the
// prevailing quote is a buy, below it a sell; at the midpoint, or without a quote, the last change of price decides.
//
// The prevailing quote is the newest one that is older than the trade, by event time. Venues send the quote that results from
// a trade before the trade itself; judged by that quote, half of the sides are wrong. (Measured on Binance, which reports the
// true side; docs/reference/import.md has the figures.)
import type { Side, SideMethod } from './events.ts';

export interface InferredSide {
  readonly side: Side;
  readonly sideMethod: SideMethod;
}

/** Newest quotes kept to find the prevailing one: a quarter of a second of the busiest market. */
const MAX_QUOTES = 512;

export class SideInference {
  readonly #times = new Float64Array(MAX_QUOTES);
  /** 0 if the quote is crossed. */
  readonly #midpoints = new Float64Array(MAX_QUOTES);
  #quotes = 0;
  #price = 0;
  #side: Side = 'buy';

  quote(time: number, bid: number, ask: number): void {
    const slot = this.#quotes++ % MAX_QUOTES;
    this.#times[slot] = time;
    this.#midpoints[slot] = bid <= ask ? (bid + ask) / 2 : 0;
  }

  trade(time: number, price: number): InferredSide {
    const inferred = this.#infer(this.#prevailingMidpoint(time), price);
    this.#price = price;
    this.#side = inferred.side;
    return inferred;
  }

  /** Midpoint of the newest quote before `time`, or of the oldest quote kept if all are newer; 0 without quotes. */
  #prevailingMidpoint(time: number): number {
    const oldest = Math.max(0, this.#quotes - MAX_QUOTES);
    let at = this.#quotes - 1;
    while (at > oldest && this.#times[at % MAX_QUOTES]! >= time) at--;
    return at < 0 ? 0 : this.#midpoints[at % MAX_QUOTES]!;
  }

  #infer(midpoint: number, price: number): InferredSide {
    if (midpoint > 0 && price !== midpoint) {
      return { side: price > midpoint ? 'buy' : 'sell', sideMethod: 'quote_rule' };
    }
    if (this.#price > 0 && price !== this.#price) {
      return { side: price > this.#price ? 'buy' : 'sell', sideMethod: 'tick_rule' };
    }
    // Unchanged price, or the first trade: same side as the previous trade.
    return { side: this.#side, sideMethod: 'tick_rule' };
  }
}
