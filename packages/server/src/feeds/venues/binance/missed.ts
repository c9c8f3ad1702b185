// Trades of Binance that did not arrive: /api/v3/historicalTrades from an id on, ascending, 25 of 6,000 weights a minute
// each. Hosts that ask for a key there or do not have it (binance.us, data-api.binance.vision) still list the newest
// thousand at /api/v3/trades. aggTrades is of no use here: it merges trades and so loses their ids.
import type { MarketSymbol } from '@tickwire/engine';
import { between, isWhole, type NumberedTrade, PAGE_SIZE } from '../missed-trades.ts';
import type { Pace } from '../pace.ts';
import { getJson } from '../rest.ts';
import type { VenueTiming } from '../venue.ts';
import { binanceRestTrade } from './mapper.ts';

export interface Hole {
  readonly symbol: MarketSymbol;
  readonly venueSymbol: string;
  readonly after: number;
  /** Infinity: up to the newest. */
  readonly before: number;
  readonly pages: number;
}

export async function binanceMissed(
  restUrl: string,
  hole: Hole,
  timing: VenueTiming,
  pace: Pace,
): Promise<NumberedTrade[] | null> {
  const { after, before, pages } = hole;
  const found: NumberedTrade[] = [];
  for (let page = 0; page < pages; page++) {
    await pace();
    const from = (found.at(-1)?.id ?? after) + 1;
    const path = `historicalTrades?symbol=${encodeURIComponent(hole.venueSymbol)}&limit=${PAGE_SIZE}&fromId=${from}`;
    const rows = await listed(restUrl, path, hole, timing);
    if (rows === null) return page === 0 ? newest(restUrl, hole, timing, pace) : null;
    // `found` ends at from − 1: a page that does not continue there has a hole, and a hole is no answer.
    const fresh = between(rows, from - 1, before);
    found.push(...fresh);
    if (!isWhole(found, after, Number.POSITIVE_INFINITY)) return null;
    if (rows.length < PAGE_SIZE || fresh.length < rows.length) return isWhole(found, after, before) ? found : null;
  }
  return null;
}

async function newest(restUrl: string, hole: Hole, timing: VenueTiming, pace: Pace): Promise<NumberedTrade[] | null> {
  await pace();
  const path = `trades?symbol=${encodeURIComponent(hole.venueSymbol)}&limit=${PAGE_SIZE}`;
  const rows = await listed(restUrl, path, hole, timing);
  const found = between(rows ?? [], hole.after, hole.before);
  // Without a trade of before the hole in it the list may begin after the hole's beginning.
  const reachesBack = rows?.some((trade) => trade.id <= hole.after + 1) ?? false;
  return reachesBack && isWhole(found, hole.after, hole.before) ? found : null;
}

async function listed(restUrl: string, path: string, hole: Hole, timing: VenueTiming): Promise<NumberedTrade[] | null> {
  const { status, body } = await getJson(`${restUrl}/api/v3/${path}`, timing);
  if (status !== 200 || !Array.isArray(body)) return null;
  const trades: NumberedTrade[] = [];
  for (const row of body) {
    const trade = binanceRestTrade(row, hole.symbol);
    if (typeof trade === 'string') return null;
    trades.push(trade);
  }
  return trades;
}
