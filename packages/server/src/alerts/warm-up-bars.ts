// The closed and forming bars that the alert book needs when an alert is added.
import type { Timeframe } from '@tickwire/contract';
import { type Bar, MAX_WARM_UP_BARS, type MarketSymbol, type WarmUp, type WarmUpNeed } from '@tickwire/engine';
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
  for (const need of needs) {
    const recent = recentBars(view, symbol, need.interval);
    // What is in memory now may be gone by the time that it is needed.
    older.set(need.interval, [...(await olderBars(bars, symbol, need, recent)), ...recent]);
  }
  return () => {
    const closed: Partial<Record<Timeframe, readonly Bar[]>> = {};
    const forming: Partial<Record<Timeframe, Bar | null>> = {};
    for (const { interval, bars: count, since, forming: isNeeded } of needs) {
      const recent = recentBars(view, symbol, interval);
      const first = recent[0]?.time ?? Number.POSITIVE_INFINITY;
      const before = (older.get(interval) ?? []).filter(({ time }) => time < first);
      const known = [...before, ...recent].slice(-MAX_WARM_UP_BARS);
      if (count > 0)
        closed[interval] = known.filter(
          ({ time }, at) => at >= known.length - count || (since !== null && time >= since),
        );
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

/** Those that are needed before the ones in memory. */
async function olderBars(
  source: WarmUpSources['bars'],
  symbol: MarketSymbol,
  { interval: timeframe, bars: count, since }: WarmUpNeed,
  recent: readonly Bar[],
): Promise<readonly Bar[]> {
  const to = (recent[0]?.time ?? Number.MAX_SAFE_INTEGER) - 1;
  const newest = (from: number, limit: number): Promise<Bar[]> =>
    limit > 0 && from <= to
      ? source.bars({ symbol, timeframe, from, to, limit, first: 'newest' })
      : Promise.resolve([]);
  const left = count - recent.length;
  const found = since === null ? [] : await newest(since, MAX_WARM_UP_BARS - recent.length);
  return found.length >= left ? found : newest(0, left);
}
