// Stored bars as a gateway may use them. Its store is written by the ingest node and can be ahead of its replica of the market:
// an answer must not have a bar from the store that is later than the position it states. Bars that can still change come from
// memory alone, which has all of them.
import { isTimeframe, TIMEFRAME_MS } from '@tickwire/contract';
import { LATE_WINDOW_MS } from '@tickwire/engine';
import type { MarketView } from '../market/market-view.ts';
import type { MarketStore } from '../store/store.ts';

/** `market`: its `time` is that of the last clock event which the replica has. */
export function settledBars(store: Pick<MarketStore, 'bars'>, market: Pick<MarketView, 'time'>): MarketStore['bars'] {
  return (query) => {
    const { timeframe, to } = query;
    // Imported series of other intervals do not come from the journal.
    if (market.time === 0 || !isTimeframe(timeframe)) return store.bars(query);
    return store.bars({ ...query, to: Math.min(to, market.time - LATE_WINDOW_MS - TIMEFRAME_MS[timeframe]) });
  };
}
