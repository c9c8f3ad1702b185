// Stored data that depends on the digits of an instrument. Bars and last prices are plain numbers, and every block of the
// tape has its own digits: more digits change nothing, fewer must fit every stored price. Active signals are judged in whole
// ticks of the digits they were published with: no other digits fit. Closed signals have theirs in the log.
import { type PublishedRecord, TIMEFRAMES } from '@tickwire/contract';
import { fitsDigits, type MarketSymbol } from '@tickwire/engine';
import type { Store } from '../store/store.ts';
import { parseRecord } from './log-records.ts';

const BARS_PER_PAGE = 20_000;

type ReadableStore = {
  readonly market: Pick<Store['market'], 'bars' | 'lastPrices'>;
  readonly signals: Pick<Store['signals'], 'active'>;
};

/** Digits of the active signals of an instrument, and how many have them. */
export async function activeSignalDigits(store: ReadableStore, symbol: MarketSymbol): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const { published } of await store.signals.active()) {
    const record = parseRecord<PublishedRecord>(published);
    if (record.symbol !== symbol) continue;
    const { digits } = record.instrument;
    counts.set(digits, (counts.get(digits) ?? 0) + 1);
  }
  return counts;
}

export interface FinerPrice {
  readonly time: number;
  readonly price: number;
}

/** A stored price with more decimals than `digits`; `null` if there is none. Reads every bar of the instrument. */
export async function findFinerPrice(
  store: ReadableStore,
  symbol: MarketSymbol,
  digits: number,
): Promise<FinerPrice | null> {
  const last = (await store.market.lastPrices()).find((row) => row.symbol === symbol);
  const newest = [
    ...(last?.quote ? [last.quote.bid, last.quote.ask].map((price) => ({ time: last.quote!.time, price })) : []),
    ...(last?.trade ? [last.trade] : []),
  ].find(({ price }) => !fitsDigits(price, digits));
  if (newest) return { time: newest.time, price: newest.price };
  for (const timeframe of TIMEFRAMES) {
    let from = 0;
    for (;;) {
      const range = {
        symbol,
        timeframe,
        from,
        to: Number.MAX_SAFE_INTEGER,
        limit: BARS_PER_PAGE,
        first: 'oldest',
      } as const;
      const bars = await store.market.bars(range);
      for (const { time, open, high, low, close } of bars) {
        const price = [open, high, low, close].find((each) => !fitsDigits(each, digits));
        if (price !== undefined) return { time, price };
      }
      if (bars.length < BARS_PER_PAGE) break;
      from = bars.at(-1)!.time + 1;
    }
  }
  return null;
}
