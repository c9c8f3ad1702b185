// Delays messages for a moment, so that messages close together reach a socket in one write. The first message after a pause
// is sent at once. After a write to many sockets the next one begins as much later as leaves almost half of a core free, 15 ms at
// most: a write to a thousand sockets takes 5 to 9 ms, one to ten sockets a hundredth of that. Messages that arrive during a write
// wait for that time, because others will join them. A batch of a slow feed, such as one in steps of 10 ms, is sent at once, or at
// the end of the write: nothing would join it.
import type { Publish } from './topic.ts';

/** Longest time between the beginnings of two writes. */
export const MAX_DELAY_MS = 15;
/** The delay, in durations of a write. */
export const DELAY_IN_WRITES = 1.9;
/** What a write to a socket takes, system call included, before it was measured. */
export const MS_PER_SOCKET = 0.006;
/** A measured duration outside of this is that of something else. */
const LEAST_MS_PER_SOCKET = 0.003;
const MOST_MS_PER_SOCKET = 0.012;
/** Weight of a new measurement. */
const WEIGHT = 0.1;
/** Writes to fewer sockets are not measured: they take less than a third of a millisecond. */
const MEASURED_SOCKETS = 50;
/** A batch that arrives this long after the end of a write did not wait for it. */
const IDLE_MS = 0.5;
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
  /** Calls back when the messages just sent are written to their sockets. */
  readonly afterWrite?: (then: () => void) => void;
}

/** The runtime writes at the end of this turn of the event loop, or at the beginning of the next one. */
const afterNextTurn = (then: () => void): void => {
  setImmediate(() => setImmediate(then));
};

export class WriteBatcher {
  readonly #options: WriteBatcherOptions;
  /** Topic name and text of each message in turn. */
  readonly #waiting: string[] = [];
  readonly #names = new Set<string>();
  /** Batches since the last write, and in it. */
  #batches = 0;
  #batchesBefore = 0;
  /** Before this time nothing is sent, unless too much waits or the feed is slow. */
  #nextAt = 0;
  /** End of the last write; infinite during a write. */
  #writtenAt = 0;
  /** When the last write was expected to end. */
  #endExpectedAt = 0;
  #writes = 0;
  #msPerSocket = MS_PER_SOCKET;
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
    const idle = now - this.#writtenAt;
    const isSlowFeed =
      this.#timer === null && (idle >= IDLE_MS || (now >= this.#endExpectedAt && this.#batchesBefore === 1));
    // During a burst the timer does not fire.
    if (wait <= 0 || isSlowFeed || this.#waiting.length >= MAX_WAITING * 2) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), wait);
  }

  /** Sends what waits. Call it before a socket joins or leaves a topic, so that it gets no message twice and misses none. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#waiting.length === 0) return;
    const { send } = this.#options;
    const startedAt = performance.now();
    for (let at = 0; at < this.#waiting.length; at += 2) {
      this.#names.add(this.#waiting[at]!);
      send(this.#waiting[at]!, this.#waiting[at + 1]!);
    }
    this.#waiting.length = 0;
    this.#batchesBefore = this.#batches;
    this.#batches = 0;
    this.#delayNext(startedAt, this.#reached());
  }

  /** Delays the next write by the expected duration of this one, and measures how long this one takes. */
  #delayNext(startedAt: number, sockets: number): void {
    const expected = sockets * this.#msPerSocket;
    this.#endExpectedAt = startedAt + Math.min(MAX_DELAY_MS / DELAY_IN_WRITES, expected);
    this.#nextAt = startedAt + Math.min(MAX_DELAY_MS, expected * DELAY_IN_WRITES);
    const write = ++this.#writes;
    this.#writtenAt = startedAt;
    if (sockets < MEASURED_SOCKETS) return;
    const { afterWrite = afterNextTurn } = this.#options;
    this.#writtenAt = Number.POSITIVE_INFINITY;
    afterWrite(() => {
      // Another write has begun meanwhile.
      if (write !== this.#writes) return;
      this.#writtenAt = performance.now();
      const measured = (this.#writtenAt - startedAt) / sockets;
      const sensible = Math.min(MOST_MS_PER_SOCKET, Math.max(LEAST_MS_PER_SOCKET, measured));
      this.#msPerSocket += (sensible - this.#msPerSocket) * WEIGHT;
    });
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
