// Finds the instrument that a client means, however it is spelled: eurusd, EUR/USD, EUR_USD and EUR-USD are EURUSD.
// Nothing is converted: BTC/USDT is BTCUSDT and never BTCUSD, because a stablecoin is not the dollar. A perpetual is BTCUSDT.P, as
// charts spell it, or what venues and libraries write for it: BTC-USDT-SWAP, BTC/USDT:USDT, BTCUSDT-PERP, xyz:GOLD. A spelling
// without such a mark is the spot price.
import { asSymbol, type MarketSymbol } from './instrument.ts';

/** In upper case, without the marks that people write between currencies. Two instruments may have the same. */
export const plainSpelling = (text: string): string => text.toUpperCase().replaceAll(/[/_-]/g, '');

/** Without the venue that charts write before a colon, as in `OANDA:EURUSD`. */
export const withoutVenue = (text: string): string => text.slice(text.indexOf(':') + 1);

/** Spellings of perpetuals in upper case, and what precedes `.P` in ours. */
const PERPETUALS: readonly (readonly [RegExp, string])[] = [
  [/^(.+)[-_](?:SWAP|PERP|PERPETUAL)$/, '$1'],
  // The currency of settlement follows the colon; if it is that of the prices, the contract is linear.
  [/^([^/:]+)\/([^/:]+):\2$/, '$1$2'],
  // Markets of Hyperliquid that others run; their prices are in USDC.
  [/^XYZ:(\w+)$/, '$1USDC'],
];

const MAX_SPELLING = 32;
const MAX_SIMILAR = 3;

export class SymbolIndex {
  readonly #instruments: readonly (string | { readonly symbol: string })[];
  #read = 0;
  readonly #symbols = new Map<string, MarketSymbol>();
  /** By plain spelling; `undefined` if it could be more than one instrument. */
  readonly #spellings = new Map<string, MarketSymbol | undefined>();

  /** The instruments of the catalogue, or their symbols. The list may grow. */
  constructor(instruments: readonly (string | { readonly symbol: string })[]) {
    this.#instruments = instruments;
  }

  /** The symbol of the catalogue; `undefined` if the text names no instrument, or more than one. */
  resolve(text: string): MarketSymbol | undefined {
    if (this.#read < this.#instruments.length) this.#grow();
    return this.#symbols.get(text) ?? this.#resolveSpelling(text.toUpperCase());
  }

  /** The same for a text that may begin with a venue, as charts write it: `OANDA:EURUSD`. */
  resolveWithVenue(text: string): MarketSymbol | undefined {
    return this.resolve(text) ?? this.resolve(withoutVenue(text).trim());
  }

  /**
   * Symbols that a text without an instrument may mean: those that contain it, are contained in it, or share its first or last three
   * characters, as XAUEUR and XAUUSD. At most three.
   */
  similar(text: string): readonly MarketSymbol[] {
    if (this.#read < this.#instruments.length) this.#grow();
    const spelling = plainSpelling(text.slice(0, MAX_SPELLING));
    if (spelling.length < 2) return [];
    const likeness = (symbol: string): number => {
      if (symbol.startsWith(spelling) || spelling.startsWith(symbol)) return 3;
      if (symbol.includes(spelling) || spelling.includes(symbol)) return 2;
      if (spelling.length < 5 || symbol.length < 5) return 0;
      return symbol.startsWith(spelling.slice(0, 3)) || symbol.endsWith(spelling.slice(-3)) ? 1 : 0;
    };
    return [...this.#symbols.values()]
      .map((symbol) => ({ symbol, score: likeness(plainSpelling(symbol)) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, MAX_SIMILAR)
      .map(({ symbol }) => symbol);
  }

  #grow(): void {
    for (; this.#read < this.#instruments.length; this.#read++) {
      const known = this.#instruments[this.#read]!;
      const symbol = asSymbol(typeof known === 'string' ? known : known.symbol);
      const spelling = plainSpelling(symbol);
      this.#symbols.set(symbol, symbol);
      this.#spellings.set(spelling, this.#spellings.has(spelling) ? undefined : symbol);
    }
  }

  #resolveSpelling(text: string): MarketSymbol | undefined {
    const found = this.#symbols.get(text) ?? this.#spellings.get(plainSpelling(text));
    if (found) return found;
    const perpetual = PERPETUALS.find(([pattern]) => pattern.test(text));
    return perpetual && this.#spellings.get(`${plainSpelling(text.replace(...perpetual))}.P`);
  }
}
