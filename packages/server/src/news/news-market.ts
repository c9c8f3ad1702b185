// What the market did after a news item: prices of minute bars at its publication and later.
import { NEWS_MARKET_MINUTES, type NewsDetail, type NewsMarket } from '@tickwire/contract';
import { type Bar, type MarketSymbol, MINUTE_MS, roundTo } from '@tickwire/engine';
import type { MarketView } from '../market/market-view.ts';
import type { MarketStore } from '../store/store.ts';

/** If the last price is older, the market was closed. */
export const MAX_PRICE_AGE_MS = 5 * MINUTE_MS;
const LAST_MINUTE = NEWS_MARKET_MINUTES.at(-1)!;

export interface NewsMarketSources {
  readonly market: Pick<MarketView, 'resolve' | 'recent'>;
  readonly history: Pick<MarketStore, 'bars'>;
}

/** `now` in epoch milliseconds. */
export async function marketAfter(
  { symbols, timestamp }: NewsDetail,
  { market, history }: NewsMarketSources,
  now: number,
): Promise<NewsMarket[]> {
  const time = Date.parse(timestamp);
  const known = new Set(symbols.flatMap((code) => market.resolve(code) ?? []));
  const result: NewsMarket[] = [];
  for (const symbol of known) {
    const bars = await minutesAround(symbol, time, { market, history });
    const at = priceAt(bars, time);
    const after = NEWS_MARKET_MINUTES.flatMap((minutes) => {
      const later = time + minutes * MINUTE_MS;
      const price = at === null || later > now ? null : priceAt(bars, later);
      return price === null ? [] : [{ minutes, price, change_percent: roundTo((price / at! - 1) * 100, 4) }];
    });
    result.push({ symbol, at, after });
  }
  return result;
}

/** Stored minutes, completed by those that only memory has yet. */
async function minutesAround(
  symbol: MarketSymbol,
  time: number,
  { market, history }: NewsMarketSources,
): Promise<readonly Bar[]> {
  const [from, to] = [time - MAX_PRICE_AGE_MS - MINUTE_MS, time + LAST_MINUTE * MINUTE_MS];
  const limit = LAST_MINUTE + 10;
  const stored = await history.bars({ symbol, timeframe: '1m', from, to, limit, first: 'oldest' });
  const byTime = new Map(stored.map((bar) => [bar.time, bar]));
  for (const bar of market.recent(symbol, '1m', from, to)) byTime.set(bar.time, bar);
  return [...byTime.values()].sort((a, b) => a.time - b.time);
}

/** The close of the last minute that ended by `time`; `null` if that is too long ago. */
export function priceAt(bars: readonly Bar[], time: number): number | null {
  const last = bars.findLast((bar) => bar.time + MINUTE_MS <= time);
  return last && last.time >= time - MINUTE_MS - MAX_PRICE_AGE_MS ? last.close : null;
}
