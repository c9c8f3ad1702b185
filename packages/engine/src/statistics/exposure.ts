// The net direction of open signals by currency and other asset, so that several signals on one move are visible. Each open
// signal counts as one risk: a buy of EURUSD is +1 EUR and −1 USD. Rules X1 to X3 of docs/reference/signals.md, "Track records".
import type { MarketSymbol } from '../market/instrument.ts';
import type { RankingSignal } from './ranking-signal.ts';

export interface Exposure {
  /** A currency, or the asset that an instrument is named after. */
  readonly asset: string;
  /** Long minus short, in risks. */
  readonly netR: number;
  readonly signals: number;
}

/** Longer codes first, because the first match counts. */
const QUOTE_CURRENCIES = ['USDT', 'USDC', 'USD', 'EUR', 'GBP', 'JPY', 'CHF', 'CAD', 'AUD', 'NZD'];

/** The asset of an instrument and the currency in which it is quoted; `null` if its symbol does not name one. */
export function legsOf(symbol: MarketSymbol): { readonly base: string; readonly quote: string | null } {
  const quote = QUOTE_CURRENCIES.find((code) => symbol.endsWith(code) && symbol.length > code.length);
  return quote ? { base: symbol.slice(0, -quote.length), quote } : { base: symbol, quote: null };
}

/** Greatest net first, then by name. */
export function exposureOf(open: readonly RankingSignal[]): Exposure[] {
  const byAsset = new Map<string, { netR: number; signals: number }>();
  const add = (asset: string, risk: number): void => {
    const entry = byAsset.get(asset) ?? { netR: 0, signals: 0 };
    byAsset.set(asset, { netR: entry.netR + risk, signals: entry.signals + 1 });
  };
  for (const { symbol, direction } of open) {
    const risk = direction === 'buy' ? 1 : -1;
    const { base, quote } = legsOf(symbol);
    add(base, risk);
    if (quote !== null) add(quote, -risk);
  }
  return [...byAsset]
    .map(([asset, entry]) => ({ asset, ...entry }))
    .sort((a, b) => Math.abs(b.netR) - Math.abs(a.netR) || (a.asset < b.asset ? -1 : 1));
}
