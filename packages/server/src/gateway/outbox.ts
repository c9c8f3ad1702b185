// Holds messages back for a moment, so that those that come close together reach a socket in one write. The first after a
// pause goes out at once; what follows within COALESCE_MS waits for the rest of it, never longer.
import type { Publish } from './line.ts';

export const COALESCE_MS = 1;
/** No more messages than this are held. */
const MOST_HELD = 4_096;
/** The clock is read with every so many batches: to read it costs as much as to hold a message. */
const BATCHES_PER_LOOK = 16;

export class Outbox {
  readonly #send: Publish;
  readonly #held: string[] = [];
  #lastAt = 0;
  #batches = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(send: Publish) {
    this.#send = send;
  }

  readonly put: Publish = (topic, text) => {
    this.#held.push(topic, text);
  };

  /** After each batch: sends, or sees to it that it will be sent. */
  settle(): void {
    if (this.#held.length === 0) return;
    if (this.#timer && ++this.#batches % BATCHES_PER_LOOK !== 0 && this.#held.length < MOST_HELD * 2) return;
    // In a burst the timer does not get its turn.
    const wait = this.#lastAt + COALESCE_MS - performance.now();
    if (wait <= 0 || this.#held.length >= MOST_HELD * 2) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), wait);
  }

  /** Sends what is held. Whoever joins or leaves a topic calls this first, so that nobody gets a message twice or not at all. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#held.length === 0) return;
    for (let at = 0; at < this.#held.length; at += 2) this.#send(this.#held[at]!, this.#held[at + 1]!);
    this.#held.length = 0;
    this.#lastAt = performance.now();
  }
}
