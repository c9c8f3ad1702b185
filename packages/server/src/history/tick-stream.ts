// Quotes or trades of a long range, read from the tape in pages: memory does not grow with the range.
import type { TickKind } from '@tickwire/contract';
import {
  DAY_MS,
  HOUR_MS,
  type MarketSymbol,
  MINUTE_MS,
  type PriceEvent,
  type QuoteEvent,
  type TradeEvent,
} from '@tickwire/engine';
import { pauses } from '../ops/pauses.ts';
import type { MarketStore, TapeBlock } from '../store/market-store.ts';
import { daysBetween } from '../store/tape-day.ts';
import { ticksAndCrossedQuotesOf, ticksOf } from '../store/tape-records.ts';

export { TICK_KINDS, type TickKind } from '@tickwire/contract';

export interface Tick<E extends PriceEvent = PriceEvent> {
  /** Position in the journal. Ticks are ordered by time, those of the same time by `seq`. */
  readonly seq: number;
  readonly event: E;
  /** Name of the feed; '' if unknown. */
  readonly source: string;
}
export type QuoteTick = Tick<QuoteEvent>;
export type TradeTick = Tick<TradeEvent>;

export interface TickRange<K extends TickKind = TickKind> {
  readonly symbol: MarketSymbol;
  readonly kind: K;
  /** Times of ticks, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** Include quotes whose bid is above the ask, which only imports have. They are never served. Default false. */
  readonly crossed?: boolean;
}

export type TickStore = Pick<MarketStore, 'tapeOf' | 'tapeDays'>;
type TickOf<K extends TickKind> = K extends 'quotes' ? QuoteTick : TradeTick;

/** Blocks that are read at a time. */
const PAGE_MS = HOUR_MS;
/** Ticks of a batch, about. */
const BATCH = 5_000;

/** Ticks in ascending order, or descending with `newest`, in batches. */
export async function* streamTicks<K extends TickKind>(
  store: TickStore,
  { symbol, kind, ...range }: TickRange<K>,
  first: 'oldest' | 'newest' = 'oldest',
): AsyncGenerator<TickOf<K>[], void, void> {
  const isWanted = kind === 'quotes' ? 'quote' : 'trade';
  const isOldest = first === 'oldest';
  let batch: Tick[] = [];
  // SQLite answers at once, and there may be no tick of this kind for days.
  const pause = pauses();
  const days = range.to - range.from < DAY_MS ? daysBetween(range.from, range.to) : await store.tapeDays();
  for (const [start, end] of pagesOf(days, range.from, range.to, isOldest)) {
    const minutes = [...Map.groupBy(await store.tapeOf(symbol, start, end), ({ minute }) => minute).values()];
    for (const blocks of isOldest ? minutes : minutes.reverse()) {
      const ticks = ticksOfMinute(blocks, isWanted, range);
      for (const tick of isOldest ? ticks : ticks.reverse()) batch.push(tick);
      await pause();
      if (batch.length < BATCH) continue;
      yield batch as TickOf<K>[];
      batch = [];
    }
  }
  if (batch.length > 0) yield batch as TickOf<K>[];
}

/** Start (inclusive) and end (exclusive) of the pages of days. */
function* pagesOf(
  days: readonly string[],
  from: number,
  to: number,
  isOldest: boolean,
): Generator<readonly [number, number], void, void> {
  for (const day of isOldest ? days : days.toReversed()) {
    const midnight = Date.parse(day);
    if (midnight + DAY_MS <= from || midnight > to) continue;
    for (let page = 0; page < DAY_MS; page += PAGE_MS) {
      const start = midnight + (isOldest ? page : DAY_MS - PAGE_MS - page);
      if (start + PAGE_MS <= from || start > to) continue;
      yield [Math.max(start, from - (from % MINUTE_MS)), Math.min(start + PAGE_MS, to + 1)];
    }
  }
}

/** Ticks of one minute. */
function ticksOfMinute(
  blocks: readonly TapeBlock[],
  kind: 'quote' | 'trade',
  { from, to, crossed = false }: Pick<TickRange, 'from' | 'to' | 'crossed'>,
): Tick[] {
  const ticks: Tick[] = [];
  let isOrdered = true;
  let last = Number.NEGATIVE_INFINITY;
  for (const block of blocks) {
    for (const record of crossed ? ticksAndCrossedQuotesOf(block) : ticksOf(block)) {
      const { kind: found, time } = record.event;
      if (found !== kind || time < from || time > to) continue;
      isOrdered &&= time >= last;
      last = time;
      ticks.push(record);
    }
  }
  // A late tick is in a later block, or behind newer ones.
  return isOrdered ? ticks : ticks.sort((a, b) => a.event.time - b.event.time || a.seq - b.seq);
}
