// The closed and forming bars that the alert book needs when an alert is added.
import type { Timeframe } from '@tickwire/contract';
import type { Bar, MarketSymbol, WarmUp, WarmUpNeed } from '@tickwire/engine';
import type { BarSource } from '../market/bar-source.ts';
import type { MarketView } from '../market/market-view.ts';

export interface WarmUpSources {
  readonly view: Pick<MarketView, 'recent' | 'forming'>;
  /** Bars that are older than those in memory. */
  readonly bars: Pick<BarSource, 'bars'>;
}

/**
 * Reads what is not in memory. The result is a function for the moment at which the alert is added: bars that close until
 * then are part of it.
 */
export async function readWarmUp(
  { view, bars }: WarmUpSources,
  symbol: MarketSymbol | null,
  needs: readonly WarmUpNeed[],
): Promise<() => WarmUp> {
  if (symbol === null || needs.length === 0) return () => ({});
  const older = new Map<Timeframe, readonly Bar[]>();
  for (const { interval, bars: count } of needs) {
    const recent = recentBars(view, symbol, interval);
    if (recent.length >= count) continue;
    const to = recent[0]?.time ?? Number.MAX_SAFE_INTEGER;
    older.set(interval, await newestBars(bars, symbol, interval, to - 1, count - recent.length));
  }
  return () => {
    const closed: Partial<Record<Timeframe, readonly Bar[]>> = {};
    const forming: Partial<Record<Timeframe, Bar | null>> = {};
    for (const { interval, bars: count, forming: isNeeded } of needs) {
      const recent = recentBars(view, symbol, interval);
      const first = recent[0]?.time ?? Number.POSITIVE_INFINITY;
      const before = (older.get(interval) ?? []).filter(({ time }) => time < first);
      if (count > 0) closed[interval] = [...before, ...recent].slice(-count);
      if (isNeeded) forming[interval] = view.forming(symbol, interval);
    }
    return { closed, forming };
  };
}

/** Closed bars in memory. */
function recentBars(view: WarmUpSources['view'], symbol: MarketSymbol, interval: Timeframe): Bar[] {
  const forming = view.forming(symbol, interval);
  const bars = view.recent(symbol, interval, 0, Number.MAX_SAFE_INTEGER);
  return forming ? bars.filter(({ time }) => time !== forming.time) : bars;
}

/** `to`: start of the last bar, inclusive. */
const newestBars = (
  source: WarmUpSources['bars'],
  symbol: MarketSymbol,
  timeframe: Timeframe,
  to: number,
  limit: number,
): Promise<Bar[]> => source.bars({ symbol, timeframe, from: 0, to, limit, first: 'newest' });
