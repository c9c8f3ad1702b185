// The order book of one symbol, kept from a snapshot and its changes, for venues that send every change of the book but no
// best prices. Only the best bid and ask are read from it, but every level must be kept: any of them may become the best.

/** Rows of a message: prices and sizes. Size 0 removes a level. */
export type BookLevel = readonly [price: number, size: number];

export interface BestPrices {
  readonly bid: number;
  readonly bidSize: number;
  readonly ask: number;
  readonly askSize: number;
}

/** Levels of one side. The book of a busy pair has some 30,000; more than this is not a book. */
const MAX_LEVELS = 500_000;

/** The best level is the last one, because most changes happen near it: the fewest levels have to move. */
class BookSide {
  /** 1 if the highest price is the best (bids), −1 if the lowest is (asks). */
  readonly #sign: 1 | -1;
  #prices: number[] = [];
  #sizes: number[] = [];

  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  get isTooLarge(): boolean {
    return this.#prices.length > MAX_LEVELS;
  }

  best(): BookLevel | null {
    const last = this.#prices.length - 1;
    return last < 0 ? null : [this.#prices[last]!, this.#sizes[last]!];
  }

  load(levels: readonly BookLevel[]): void {
    const sizes = new Map(levels);
    this.#prices = [...sizes.keys()].filter((price) => sizes.get(price)! > 0).sort((a, b) => this.#sign * (a - b));
    this.#sizes = this.#prices.map((price) => sizes.get(price)!);
  }

  set(price: number, size: number): void {
    const at = this.#indexOf(price);
    const exists = this.#prices[at] === price;
    if (size === 0) {
      if (!exists) return;
      this.#prices.splice(at, 1);
      this.#sizes.splice(at, 1);
    } else if (exists) this.#sizes[at] = size;
    else {
      this.#prices.splice(at, 0, price);
      this.#sizes.splice(at, 0, size);
    }
  }

  /** Index of the price, or where to insert it. */
  #indexOf(price: number): number {
    let [low, high] = [0, this.#prices.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sign * (this.#prices[middle]! - price) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export class OrderBook {
  readonly #bids = new BookSide(1);
  readonly #asks = new BookSide(-1);
  #last: BestPrices | null = null;

  get isTooLarge(): boolean {
    return this.#bids.isTooLarge || this.#asks.isTooLarge;
  }

  /** Replaces everything. */
  load(bids: readonly BookLevel[], asks: readonly BookLevel[]): void {
    this.#bids.load(bids);
    this.#asks.load(asks);
    this.#last = null;
  }

  set(side: 'bid' | 'ask', price: number, size: number): void {
    (side === 'bid' ? this.#bids : this.#asks).set(price, size);
  }

  /**
   * The best prices if they, or their sizes, have changed since the last call; `null` if not, or if a side is empty;
   * `crossed` if the bid is not below the ask, which a book between two messages never is.
   */
  change(): BestPrices | 'crossed' | null {
    const [bid, ask] = [this.#bids.best(), this.#asks.best()];
    if (!bid || !ask) return null;
    if (bid[0] >= ask[0]) return 'crossed';
    const best = { bid: bid[0], bidSize: bid[1], ask: ask[0], askSize: ask[1] };
    const last = this.#last;
    if (last && best.bid === last.bid && best.ask === last.ask)
      if (best.bidSize === last.bidSize && best.askSize === last.askSize) return null;
    this.#last = best;
    return best;
  }
}
