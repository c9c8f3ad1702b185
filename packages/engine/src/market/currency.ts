// Currencies: the one that an instrument is priced in, and conversion through the quotes at hand.
import type { InstrumentSpec, MarketSymbol } from './instrument.ts';

/** Quoted in these without the code showing it. */
const INDEX_CURRENCIES: Readonly<Record<string, string>> = {
  US500: 'USD',
  NAS100: 'USD',
  US30: 'USD',
  GER40: 'EUR',
  UK100: 'GBP',
  JPN225: 'JPY',
};
/** Tokens that stand for a US dollar. */
const DOLLAR_TOKENS = new Set(['USDT', 'USDC', 'BUSD', 'FDUSD']);
const PAIR_CURRENCY = /(USDT|USDC|BUSD|FDUSD|[A-Z]{3})$/;

/** Tokens that stand for a dollar count as dollars. */
const asMoney = (currency: string): string => (DOLLAR_TOKENS.has(currency) ? 'USD' : currency);

/** The currency of an instrument's prices; `null` if it is not known. */
export function priceCurrency({ symbol, type }: InstrumentSpec): string | null {
  if (type === 'index') return INDEX_CURRENCIES[symbol] ?? null;
  if (type === 'energy' || type === 'equity') return 'USD';
  const found = PAIR_CURRENCY.exec(symbol)?.[1];
  return found === undefined ? null : asMoney(found);
}

/** A pair of currencies as the catalogue has it: the price of one unit of `base` in `quote`. */
interface Pair {
  readonly base: string;
  readonly quote: string;
  readonly symbol: MarketSymbol;
}

/** Converts amounts through the middle of quotes: directly, or through one other currency. */
export class CurrencyConverter {
  readonly #pairs: readonly Pair[];
  readonly #middle: (symbol: MarketSymbol) => number | null;

  constructor(instruments: readonly InstrumentSpec[], middle: (symbol: MarketSymbol) => number | null) {
    this.#middle = middle;
    this.#pairs = instruments
      .filter(({ type, symbol }) => (type === 'forex' && symbol.length === 6) || type === 'crypto' || type === 'metal')
      .flatMap((spec) => {
        const found = PAIR_CURRENCY.exec(spec.symbol)?.[1];
        if (found === undefined || found.length === spec.symbol.length) return [];
        return [{ base: spec.symbol.slice(0, -found.length), quote: asMoney(found), symbol: spec.symbol }];
      });
  }

  /** Units of `to` for one unit of `from`; `null` if no quotes connect them. */
  rate(from: string, to: string): number | null {
    const direct = this.#direct(asMoney(from), asMoney(to));
    if (direct !== null) return direct;
    for (const currency of new Set(this.#pairs.flatMap(({ base, quote }) => [base, quote]))) {
      const [first, second] = [this.#direct(asMoney(from), currency), this.#direct(currency, asMoney(to))];
      if (first !== null && second !== null) return first * second;
    }
    return null;
  }

  #direct(from: string, to: string): number | null {
    if (from === to) return 1;
    for (const { base, quote, symbol } of this.#pairs) {
      if (base === from && quote === to) {
        const price = this.#middle(symbol);
        if (price !== null) return price;
      } else if (base === to && quote === from) {
        const price = this.#middle(symbol);
        if (price !== null) return 1 / price;
      }
    }
    return null;
  }
}
