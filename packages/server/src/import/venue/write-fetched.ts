// Stores bars that were fetched from a venue, with the longer ones that follow from them and the ranges they came from.
//
// A recorded bar is replaced unless it is complete: it has all of the venue's volume. Bars of other sources, and of times at which
// the source was connected throughout, are not asked for.
import { TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import type { Bar, InstrumentSpec } from '@tickwire/engine';
import type { VenueBarLength } from '../../market/feeds/venues/venue.ts';
import { VENUE_BAR_MS } from '../../market/feeds/venues/venue-bars.ts';
import type { BarRow, ImportedWrite, MarketStore } from '../../store/store.ts';
import type { TimeRange } from '../write/covered-ranges.ts';
import { withLongerBars } from '../write/longer-bars.ts';

const VOLUME_TOLERANCE = 1e-6;

export interface FetchedBars {
  readonly spec: InstrumentSpec;
  readonly length: VenueBarLength;
  readonly bars: readonly Bar[];
  /** What was asked for: other bars are ignored. */
  readonly ranges: readonly TimeRange[];
  /** Bars that end later are still forming, and not stored. */
  readonly closedUntil: number;
  /** Written with the bars. Default: nothing. */
  readonly watermarks?: Pick<ImportedWrite, 'prices' | 'numbers'>;
}

/** Returns the bars that were stored, of all timeframes. */
export async function writeFetched(
  store: Pick<MarketStore, 'bars' | 'writeImported'>,
  { spec, length, bars, ranges, closedUntil, watermarks = { prices: [], numbers: {} } }: FetchedBars,
): Promise<BarRow[]> {
  const { changed, kept } = await chooseBars(store, spec, length, bars, ranges);
  const rows = (await withLongerBars(store, spec, new Map([[length, changed]]))).filter(
    ({ timeframe, time }) => time + TIMEFRAME_MS[timeframe as Timeframe] <= closedUntil,
  );
  const marks = ranges.flatMap((range) => [...without(range, kept, VENUE_BAR_MS[length])]);
  await store.writeImported({
    ...{ bars: rows, days: [], watched: [], ...watermarks },
    fetched: marks.map((range) => ({ symbol: spec.symbol, timeframe: length, ...range })),
  });
  return rows;
}

/** The bars that replace stored ones, and the starts of those whose recorded bar is kept. */
async function chooseBars(
  store: Pick<MarketStore, 'bars'>,
  { symbol }: InstrumentSpec,
  timeframe: VenueBarLength,
  bars: readonly Bar[],
  ranges: readonly TimeRange[],
): Promise<{ readonly changed: Map<number, Bar>; readonly kept: ReadonlySet<number> }> {
  const changed = new Map<number, Bar>();
  const kept = new Set<number>();
  const wanted = bars.filter(({ time }) => ranges.some(({ from, to }) => time >= from && time < to));
  if (wanted.length === 0) return { changed, kept };
  const range = { from: wanted[0]!.time, to: wanted.at(-1)!.time };
  const limit = (range.to - range.from) / VENUE_BAR_MS[timeframe] + 1;
  const stored = await store.bars({ symbol, timeframe, ...range, limit, first: 'oldest' });
  const known = new Map(stored.map((bar) => [bar.time as number, bar]));
  for (const bar of wanted) {
    const recorded = known.get(bar.time);
    const isComplete = recorded?.basis === bar.basis && recorded.volume >= bar.volume * (1 - VOLUME_TOLERANCE);
    if (isComplete) kept.add(bar.time);
    else changed.set(bar.time, bar);
  }
  return { changed, kept };
}

/** A range without some of its bars. */
function* without({ from, to }: TimeRange, left: ReadonlySet<number>, length: number): Generator<TimeRange> {
  let start = from;
  if (left.size > 0)
    for (let time = from; time < to; time += length) {
      if (!left.has(time)) continue;
      if (time > start) yield { from: start, to: time };
      start = time + length;
    }
  if (to > start) yield { from: start, to };
}
