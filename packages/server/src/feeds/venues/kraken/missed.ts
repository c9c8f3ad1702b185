// Trades of Kraken that did not arrive: /0/public/Trades from a time on, ascending. `since` is in nanoseconds and
// exclusive; a page tells in `last` where the next one begins. Trades of one sweep can share a time, so each page begins a
// nanosecond early and ids sort out what came twice. The venue promises ids that rise, not that none is left out:
// complete is what its own list holds between a trade we had and the end of the hole.
import type { EpochMs, MarketSymbol } from '@tickwire/engine';
import { between, type NumberedTrade, PAGE_SIZE } from '../missed-trades.ts';
import type { Pace } from '../pace.ts';
import { asRecord } from '../raw-values.ts';
import { getJson } from '../rest.ts';
import type { VenueTiming } from '../venue.ts';
import { krakenRestTrade } from './mapper.ts';

/** The time before a hole may be known badly: where a list begins too late, it is asked for from this much earlier. */
const EARLIER_MS = [0, 60_000, 600_000, 3_600_000];

export interface Hole {
  readonly symbol: MarketSymbol;
  readonly venueSymbol: string;
  readonly after: { readonly id: number; readonly time: EpochMs };
  /** Infinity: up to the newest. */
  readonly before: number;
  readonly pages: number;
}

interface Page {
  readonly trades: readonly NumberedTrade[];
  readonly next: string | null;
}

export async function krakenMissed(
  restUrl: string,
  hole: Hole,
  timing: VenueTiming,
  pace: Pace,
): Promise<NumberedTrade[] | null> {
  const { after, before, pages } = hole;
  let asked = 0;
  for (const earlierMs of EARLIER_MS) {
    const seen: NumberedTrade[] = [];
    // The event's time is cut to the millisecond, so its trade lies at or after it.
    let since: string | null = `${after.time - earlierMs - 1}999999`;
    while (since !== null && asked < pages) {
      asked++;
      await pace();
      const page = await pageFrom(restUrl, hole, since, timing);
      if (page === null) return null;
      const reachesBack = seen.length > 0 || page.trades.some((trade) => trade.id <= after.id);
      if (!reachesBack) break;
      seen.push(...page.trades);
      const atEnd = page.trades.length < PAGE_SIZE || page.trades.some((trade) => trade.id >= before);
      if (atEnd) return between(seen, after.id, before);
      since = page.next === since ? null : page.next;
    }
  }
  return null;
}

async function pageFrom(restUrl: string, hole: Hole, since: string, timing: VenueTiming): Promise<Page | null> {
  const url = `${restUrl}/0/public/Trades?pair=${restPair(hole.venueSymbol)}&since=${since}&count=${PAGE_SIZE}`;
  const { body } = await getJson(url, timing, isBusy);
  const { error, result } = asRecord(body) ?? {};
  const answer = asRecord(result);
  if (!answer || !Array.isArray(error) || error.length > 0) return null;
  // The list's name is the pair in a third spelling: XXBTZUSD.
  const rows = Object.entries(answer).find(([name]) => name !== 'last')?.[1];
  if (!Array.isArray(rows)) return null;
  const trades: NumberedTrade[] = [];
  for (const row of rows as unknown[]) {
    const trade = krakenRestTrade(row, hole.symbol);
    if (typeof trade === 'string') return null;
    trades.push(trade);
  }
  const { last } = answer;
  const next = typeof last === 'string' && /^\d{1,25}$/.test(last) ? String(BigInt(last) - 1n) : null;
  return { trades, next };
}

/** REST knows BTC as XBT and DOGE as XDG, and takes no stroke: BTC/USD is XBTUSD. */
export function restPair(venueSymbol: string): string {
  const old = new Map([
    ['BTC', 'XBT'],
    ['DOGE', 'XDG'],
  ]);
  return encodeURIComponent(
    venueSymbol
      .split('/')
      .map((coin) => old.get(coin) ?? coin)
      .join(''),
  );
}

/** Told with status 200. */
function isBusy(body: unknown): boolean {
  const error = asRecord(body)?.error;
  return (
    Array.isArray(error) && error.some((one) => /Too many requests|Rate limit|Unavailable|Busy/i.test(String(one)))
  );
}
