// What the stored bars of all timeframes prove about the bars of one: when the history of an instrument begins, and where
// something traded although the shorter bars were never recorded.
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import type { Bar, MarketSymbol } from '@tickwire/engine';
import type { ReadPosition } from '../journal/read-position.ts';
import type { MarketView } from '../market/market-view.ts';
import type { MarketStore } from '../store/store.ts';

export interface BarSources {
  readonly store: Pick<MarketStore, 'bars'>;
  readonly view: MarketView;
  /** Position of the view. Default: not known. */
  readonly position?: ReadPosition;
}

/** Sums of volumes differ in their last digits, depending on the order. */
const VOLUME_TOLERANCE = 1e-6;
const LONGEST = TIMEFRAME_MS['1d'];
const NO_LIMIT = 1_000_000;

/** Bars that start from `from` (inclusive) to `to` (exclusive) by their start. Memory may be newer than the store. */
export async function barsByTime(
  { store, view }: BarSources,
  symbol: MarketSymbol,
  timeframe: Timeframe,
  from: number,
  to: number,
): Promise<Map<number, Bar>> {
  const stored = await store.bars({ symbol, timeframe, from, to: to - 1, limit: NO_LIMIT, first: 'oldest' });
  const bars = new Map<number, Bar>(stored.map((bar) => [bar.time, bar]));
  for (const bar of view.recent(symbol, timeframe, from, to - 1)) bars.set(bar.time, bar);
  return bars;
}

/**
 * Start of the first bar; `null` without bars. A first bar of a day begins at 00:00, even if the first minute came later:
 * the shorter bars in it tell when.
 */
export async function historyStart({ store, view }: BarSources, symbol: MarketSymbol): Promise<number | null> {
  let start: number | null = null;
  let end = Number.POSITIVE_INFINITY;
  for (const timeframe of TIMEFRAMES.toReversed()) {
    const range = { symbol, timeframe, from: 0, to: Number.MAX_SAFE_INTEGER };
    const [stored] = await store.bars({ ...range, limit: 1, first: 'oldest' });
    const first = stored?.time ?? view.recent(symbol, timeframe, range.from, range.to)[0]?.time;
    if (first === undefined || first >= end) continue;
    start = start === null ? first : Math.max(start, first);
    end = first + TIMEFRAME_MS[timeframe];
  }
  return start;
}

/** Decides for an absent bar whether longer bars prove that something traded there, or that nothing else did. */
export type ProofOfTrading = (time: number) => 'traded' | 'silent' | 'unknown';

/**
 * Compares each longer bar with the bars in it: if it has more volume than they have together, bars are not recorded; if it
 * has the same, nothing else traded, as far as the source was recorded.
 */
export async function proofOfTrading(
  sources: BarSources,
  symbol: MarketSymbol,
  timeframe: Timeframe,
  from: number,
  to: number,
): Promise<ProofOfTrading> {
  // Longer bars may begin before the range and end after it.
  const [start, end] = [Math.floor(from / LONGEST) * LONGEST, Math.ceil(to / LONGEST) * LONGEST];
  const bars = await barsByTime(sources, symbol, timeframe, start, end);
  const longer: { readonly length: number; readonly volumes: ReadonlyMap<number, boolean> }[] = [];
  for (const each of TIMEFRAMES.slice(TIMEFRAMES.indexOf(timeframe) + 1)) {
    const length = TIMEFRAME_MS[each];
    const containing = await barsByTime(sources, symbol, each, start, end);
    const sums = new Map<number, number>();
    for (const { time, volume, basis } of bars.values()) {
      const at = Math.floor(time / length) * length;
      // A bar of trades leaves out the minutes that have only quotes.
      if (containing.get(at)?.basis === basis) sums.set(at, (sums.get(at) ?? 0) + volume);
    }
    const isIncomplete = ({ time, volume }: Bar): boolean =>
      !sums.has(time) || volume - sums.get(time)! > volume * VOLUME_TOLERANCE;
    longer.push({ length, volumes: new Map([...containing.values()].map((bar) => [bar.time, isIncomplete(bar)])) });
  }
  return (time) => {
    for (const { length, volumes } of longer) {
      const incomplete = volumes.get(Math.floor(time / length) * length);
      if (incomplete !== undefined) return incomplete ? 'traded' : 'silent';
    }
    return 'unknown';
  };
}
