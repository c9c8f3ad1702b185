// What the ingest before published but did not store is stored by its successor, from the journal: afterwards the tape ends
// where the journal does, and everything else is as after an orderly stop.
import { type InstrumentSpec, LATE_WINDOW_MS } from '@tickwire/engine';
import type { RedisKeys } from '../cluster/redis-keys.ts';
import type { RedisLink } from '../cluster/redis-link.ts';
import { readWindow } from '../journal/read-window.ts';
import type { Log } from '../ops/log.ts';
import { Recorder } from '../store/recorder.ts';
import { newestSeq, recordsOf } from '../store/restore.ts';
import type { MarketStore } from '../store/store.ts';
import { isAside } from '../store/tape-aside.ts';

export interface CompleteTapeOptions {
  /** Answers in bytes. */
  readonly link: RedisLink;
  readonly keys: RedisKeys;
  readonly store: MarketStore;
  readonly instruments: readonly InstrumentSpec[];
  readonly log: Log;
}

/** Returns the highest seq that is then on the tape; 0 where there is none. */
export async function completeTape({ link, keys, store, instruments, log }: CompleteTapeOptions): Promise<number> {
  const barsUntil = await store.number('bars_until');
  const recorded = barsUntil === undefined ? 0 : await recordedSeq(store, barsUntil - 2 * LATE_WINDOW_MS);
  const recorder = new Recorder({ store, instruments, log, barsUntil: barsUntil ?? 0 });
  let newest = recorded;
  for await (const batch of readWindow(link, keys, recorded)) {
    recorder.read(batch);
    newest = batch.firstSeq + batch.events.length - 1;
  }
  if (newest === recorded) return recorded;
  const ticks = recorder.waitingTicks;
  await recorder.flush();
  if (recorder.failure) throw recorder.failure;
  log.info('the tape was completed from the journal', { ticks, from_seq: recorded + 1, to_seq: newest });
  return newest;
}

/** What is on the tape of the last minutes: a tick may be that late. */
async function recordedSeq(store: MarketStore, from: number): Promise<number> {
  const blocks = await store.tape(Math.max(0, from));
  return newestSeq(blocks.filter((block) => !isAside(block)).flatMap(recordsOf));
}
