// Absorption as reported by the order flow. It is only reported live, so it is kept for as long as the page is open.
export interface Absorption {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The passive side that held the price. */
  readonly side: 'buy' | 'sell';
  /** Price of the trade with which it was reported. */
  readonly price: number;
}

const MAX_ABSORPTIONS = 200;
const MAX_SYMBOLS = 50;

export class Absorptions {
  readonly #bySymbol = new Map<string, Absorption[]>();

  of(symbol: string): readonly Absorption[] {
    return this.#bySymbol.get(symbol) ?? [];
  }

  add(symbol: string, absorption: Absorption): void {
    const seen = this.#bySymbol.get(symbol) ?? [];
    this.#bySymbol.delete(symbol);
    this.#bySymbol.set(symbol, seen);
    seen.push(absorption);
    if (seen.length > MAX_ABSORPTIONS) seen.shift();
    const [oldest] = this.#bySymbol.keys();
    if (this.#bySymbol.size > MAX_SYMBOLS && oldest !== undefined) this.#bySymbol.delete(oldest);
  }
}
