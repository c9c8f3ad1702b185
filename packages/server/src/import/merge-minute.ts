// What a minute on the tape gains from the same minute in a file, so that importing again, or importing files that overlap,
// doubles nothing.
//
// Trades with the venue's number are the same if the number is. Everything else is the same if all it says is; as two
// ticks of one source may say the same, a tick that a file has n times is there n times, whatever was there before.
import type { TapeRecord } from '../store/store.ts';
import type { Tick } from './row-events.ts';

const idOf = (tick: Tick): number | undefined => (tick.kind === 'trade' ? tick.id : undefined);

/** All that a tick says but the number and the side of a trade: the side may have been inferred. */
const contentOf = (tick: Tick): string =>
  tick.kind === 'trade'
    ? `${tick.time} ${tick.price} ${tick.size}`
    : `${tick.time} ${tick.bid} ${tick.ask} ${tick.bidSize} ${tick.askSize}`;

function isSame(a: Tick, b: Tick): boolean {
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

/** The ticks of a file's minute without trades that it has twice. */
export function withoutRepeats(ticks: readonly Tick[]): readonly Tick[] {
  let last = Number.NEGATIVE_INFINITY;
  let rising = true;
  for (const tick of ticks) {
    const id = idOf(tick);
    if (id === undefined) continue;
    if (id <= last) rising = false;
    last = id;
  }
  if (rising) return ticks;
  const seen = new Set<number>();
  return ticks.filter((tick) => {
    const id = idOf(tick);
    if (id === undefined) return true;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

/** The ticks among `incoming` that are not on the tape yet, in their order. */
export function gainOf(stored: readonly TapeRecord[], incoming: readonly Tick[]): readonly Tick[] {
  const ticks = withoutRepeats(incoming);
  if (stored.length === 0) return ticks;
  if (stored.length === ticks.length && ticks.every((tick, index) => isSame(tick, stored[index]!.event))) return [];
  const ids = new Map<number, Tick>();
  const numbered = new Counts();
  const nameless = new Counts();
  for (const { event } of stored) {
    const id = idOf(event);
    if (id === undefined) nameless.add(event);
    else {
      ids.set(id, event);
      numbered.add(event);
    }
  }
  return ticks.filter((tick) => {
    const id = idOf(tick);
    if (id === undefined) return !nameless.take(tick) && !numbered.take(tick);
    const known = ids.get(id);
    if (!known) return !nameless.take(tick);
    numbered.take(known);
    return false;
  });
}

/** How many ticks of the same content there are. */
class Counts {
  readonly #counts = new Map<string, number>();

  add(tick: Tick): void {
    const key = contentOf(tick);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Takes one away; false where there is none left. */
  take(tick: Tick): boolean {
    const key = contentOf(tick);
    const count = this.#counts.get(key) ?? 0;
    if (count === 0) return false;
    this.#counts.set(key, count - 1);
    return true;
  }
}
