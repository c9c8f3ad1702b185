// Finds the instrument that a client means, however it is spelled: eurusd, EUR/USD, EUR_USD and EUR-USD are EURUSD.
// Nothing is converted: BTC/USDT is BTCUSDT and never BTCUSD, because a stablecoin is not the dollar.
import { asSymbol, type MarketSymbol } from './instrument.ts';

/** In upper case, without the marks that people write between currencies. Two instruments may have the same. */
export const plainSpelling = (text: string): string => text.toUpperCase().replaceAll(/[/_-]/g, '');

/** Without the venue that charts write before a colon, as in `OANDA:EURUSD`. */
export const withoutVenue = (text: string): string => text.slice(text.indexOf(':') + 1);

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
    return this.#symbols.get(text) ?? this.#symbols.get(text.toUpperCase()) ?? this.#spellings.get(plainSpelling(text));
  }
}
