// Completes the tape from the journal: events that the previous ingest node published but did not store are stored by its
// successor. Afterwards the tape ends where the journal ends, as after an orderly stop.
import { type InstrumentSpec, LATE_WINDOW_MS } from '@tickwire/engine';
import { readStream } from '../cluster/journal/redis-journal-reader.ts';
import type { RedisKeys } from '../cluster/redis-keys.ts';
import type { RedisLink } from '../cluster/redis-link.ts';
import { Recorder } from '../market/recorder.ts';
import { newestSeq } from '../market/restore.ts';
import type { Log } from '../ops/log.ts';
import type { MarketStore } from '../store/store.ts';
import { recordsOf } from '../store/tape-records.ts';

export interface RecoverTapeOptions {
  /** With `bytes`. */
  readonly link: RedisLink;
  readonly keys: RedisKeys;
  readonly store: MarketStore;
  readonly instruments: readonly InstrumentSpec[];
  readonly log: Log;
}

/** Returns the highest `seq` on the tape afterwards; 0 if it is empty. */
export async function recoverTape({ link, keys, store, instruments, log }: RecoverTapeOptions): Promise<number> {
  const barsUntil = await store.number('bars_until');
  const recorded = barsUntil === undefined ? 0 : await recordedSeq(store, barsUntil - 2 * LATE_WINDOW_MS);
  const recorder = new Recorder({ store, instruments, log, barsUntil: barsUntil ?? 0 });
  let newest = recorded;
  for await (const batch of readStream(link, keys, recorded)) {
    recorder.read(batch);
    newest = batch.firstSeq + batch.events.length - 1;
  }
  if (newest === recorded) return recorded;
  const ticks = recorder.waitingTicks;
  await recorder.drain();
  if (recorder.failure) throw recorder.failure;
  log.info('completed the tape from the journal', { ticks, from_seq: recorded + 1, to_seq: newest });
  return newest;
}

/** The highest `seq` on the tape of the last minutes: ticks may be that late. */
async function recordedSeq(store: MarketStore, from: number): Promise<number> {
  const blocks = await store.tape(Math.max(0, from));
  return newestSeq(blocks.flatMap(recordsOf));
}
