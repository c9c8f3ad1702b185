// Delays messages for a moment, so that messages close together reach a socket in one write. A write to a thousand sockets takes 5 to
// 9 ms, one to ten sockets a hundredth of that. If batches come about as fast as they could be written, or faster, a write begins so
// long after the one before that almost half of a core stays free, 15 ms at most. The batches of a slower feed, such as one in steps
// of 10 ms, are sent when they come, or at the end of the write: nothing would join them.
import type { Publish } from './topic.ts';

/** Longest time between the beginnings of two writes. */
export const MAX_WRITE_DELAY_MS = 15;
/** That time in durations of a write, if the feed is fast. */
export const DELAY_IN_WRITES = 1.9;
/** The same if it is slow. Nothing is sent during a write, so this is its end; batches of the same turn are still joined. */
const SLOW_DELAY_IN_WRITES = 0.5;
/** A feed is slow if its batches are farther apart than this, in durations of a write. */
const SLOW_IN_WRITES = 1.1;
/** How far back the distance of batches is measured. */
const MEMORY_MS = 100;
/** What a write to a socket takes, system call included, before it was measured. */
export const MS_PER_SOCKET = 0.006;
/** A measured duration outside of this is that of something else. */
const LEAST_MS_PER_SOCKET = 0.003;
const MOST_MS_PER_SOCKET = 0.012;
/** Weight of a new measurement. */
const WEIGHT = 0.1;
/** Writes to fewer sockets are not measured: they take less than a third of a millisecond. */
const MEASURED_SOCKETS = 50;
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
  /** Batches since the last write. */
  #batches = 0;
  /** Batches per millisecond. */
  #rate = 0;
  #startedAt = 0;
  /** Before this time nothing is sent, unless too much waits. */
  #nextAt = 0;
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
    const wait = this.#nextAt - performance.now();
    // During a burst the timer does not fire.
    if (wait <= 0 || this.#waiting.length >= MAX_WAITING * 2) this.flush();
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
    this.#countBatches(startedAt);
    this.#delayNext(startedAt, this.#reached());
  }

  #countBatches(now: number): void {
    this.#rate = this.#rate * Math.exp((this.#startedAt - now) / MEMORY_MS) + this.#batches / MEMORY_MS;
    this.#startedAt = now;
    this.#batches = 0;
  }

  /** Delays the next write by the expected duration of this one, and measures how long this one takes. */
  #delayNext(startedAt: number, sockets: number): void {
    const expected = sockets * this.#msPerSocket;
    const isSlow = this.#rate * expected * SLOW_IN_WRITES <= 1;
    this.#nextAt =
      startedAt + Math.min(MAX_WRITE_DELAY_MS, expected * (isSlow ? SLOW_DELAY_IN_WRITES : DELAY_IN_WRITES));
    const write = ++this.#writes;
    if (sockets < MEASURED_SOCKETS) return;
    const { afterWrite = afterNextTurn } = this.#options;
    afterWrite(() => {
      // Another write has begun meanwhile.
      if (write !== this.#writes) return;
      const measured = (performance.now() - startedAt) / sockets;
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
