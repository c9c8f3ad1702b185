// Ranges whose trades are lost although they count as recorded, kept in the store until their bars are fetched: of each instrument
// the range from the first to the last of them.
import { DAY_MS, type MarketSymbol } from '@tickwire/engine';
import type { MarketStore } from '../../store/store.ts';
import type { TimeRange } from '../write/covered-ranges.ts';

/** Minutes are fetched for seven days; what was lost before needs no bars. */
export const LOST_FOR_MS = 8 * DAY_MS;

const nameOf = (end: 'from' | 'to', symbol: MarketSymbol): string => `history_lost_${end} ${symbol}`;

export async function readLost(
  store: Pick<MarketStore, 'number'>,
  symbol: MarketSymbol,
  now: number,
): Promise<TimeRange[]> {
  const to = (await store.number(nameOf('to', symbol))) ?? 0;
  if (to <= now - LOST_FOR_MS) return [];
  return [{ from: (await store.number(nameOf('from', symbol))) ?? to, to }];
}

export function storeLost(
  store: Pick<MarketStore, 'writeImported'>,
  lost: ReadonlyMap<MarketSymbol, readonly TimeRange[]>,
): Promise<void> {
  const numbers: Record<string, number> = {};
  for (const [symbol, ranges] of lost) {
    numbers[nameOf('from', symbol)] = Math.min(...ranges.map(({ from }) => from));
    numbers[nameOf('to', symbol)] = Math.max(...ranges.map(({ to }) => to));
  }
  return store.writeImported({ bars: [], prices: [], numbers, days: [], watched: [] });
}
