// Currencies: the one that an instrument is priced in, and conversion through the quotes at hand.
import type { InstrumentSpec, MarketSymbol } from './instrument.ts';
import { PerInstrument } from './per-instrument.ts';

/** Crypto tokens that are worth a US dollar. */
const DOLLAR_TOKENS = new Set(['USDT', 'USDC', 'BUSD', 'FDUSD']);
const PAIR_CURRENCY = /(USDT|USDC|BUSD|FDUSD|[A-Z]{3})$/;

/** Counts dollar tokens as dollars. */
const asMoney = (currency: string): string => (DOLLAR_TOKENS.has(currency) ? 'USD' : currency);

/** What is priced, if it is a pair, and the currency of prices. `null` if it is not known. */
export function pairOf(spec: InstrumentSpec): { base: string | null; quote: string | null } {
  const { symbol, type, currency, underlying } = spec;
  if (type === 'index' || type === 'energy' || type === 'equity')
    return { base: null, quote: currency ?? (type === 'index' ? null : 'USD') };
  if (underlying !== undefined) return { base: underlying, quote: currency ?? null };
  const quote = currency ?? PAIR_CURRENCY.exec(symbol)?.[1] ?? null;
  const isPair = quote !== null && symbol.endsWith(quote) && symbol.length > quote.length;
  return { base: isPair ? symbol.slice(0, -quote.length) : null, quote };
}

/** The currency of an instrument's prices, dollar tokens as dollars; `null` if it is not known. */
export function priceCurrency(spec: InstrumentSpec): string | null {
  const { quote } = pairOf(spec);
  return quote && asMoney(quote);
}

/** A pair of currencies as the catalogue has it: the price of one unit of `base` in `quote`. */
interface Pair {
  readonly base: string;
  readonly quote: string;
  readonly symbol: MarketSymbol;
}

/** Converts amounts through the middle of spot quotes: directly, or through one other currency. */
export class CurrencyConverter {
  readonly #byInstrument: PerInstrument<Pair | null>;
  readonly #middle: (symbol: MarketSymbol) => number | null;

  constructor(instruments: readonly InstrumentSpec[], middle: (symbol: MarketSymbol) => number | null) {
    this.#middle = middle;
    this.#byInstrument = PerInstrument.of(instruments, (spec) => {
      const { type, symbol, contract } = spec;
      const isSpot = (type === 'forex' && symbol.length === 6) || type === 'crypto' || type === 'metal';
      if (!isSpot || contract !== undefined) return null;
      const { base, quote } = pairOf(spec);
      return base !== null && quote !== null ? { base, quote: asMoney(quote), symbol } : null;
    });
  }

  get #pairs(): readonly Pair[] {
    return [...this.#byInstrument.values()].filter((pair) => pair !== null);
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
