// Trades of Coinbase that did not arrive: /products/{id}/trades, newest first. `after` means older than an id (and
// `before` newer, but then again the newest of those), so a hole is walked from its end to its beginning.
import type { MarketSymbol } from '@tickwire/engine';
import { between, isWhole, type NumberedTrade, PAGE_SIZE } from '../missed-trades.ts';
import type { Pace } from '../pace.ts';
import { getJson } from '../rest.ts';
import type { VenueTiming } from '../venue.ts';
import { coinbaseTrade } from './mapper.ts';

export interface Hole {
  readonly symbol: MarketSymbol;
  readonly product: string;
  readonly after: number;
  /** Infinity: up to the newest. */
  readonly before: number;
  readonly pages: number;
}

export async function coinbaseMissed(
  restUrl: string,
  { symbol, product, after, before, pages }: Hole,
  timing: VenueTiming,
  pace: Pace,
): Promise<NumberedTrade[] | null> {
  const seen: NumberedTrade[] = [];
  let oldest = before;
  for (let page = 0; page < pages; page++) {
    await pace();
    const cursor = Number.isFinite(oldest) ? `&after=${oldest}` : '';
    const path = `/products/${encodeURIComponent(product)}/trades?limit=${PAGE_SIZE}${cursor}`;
    const { status, body } = await getJson(`${restUrl}${path}`, timing);
    if (status !== 200 || !Array.isArray(body)) return null;
    const before = oldest;
    for (const row of body as unknown[]) {
      const trade = coinbaseTrade(row, symbol);
      if (typeof trade === 'string') return null;
      seen.push(trade);
      oldest = Math.min(oldest, trade.id);
    }
    if (oldest <= after + 1 || body.length === 0) break;
    // Numbers are given without a hole: whether the pages will do can be told from the first.
    if (oldest - after - 1 > (pages - page - 1) * PAGE_SIZE) return null;
    if (oldest === before) return null;
  }
  const found = between(seen, after, before);
  return isWhole(found, after, before) ? found : null;
}
