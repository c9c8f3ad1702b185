// The position in the journal up to which the read models include every event, and nothing later. REST answers state it, so that
// a client can continue with a stream from there.
import type { StreamPosition } from '@tickwire/contract';
import type { Journal } from './journal.ts';

/**
 * Call it in the same turn of the event loop as the memory is read. `null` if the position is not known, as while a gateway
 * restores its replica.
 */
export type ReadPosition = () => StreamPosition | null;

/** Readers are called as events are appended, so between two turns of the event loop they have them all. */
export function readPosition(journal: Pick<Journal, 'epoch' | 'lastSeq' | 'isComplete'>): ReadPosition {
  let last: StreamPosition = { epoch: '', seq: -1 };
  return () => {
    const { epoch, lastSeq: seq, isComplete = true } = journal;
    if (!isComplete) return null;
    // The same object for all answers in between.
    if (last.seq !== seq || last.epoch !== epoch) last = { epoch, seq };
    return last;
  };
}
