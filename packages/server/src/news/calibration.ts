// Measures how the market moved after news: for every item about an instrument, the percent change of its price 15, 60 and
// 240 minutes after the service first saw it. Each move is measured once, from closed minute bars. Items that were already
// old when first seen (after a downtime) are not measured, because the market already knew them.
import { CALIBRATION_HORIZONS, type NewsCategory } from '@tickwire/contract';
import { asSymbol, DAY_MS, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import type { DueMove, Move, NewsStore } from '../store/news-store.ts';
import type { MarketStore } from '../store/store.ts';

/** If the last price is older, the market is closed and nothing is measured. */
const MAX_PRICE_AGE_MS = 5 * MINUTE_MS;
/** Bars are stored within a minute of their end. */
const STORE_DELAY_MS = 2 * MINUTE_MS;
/** Moves that could not be measured within this time, because the service was down, are skipped. */
const MAX_DELAY_MS = DAY_MS;
/** Maximum age of an item when it was first seen. */
const MAX_ITEM_AGE_MS = 15 * MINUTE_MS;
const BATCH_SIZE = 500;

/** Instruments for items that mention none. */
const BENCHMARKS: Partial<Record<NewsCategory, readonly string[]>> = {
  gold: ['XAUUSD'],
  crypto: ['BTCUSD', 'BTCUSDT'],
};

export interface CalibrationOptions {
  readonly news: NewsStore;
  readonly market: Pick<MarketStore, 'bars'>;
  readonly symbols: Pick<ReadonlySet<MarketSymbol>, 'has'>;
  /** Whether the item may be measured on these prices. Default: always. */
  readonly isMeasurable?: (item: DueMove) => boolean;
}

/** Measures all moves that are due; returns their number. */
export async function measureMoves(
  { news, market, symbols, isMeasurable = () => true }: CalibrationOptions,
  now: number,
): Promise<number> {
  let measured = 0;
  for (const horizonMinutes of CALIBRATION_HORIZONS) {
    const until = now - horizonMinutes * MINUTE_MS - STORE_DELAY_MS;
    const due = await news.due(horizonMinutes, until - MAX_DELAY_MS, until, BATCH_SIZE);
    const moves: Move[] = [];
    for (const item of due) {
      const symbol =
        isMeasurable(item) && item.seenAt - item.publishedAt <= MAX_ITEM_AGE_MS
          ? measuredInstrument(item, symbols)
          : null;
      const percent = symbol && (await moveOf(market, symbol, item.seenAt, item.seenAt + horizonMinutes * MINUTE_MS));
      moves.push({ id: item.id, horizonMinutes, symbol, percent });
    }
    if (moves.length > 0) await news.putMoves(moves);
    measured += moves.length;
  }
  return measured;
}

/** The instrument that an item is measured on. */
export function measuredInstrument(
  item: Pick<DueMove, 'symbols' | 'category'>,
  known: CalibrationOptions['symbols'],
): MarketSymbol | null {
  const candidates = [...item.symbols, ...(BENCHMARKS[item.category] ?? [])].map(asSymbol);
  return candidates.find((symbol) => known.has(symbol)) ?? null;
}

/** Percent change between two times; `null` if the market had no price at one of them. */
async function moveOf(
  market: Pick<MarketStore, 'bars'>,
  symbol: MarketSymbol,
  from: number,
  to: number,
): Promise<number | null> {
  const [before, after] = [await priceAt(market, symbol, from), await priceAt(market, symbol, to)];
  return before === null || after === null ? null : ((after - before) / before) * 100;
}

/** The last close before `time`. */
async function priceAt(market: Pick<MarketStore, 'bars'>, symbol: MarketSymbol, time: number): Promise<number | null> {
  const to = time - MINUTE_MS;
  const range = { symbol, timeframe: '1m', from: to - MAX_PRICE_AGE_MS, to, limit: 1, first: 'newest' } as const;
  return (await market.bars(range)).at(-1)?.close ?? null;
}
