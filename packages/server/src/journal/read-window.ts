// What the stream in Redis holds, read through once: to build a gateway's memory of the newest messages, and for an ingest
// that takes over to complete the tape with what its predecessor published but did not store.
import type { RedisKeys } from '../cluster/redis-keys.ts';
import type { RedisLink } from '../cluster/redis-link.ts';
import type { Batch } from './journal.ts';
import { decodeEntry } from './redis-journal-encoding.ts';

const COUNT = 64;
/** Behind every id that begins with the same seq. */
const AFTER = '18446744073709551615';

/** Batches with events after `seq`, in order, as far as they are there now. `link` answers in bytes. */
export async function* readWindow(link: RedisLink, { journal }: RedisKeys, seq: number): AsyncGenerator<Batch> {
  let last = seq;
  for (;;) {
    const reply = await link.send(['XRANGE', journal, `${last}-${AFTER}`, '+', 'COUNT', String(COUNT)]);
    const entries = reply as readonly (readonly [Buffer, readonly [Buffer, Buffer]])[];
    if (entries.length === 0) return;
    for (const [, [, bytes]] of entries) {
      for (const batch of decodeEntry(bytes).batches) {
        const end = batch.firstSeq + batch.events.length - 1;
        if (end <= last) continue;
        const known = Math.max(0, last + 1 - batch.firstSeq);
        last = end;
        yield known > 0 ? { ...batch, firstSeq: batch.firstSeq + known, events: batch.events.slice(known) } : batch;
      }
    }
  }
}
