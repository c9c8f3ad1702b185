// Finds the ticks of a file's minute that are not on the tape yet, so that repeated or overlapping imports add no duplicates.
//
// Trades with a venue's id are equal if their ids are. All other ticks are equal if all their fields are. A source may repeat
// a tick on purpose: a tick that a file has n times is on the tape n times, regardless of what was there before.
import type { PriceEvent } from '@tickwire/engine';
import type { TapeRecord } from '../../store/store.ts';

const idOf = (tick: PriceEvent): number | undefined => (tick.kind === 'trade' ? tick.id : undefined);

/** All fields of a tick except the id and the side of a trade: the side may have been inferred. */
const contentOf = (tick: PriceEvent): string =>
  tick.kind === 'trade'
    ? `${tick.time} ${tick.price} ${tick.size}`
    : `${tick.time} ${tick.bid} ${tick.ask} ${tick.bidSize} ${tick.askSize}`;

function isSame(a: PriceEvent, b: PriceEvent): boolean {
  if (a.kind === 'quote') {
    return (
      b.kind === 'quote' &&
      a.time === b.time &&
      a.bid === b.bid &&
      a.ask === b.ask &&
      a.bidSize === b.bidSize &&
      a.askSize === b.askSize
    );
  }
  return b.kind === 'trade' && a.time === b.time && a.price === b.price && a.size === b.size && a.id === b.id;
}

/** The ticks without repeated trade ids. */
function withoutDuplicates(ticks: readonly PriceEvent[]): readonly PriceEvent[] {
  let last = Number.NEGATIVE_INFINITY;
  let isAscending = true;
  for (const tick of ticks) {
    const id = idOf(tick);
    if (id === undefined) continue;
    if (id <= last) isAscending = false;
    last = id;
  }
  if (isAscending) return ticks;
  const seen = new Set<number>();
  return ticks.filter((tick) => {
    const id = idOf(tick);
    if (id === undefined) return true;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

/** The ticks of `incoming` that are not on the tape yet, in their order. */
export function newTicks(stored: readonly TapeRecord[], incoming: readonly PriceEvent[]): readonly PriceEvent[] {
  const ticks = withoutDuplicates(incoming);
  if (stored.length === 0) return ticks;
  if (stored.length === ticks.length && ticks.every((tick, index) => isSame(tick, stored[index]!.event))) return [];
  const ids = new Map<number, PriceEvent>();
  const withId = new TickCounts();
  const withoutId = new TickCounts();
  for (const { event } of stored) {
    const id = idOf(event);
    if (id === undefined) withoutId.add(event);
    else {
      ids.set(id, event);
      withId.add(event);
    }
  }
  return ticks.filter((tick) => {
    const id = idOf(tick);
    if (id === undefined) return !withoutId.take(tick) && !withId.take(tick);
    const known = ids.get(id);
    if (!known) return !withoutId.take(tick);
    withId.take(known);
    return false;
  });
}

/** Counts ticks with equal content. */
class TickCounts {
  readonly #counts = new Map<string, number>();

  add(tick: PriceEvent): void {
    const key = contentOf(tick);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Removes one; returns false if there is none left. */
  take(tick: PriceEvent): boolean {
    const key = contentOf(tick);
    const count = this.#counts.get(key) ?? 0;
    if (count === 0) return false;
    this.#counts.set(key, count - 1);
    return true;
  }
}
