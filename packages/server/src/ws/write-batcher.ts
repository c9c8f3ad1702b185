// Delays messages for a moment, so that messages close together reach a socket in one write. The first message after a pause
// is sent immediately; those that follow within COALESCE_MS wait for the rest of that time, never longer.
import type { Publish } from './topic.ts';

export const COALESCE_MS = 1;
/** At most this many messages wait. */
const MAX_WAITING = 4_096;
/** The clock is read once in this many batches: reading it costs as much as queueing a message. */
const BATCHES_PER_CLOCK_READ = 16;

export class WriteBatcher {
  readonly #send: Publish;
  /** Topic name and text of each message in turn. */
  readonly #waiting: string[] = [];
  #lastAt = 0;
  #batches = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(send: Publish) {
    this.#send = send;
  }

  readonly add: Publish = (name, text) => {
    this.#waiting.push(name, text);
  };

  /** Call after each batch: sends it, or sets a timer that will. */
  endBatch(): void {
    if (this.#waiting.length === 0) return;
    if (this.#timer && ++this.#batches % BATCHES_PER_CLOCK_READ !== 0 && this.#waiting.length < MAX_WAITING * 2) return;
    // During a burst the timer does not fire.
    const wait = this.#lastAt + COALESCE_MS - performance.now();
    if (wait <= 0 || this.#waiting.length >= MAX_WAITING * 2) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), wait);
  }

  /** Sends what waits. Call it before a socket joins or leaves a topic, so that it gets no message twice and misses none. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#waiting.length === 0) return;
    for (let at = 0; at < this.#waiting.length; at += 2) this.#send(this.#waiting[at]!, this.#waiting[at + 1]!);
    this.#waiting.length = 0;
    this.#lastAt = performance.now();
  }
}
