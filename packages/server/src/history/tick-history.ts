// A page of quotes or trades.
import type { TickKind, TicksPage, TicksQuery } from '@tickwire/contract';
import { DEFAULT_PAGE } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import { lastBefore } from './chart-reader.ts';
import { itemsOf } from './tables/json-items.ts';
import { tickColumns } from './tables/tick-columns.ts';
import { isUpTo } from './tape-position.ts';
import { streamTicks, type Tick, type TickStore } from './tick-stream.ts';

/** A tick, by its place in the order of time and `seq`. */
interface Position {
  readonly time: number;
  readonly seq: number;
}

export interface TickPage {
  readonly first: 'oldest' | 'newest';
  /** Times of ticks, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** Ticks up to this one, in the direction of reading, were on earlier pages. */
  readonly after: Position | null;
}

/** A cursor continues in its direction: `f` after a tick, `b` before it. */
export function tickPageOf({ cursor, from, to: end }: TicksQuery): TickPage {
  const to = lastBefore(end);
  const first = cursor?.startsWith('b') || (!cursor && from === undefined) ? 'newest' : 'oldest';
  const [time, seq] = cursor?.slice(1).split('.').map(Number) ?? [];
  const after = time === undefined || seq === undefined ? null : { time, seq };
  if (!after) return { first, from: from ?? 0, to, after };
  if (first === 'newest') return { first, from: from ?? 0, to: Math.min(to, after.time), after };
  return { first, from: Math.max(from ?? 0, after.time), to, after };
}

const isAfter = ({ event: { time }, seq }: Tick, after: Position): boolean =>
  time > after.time || (time === after.time && seq > after.seq);
const isBefore = ({ event: { time }, seq }: Tick, before: Position): boolean =>
  time < before.time || (time === before.time && seq < before.seq);

/** Ticks of a page in batches, by default in the direction of its pages. */
export async function* ticksOfPage(
  store: TickStore,
  symbol: MarketSymbol,
  kind: TickKind,
  { first, from, to, after }: TickPage,
  order = first,
): AsyncGenerator<readonly Tick[], void, void> {
  const isNew = first === 'oldest' ? isAfter : isBefore;
  for await (const batch of streamTicks(store, { symbol, kind, from, to }, order))
    yield after ? batch.filter((tick) => isNew(tick, after)) : batch;
}

/** `seq`: ticks after this position are left out. */
export async function tickHistory(
  store: TickStore,
  symbol: MarketSymbol,
  query: TicksQuery,
  seq = Number.POSITIVE_INFINITY,
): Promise<TicksPage> {
  const { kind, limit = DEFAULT_PAGE, fields = [] } = query;
  const page = tickPageOf(query);
  const found: Tick[] = [];
  for await (const batch of ticksOfPage(store, symbol, kind, page)) {
    for (const tick of batch.filter(isUpTo(seq)).slice(0, limit + 1 - found.length)) found.push(tick);
    if (found.length > limit) break;
  }
  const hasMore = found.length > limit;
  const ticks = found.slice(0, limit);
  const last = ticks.at(-1);
  const next = hasMore && last ? `${page.first === 'oldest' ? 'f' : 'b'}${last.event.time}.${last.seq}` : null;
  if (page.first === 'newest') ticks.reverse();
  const items = (await itemsOf(tickColumns(kind, fields), ticks)) as TicksPage['items'];
  return { symbol, kind, items, next };
}
