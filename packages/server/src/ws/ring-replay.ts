// Replays ticks or order flow from the message ring. A subscriber whose position is older than the ring, that is overtaken
// by it during the replay, or whose account has replayed too much, gets a gap notice and a snapshot instead.
import type { Connection, Replay, ReplayProgress } from './connection.ts';
import { plain, sequenced } from './encode.ts';
import type { MessageRing } from './message-ring.ts';
import type { ReplayQuota } from './replay-quota.ts';
import { TURN_BYTES } from './replay-scheduler.ts';

/** Messages of the ring that a turn looks at. Most of them may be of other symbols. */
const TURN_MESSAGES = 16_384;
/** What looking at a message counts against the limit of replayed bytes, so that a search for few messages is not free. */
const READ_BYTES = 4;

export interface RingReplayOptions {
  readonly connection: Connection;
  /** Topic keys by the index of the instrument in the catalogue. */
  readonly keys: ReadonlyMap<number, string>;
  readonly ring: MessageRing;
  readonly epoch: string;
  /** The subscriber has everything up to this `seq`. */
  readonly after: number;
  readonly quota: ReplayQuota;
  /** Called if messages after `seq` are no longer in the ring, or if the account may not replay more of them now. */
  readonly onLost: (seq: number) => void;
}

export class RingReplay implements Replay {
  readonly connection: Connection;
  readonly keys: readonly string[];
  readonly #options: RingReplayOptions;
  #at: number;
  #lastSeq: number;

  constructor(options: RingReplayOptions) {
    this.connection = options.connection;
    this.keys = [...options.keys.values()];
    this.#options = options;
    this.#lastSeq = options.after;
    this.#at = options.ring.firstAfter(options.after);
  }

  step(): ReplayProgress {
    const { connection, keys, ring, epoch, quota, onLost } = this.#options;
    const isLost = this.#lastSeq < ring.lostUntil && this.#at <= ring.start;
    if (isLost || (this.#at < ring.end && quota.exhausted(connection))) {
      onLost(this.#lastSeq);
      return 'done';
    }
    let bytes = 0;
    const first = this.#at;
    const end = Math.min(ring.end, first + TURN_MESSAGES);
    for (; this.#at < end && bytes < TURN_BYTES; this.#at++) {
      const key = keys.get(ring.instrumentAt(this.#at));
      this.#lastSeq = ring.seqAt(this.#at);
      if (key === undefined || connection.replaying?.get(key) !== this) continue;
      const body = ring.bodyAt(this.#at);
      const withSeq = connection.subscriptions.get(key)!.sequenced;
      const text = withSeq ? sequenced(body, this.#lastSeq, ring.prevAt(this.#at), epoch) : plain(body);
      bytes += text.length;
      connection.socket.send(text);
    }
    quota.count(connection, Math.max(bytes, (this.#at - first) * READ_BYTES));
    return this.#at < ring.end ? 'more' : 'done';
  }
}
