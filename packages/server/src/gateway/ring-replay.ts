// Replays ticks or order flow from the ring. A reader that stands before what the ring still has, or falls out of it on the
// way, is told so and starts anew.
import type { Connection } from './connection.ts';
import { plain, sequenced } from './encode.ts';
import { type Progress, type Replay, TURN_BYTES } from './replays.ts';
import type { MessageRing } from './ring.ts';

export interface RingReplayOptions {
  readonly connection: Connection;
  /** By the place of the instrument in the catalogue. */
  readonly keys: ReadonlyMap<number, string>;
  readonly ring: MessageRing;
  readonly epoch: string;
  /** The reader has everything up to this. */
  readonly after: number;
  /** Told where messages after `seq` are no longer here; the reader is to start anew. */
  readonly onLost: (seq: number) => void;
}

export class RingReplay implements Replay {
  readonly connection: Connection;
  readonly keys: readonly string[];
  readonly #options: RingReplayOptions;
  #at: number;
  #last: number;

  constructor(options: RingReplayOptions) {
    this.connection = options.connection;
    this.keys = [...options.keys.values()];
    this.#options = options;
    this.#last = options.after;
    this.#at = options.ring.firstAfter(options.after);
  }

  step(): Progress {
    const { connection, keys, ring, epoch, onLost } = this.#options;
    if (this.#last < ring.lostUntil && this.#at <= ring.start) {
      onLost(this.#last);
      return 'done';
    }
    let bytes = 0;
    for (; this.#at < ring.end && bytes < TURN_BYTES; this.#at++) {
      const key = keys.get(ring.placeAt(this.#at));
      this.#last = ring.seqAt(this.#at);
      if (key === undefined || connection.held?.get(key) !== this) continue;
      const body = ring.bodyAt(this.#at);
      const numbered = connection.subscriptions.get(key)!.sequenced;
      const text = numbered ? sequenced(body, this.#last, ring.prevAt(this.#at), epoch) : plain(body);
      bytes += text.length;
      connection.socket.send(text);
    }
    return this.#at < ring.end ? 'more' : 'done';
  }
}
