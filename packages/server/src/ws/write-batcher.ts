// Delays messages for a moment, so that messages close together reach a socket in one write. The first message after a pause
// is sent at once. After a write to many sockets the next one begins as much later as keeps half of a core free, 12 ms at most:
// with 100 sockets after 1.2 ms, with ten after 0.12 ms. Half of that time the sockets are being written to. The batches of a feed
// that is slower than that do not wait for the other half: nothing would join them.
import type { Publish } from './topic.ts';

/** Longest time between two writes. */
export const MAX_DELAY_MS = 12;
/** Twice the time that a write to a socket takes, system call included. */
export const MS_PER_SOCKET = 0.012;
/** The part of the delay that the batches of a slow feed are spared. */
const SPARED = 0.5;
/** Batches in a write of a slow feed: after a pause of this process there may be two. */
const FEW = 2;
/** At most this many messages wait. */
const MAX_WAITING = 4_096;
/** The clock is read once in this many batches: reading it costs as much as queueing a message. */
const BATCHES_PER_CLOCK_READ = 16;

export interface WriteBatcherOptions {
  readonly send: Publish;
  /** Sockets that a message to a topic reaches. */
  readonly audienceOf: (name: string) => number;
  /** All sockets: however many topics a write has, it reaches no more. */
  readonly sockets: () => number;
}

export class WriteBatcher {
  readonly #options: WriteBatcherOptions;
  /** Topic name and text of each message in turn. */
  readonly #waiting: string[] = [];
  readonly #names = new Set<string>();
  /** Before this time nothing is sent, unless too much waits. */
  #nextAt = 0;
  /** Batches since the last write, and in it. */
  #batches = 0;
  #batchesBefore = 0;
  /** From this time on a batch of a slow feed is sent. */
  #sparedFrom = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(options: WriteBatcherOptions) {
    this.#options = options;
  }

  readonly add: Publish = (name, text) => {
    this.#waiting.push(name, text);
  };

  /** Call after each batch: sends it, or sets a timer that will. */
  endBatch(): void {
    if (this.#waiting.length === 0) return;
    this.#batches++;
    if (this.#timer && this.#batches % BATCHES_PER_CLOCK_READ !== 0 && this.#waiting.length < MAX_WAITING * 2) return;
    const now = performance.now();
    const wait = this.#nextAt - now;
    const isSpared = this.#timer === null && this.#batchesBefore <= FEW && now >= this.#sparedFrom;
    // During a burst the timer does not fire.
    if (wait <= 0 || isSpared || this.#waiting.length >= MAX_WAITING * 2) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), wait);
  }

  /** Sends what waits. Call it before a socket joins or leaves a topic, so that it gets no message twice and misses none. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#waiting.length === 0) return;
    const { send } = this.#options;
    for (let at = 0; at < this.#waiting.length; at += 2) {
      this.#names.add(this.#waiting[at]!);
      send(this.#waiting[at]!, this.#waiting[at + 1]!);
    }
    this.#waiting.length = 0;
    this.#batchesBefore = this.#batches;
    this.#batches = 0;
    const delay = Math.min(MAX_DELAY_MS, this.#reached() * MS_PER_SOCKET);
    this.#nextAt = performance.now() + delay;
    this.#sparedFrom = this.#nextAt - delay * SPARED;
  }

  /** How many sockets the messages just sent reach. */
  #reached(): number {
    const { audienceOf, sockets } = this.#options;
    let sum = 0;
    for (const name of this.#names) sum += audienceOf(name);
    this.#names.clear();
    return Math.min(sum, sockets());
  }
}
