// How much of the journal the stream keeps: a limited time and a limited number of events. Since a position in the stream is a
// `seq`, it is trimmed to one. For entries of an earlier writer only the number counts: their time is unknown here.
import { MINUTE_MS } from '@tickwire/engine';

const WINDOW_MS = 10 * MINUTE_MS;
/** About 120 MB in Redis. */
const WINDOW_EVENTS = 2_000_000;
const TRIM_MS = 1_000;

export class StreamRetention {
  readonly #ms: number;
  readonly #events: number;
  /** The published `seq`, once per second. */
  readonly #marks: { readonly at: number; readonly seq: number }[] = [];
  #trimmedAt = 0;

  constructor(ms = WINDOW_MS, events = WINDOW_EVENTS) {
    this.#ms = ms;
    this.#events = events;
  }

  /** The `seq` to trim the stream to; '' if it need not be trimmed now. */
  trimTo(publishedSeq: number, at = performance.now()): string {
    if (at - this.#trimmedAt < TRIM_MS) return '';
    this.#trimmedAt = at;
    this.#marks.push({ at, seq: publishedSeq });
    let least = publishedSeq - this.#events;
    while (this.#marks.length > 0 && this.#marks[0]!.at <= at - this.#ms)
      least = Math.max(least, this.#marks.shift()!.seq);
    return least > 0 ? String(least) : '';
  }
}
