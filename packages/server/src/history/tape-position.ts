// Up to which `seq` the stored tape of an instrument is complete. The recorder writes the tape in the order of the journal, so
// everything before a stored tick is stored as well. Memory may be some hundred milliseconds ahead; streams replay the rest.
import { DAY_MS, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import { IMPORTED, ticksOf } from '../store/tape-records.ts';
import type { Tick, TickStore } from './tick-stream.ts';

/** An instrument without ticks for the first time is searched over the second, then over a long weekend. */
const SEARCHED_MS = [15 * MINUTE_MS, DAY_MS, 5 * DAY_MS] as const;

/** `now`: market time. `null` if the instrument had no tick in the last days. */
export async function tapePosition(store: TickStore, symbol: MarketSymbol, now: number): Promise<number | null> {
  for (const searched of SEARCHED_MS) {
    const blocks = await store.tapeOf(symbol, now - searched, now + DAY_MS);
    for (const block of [...blocks].sort((a, b) => b.firstSeq - a.firstSeq)) {
      const last = ticksOf(block).findLast(({ source }) => source !== IMPORTED);
      if (last) return last.seq;
    }
  }
  return null;
}

/** Whether a tick belongs to the tape up to a position. Imported ticks are not part of the journal. */
export const isUpTo =
  (seq: number) =>
  (tick: Tick): boolean =>
    tick.seq <= seq || tick.source === IMPORTED;
