// Rebuilds longer bars after shorter ones have changed: each is the aggregate of the next shorter bars in its interval. A bar
// without shorter bars stays as it is.
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { aggregateBars, type Bar, type MarketSymbol } from '@tickwire/engine';
import type { BarRow, MarketStore } from '../store/store.ts';

/** Bars by timeframe and start. */
export type ChangedBars = Map<Timeframe, Map<number, Bar>>;

/** The changed bars and all longer bars that follow from them, as rows to write. */
export async function withLongerBars(
  store: Pick<MarketStore, 'bars'>,
  symbol: MarketSymbol,
  changed: ChangedBars,
): Promise<BarRow[]> {
  const rows: BarRow[] = [];
  let shorter: Map<number, Bar> = new Map();
  let shorterTimeframe: Timeframe | null = null;
  for (const timeframe of TIMEFRAMES) {
    const own: Map<number, Bar> = new Map(changed.get(timeframe));
    if (shorterTimeframe) {
      const length = TIMEFRAME_MS[timeframe];
      const starts = new Set(own.keys());
      for (const time of shorter.keys()) starts.add(time - (time % length));
      for (const [from, to] of joinAdjacent(starts, length)) {
        const within = await barsWithin(store, symbol, shorterTimeframe, from, to, shorter);
        for (const [start, bars] of Map.groupBy(within, ({ time }) => time - (time % length))) {
          if (starts.has(start)) own.set(start, aggregateBars(start, bars)!);
        }
      }
    }
    for (const bar of own.values()) rows.push({ symbol, timeframe, ...bar });
    shorter = own;
    shorterTimeframe = timeframe;
  }
  return rows;
}

/** Joins adjacent intervals, ends exclusive, to save queries. */
function* joinAdjacent(starts: ReadonlySet<number>, length: number): Generator<[from: number, to: number]> {
  let from = Number.NaN;
  let to = Number.NaN;
  for (const start of [...starts].sort((a, b) => a - b)) {
    if (start !== to) {
      if (to > from) yield [from, to];
      from = start;
    }
    to = start + length;
  }
  if (to > from) yield [from, to];
}

async function barsWithin(
  store: Pick<MarketStore, 'bars'>,
  symbol: MarketSymbol,
  timeframe: Timeframe,
  from: number,
  to: number,
  changed: ReadonlyMap<number, Bar>,
): Promise<Bar[]> {
  const limit = Math.ceil((to - from) / TIMEFRAME_MS[timeframe]);
  const stored = await store.bars({ symbol, timeframe, from, to: to - 1, limit, first: 'oldest' });
  const byTime = new Map(stored.map((bar) => [bar.time as number, bar]));
  for (let time = from; time < to; time += TIMEFRAME_MS[timeframe]) {
    const bar = changed.get(time);
    if (bar) byTime.set(time, bar);
  }
  return [...byTime.values()].sort((a, b) => a.time - b.time);
}
