// The bars that readers of history see: those of the store, and in simulated markets also the ones that are computed.
import type { Bar, InstrumentSpec, MarketSymbol } from '@tickwire/engine';
import type { Config } from '../config/config.ts';
import { pauses } from '../ops/pauses.ts';
import type { BarRange, MarketStore } from '../store/store.ts';
import { SimBarSource } from './feeds/sim/sim-bar-source.ts';

export interface BarSource extends Pick<MarketStore, 'bars' | 'watched' | 'fetched'> {
  /**
   * Start of the first stored bar; `null` if there is none. Only where earlier ones are computed: files of all bars begin with
   * it, unless an earlier time is asked for.
   */
  storedFrom?(symbol: MarketSymbol): Promise<number | null>;
}
export type StoredBars = Pick<MarketStore, 'bars' | 'watched' | 'fetched' | 'number'>;

/** Bars that are read from the store at a time. SQLite holds the event loop until it has read all of them. */
const PART = 1_000;

/** `now` in epoch milliseconds. */
export function openBarSource(
  { realm }: Pick<Config, 'realm'>,
  instruments: readonly InstrumentSpec[],
  store: StoredBars,
  now: () => number,
): BarSource {
  const parted: StoredBars = {
    bars: (range) => barsInParts(store, range),
    watched: (...range) => store.watched(...range),
    fetched: (...range) => store.fetched(...range),
    number: (name) => store.number(name),
  };
  return realm === 'sim' ? new SimBarSource({ store: parted, instruments, now }) : parted;
}

/** The bars of a range, read in parts with pauses in between. */
async function barsInParts(store: Pick<MarketStore, 'bars'>, range: BarRange): Promise<Bar[]> {
  const pause = pauses();
  const isOldest = range.first === 'oldest';
  const parts: Bar[][] = [];
  let { from, to, limit } = range;
  while (limit > 0) {
    await pause();
    const part = await store.bars({ ...range, from, to, limit: Math.min(limit, PART) });
    parts.push(part);
    limit -= part.length;
    if (part.length < PART) break;
    if (isOldest) from = part.at(-1)!.time + 1;
    else to = part[0]!.time - 1;
  }
  if (parts.length === 1) return parts[0]!;
  return (isOldest ? parts : parts.reverse()).flat();
}
