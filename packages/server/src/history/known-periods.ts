// Periods of which every bar is known: the source was connected, or the bars were fetched from a venue.
import { TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { MarketStore } from '../store/store.ts';

/** Start (inclusive) and end (exclusive) in epoch milliseconds. */
export interface KnownPeriod {
  readonly from: number;
  readonly to: number;
}

/** The periods of a range of one length or a longer one, ascending and without overlaps. */
export async function knownPeriods(
  store: Pick<MarketStore, 'watched' | 'fetched'>,
  symbol: MarketSymbol,
  timeframe: Timeframe,
  { from, to }: KnownPeriod,
): Promise<KnownPeriod[]> {
  return joined([
    ...(await store.watched(symbol, from, to)),
    ...(await fetchedPeriods(store, symbol, timeframe, { from, to })),
  ]);
}

/** Those that were fetched as bars of at most this length. */
export async function fetchedPeriods(
  store: Pick<MarketStore, 'fetched'>,
  symbol: MarketSymbol,
  longest: Timeframe,
  { from, to }: KnownPeriod,
): Promise<KnownPeriod[]> {
  const fetched = await store.fetched(symbol, from, to);
  return joined(fetched.filter(({ timeframe }) => TIMEFRAME_MS[timeframe] <= TIMEFRAME_MS[longest]));
}

/** How much of a period others cover. They must be ascending and without overlaps. */
export const coveredMs = (periods: readonly KnownPeriod[], { from, to }: KnownPeriod): number =>
  periods.reduce((sum, each) => sum + Math.max(0, Math.min(each.to, to) - Math.max(each.from, from)), 0);

function joined(periods: readonly KnownPeriod[]): KnownPeriod[] {
  const all: { from: number; to: number }[] = [];
  for (const { from, to } of periods.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}
