// The two sides of a pair, from its symbol.

/** Longer ones first: BTCUSDT is against USDT, not against a coin called T. */
const QUOTES = ['USDT', 'USDC', 'USD', 'EUR', 'GBP', 'JPY', 'CHF', 'AUD', 'NZD', 'CAD', 'CNH', 'BTC', 'ETH'] as const;

export function sidesOf(symbol: string): readonly [base: string, quote: string] | null {
  for (const quote of QUOTES) {
    const base = symbol.slice(0, -quote.length);
    if (base.length >= 2 && symbol.endsWith(quote)) return [base, quote];
  }
  return null;
}
