// What the market did after the news: for every item that is about an instrument, the move of its price 15, 60 and 240
// minutes after the service had it. Measured from closed minute bars, once each. What was old when the service had it,
// as after an absence, is not measured: the market had known it for long.
import { CALIBRATION_HORIZONS, type NewsCategory } from '@tickwire/contract';
import { asSymbol, type MarketSymbol } from '@tickwire/engine';
import type { DueMove, Move, NewsStore } from '../store/news-store.ts';
import type { MarketStore } from '../store/store.ts';

const MINUTE = 60_000;
/** A price older than this is that of a market at rest: nothing is measured. */
const OLDEST_PRICE_MS = 5 * MINUTE;
/** Bars are written within a minute of their end. */
const WRITTEN_MS = 2 * MINUTE;
/** What could not be measured by then, as when the service was away, is not any more. */
const LONGEST_WAIT_MS = 86_400_000;
/** An item that was published longer before it was seen is old news. */
const FRESH_MS = 15 * MINUTE;
const AT_ONCE = 500;

/** What an item without an instrument of its own is measured by. */
const BENCHMARKS: Partial<Record<NewsCategory, readonly string[]>> = {
  gold: ['XAUUSD'],
  crypto: ['BTCUSD', 'BTCUSDT'],
};

export interface CalibrationOptions {
  readonly news: NewsStore;
  readonly market: Pick<MarketStore, 'bars'>;
  readonly symbols: ReadonlySet<MarketSymbol>;
  /** Whether prices of this market say anything about the item. */
  readonly counts?: (item: DueMove) => boolean;
}

/** Measures what is due; returns how many. */
export async function measureMoves(
  { news, market, symbols, counts = () => true }: CalibrationOptions,
  now: number,
): Promise<number> {
  let measured = 0;
  for (const horizonMinutes of CALIBRATION_HORIZONS) {
    const until = now - horizonMinutes * MINUTE - WRITTEN_MS;
    const due = await news.due(horizonMinutes, until - LONGEST_WAIT_MS, until, AT_ONCE);
    const moves: Move[] = [];
    for (const item of due) {
      const symbol = counts(item) && item.seenAt - item.publishedAt <= FRESH_MS ? instrumentOf(item, symbols) : null;
      const percent = symbol && (await moveOf(market, symbol, item.seenAt, item.seenAt + horizonMinutes * MINUTE));
      moves.push({ id: item.id, horizonMinutes, symbol, percent });
    }
    if (moves.length > 0) await news.putMoves(moves);
    measured += moves.length;
  }
  return measured;
}

function instrumentOf(item: DueMove, known: ReadonlySet<MarketSymbol>): MarketSymbol | null {
  const candidates = [...item.symbols, ...(BENCHMARKS[item.category] ?? [])].map(asSymbol);
  return candidates.find((symbol) => known.has(symbol)) ?? null;
}

/** Percent from one time to the other; null where the market had no price at either. */
async function moveOf(
  market: Pick<MarketStore, 'bars'>,
  symbol: MarketSymbol,
  from: number,
  to: number,
): Promise<number | null> {
  const [before, after] = [await priceAt(market, symbol, from), await priceAt(market, symbol, to)];
  return before === null || after === null ? null : ((after - before) / before) * 100;
}

/** The last close by then. */
async function priceAt(market: Pick<MarketStore, 'bars'>, symbol: MarketSymbol, time: number): Promise<number | null> {
  const to = time - MINUTE;
  const range = { symbol, timeframe: '1m', from: to - OLDEST_PRICE_MS, to, limit: 1, first: 'newest' } as const;
  return (await market.bars(range)).at(-1)?.close ?? null;
}
