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

export class SymbolIndex {
  readonly #symbols = new Map<string, MarketSymbol>();
  /** By plain spelling; `undefined` if it could be more than one instrument. */
  readonly #spellings = new Map<string, MarketSymbol | undefined>();

  /** `codes`: the symbols of the catalogue. */
  constructor(codes: Iterable<string>) {
    for (const code of codes) {
      const symbol = asSymbol(code);
      const spelling = plainSpelling(symbol);
      this.#symbols.set(symbol, symbol);
      this.#spellings.set(spelling, this.#spellings.has(spelling) ? undefined : symbol);
    }
  }

  /** The symbol of the catalogue; `undefined` if the text names no instrument, or more than one. */
  resolve(text: string): MarketSymbol | undefined {
    return this.#symbols.get(text) ?? this.#resolveSpelling(text.toUpperCase());
  }

  /** The same for a text that may begin with a venue, as charts write it: `OANDA:EURUSD`. */
  resolveWithVenue(text: string): MarketSymbol | undefined {
    return this.resolve(text) ?? this.resolve(withoutVenue(text).trim());
  }

  #resolveSpelling(text: string): MarketSymbol | undefined {
    const found = this.#symbols.get(text) ?? this.#spellings.get(plainSpelling(text));
    if (found) return found;
    const perpetual = PERPETUALS.find(([pattern]) => pattern.test(text));
    return perpetual && this.#spellings.get(`${plainSpelling(text.replace(...perpetual))}.P`);
  }
}
