// How much of the journal the stream keeps: so long, and at most so many events. A position in the stream is a seq, so it is
// trimmed to one. What an earlier writer wrote is kept by its number only: when it was written is not known here.

const WINDOW_MS = 600_000;
/** About 120 MB at Redis. */
const WINDOW_EVENTS = 2_000_000;
const TRIM_MS = 1_000;

export class StreamWindow {
  readonly #ms: number;
  readonly #events: number;
  /** What was published when, once a second. */
  readonly #marks: { readonly at: number; readonly seq: number }[] = [];
  #trimmedAt = 0;

  constructor(ms = WINDOW_MS, events = WINDOW_EVENTS) {
    this.#ms = ms;
    this.#events = events;
  }

  /** The seq that the stream is to begin with about now; '' where it need not be trimmed. */
  begins(publishedSeq: number, at = performance.now()): string {
    if (at - this.#trimmedAt < TRIM_MS) return '';
    this.#trimmedAt = at;
    this.#marks.push({ at, seq: publishedSeq });
    let least = publishedSeq - this.#events;
    while (this.#marks.length > 0 && this.#marks[0]!.at <= at - this.#ms)
      least = Math.max(least, this.#marks.shift()!.seq);
    return least > 0 ? String(least) : '';
  }
}
