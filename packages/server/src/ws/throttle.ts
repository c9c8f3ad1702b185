// Keeps throttled topics to their rate. A topic with a new event sends immediately if its interval has elapsed, otherwise as
// soon as it has: the newest message is always sent, and never more often than requested.
import type { ThrottledTopic } from './topic.ts';

/** How late the newest message may be, beyond the interval. */
const LATE_MS = 10;

/** Supported rates per second. Subscribers share topics, and no client can create a thousand of them. */
const RATES = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

/** The highest supported rate that does not exceed `maxRate`. */
export const sharedRate = (maxRate: number): number => RATES.findLast((rate) => rate <= maxRate) ?? RATES[0]!;

export class TopicThrottle {
  readonly #send: (topic: ThrottledTopic) => void;
  readonly #now: () => number;
  readonly #waiting = new Set<ThrottledTopic>();
  /** No waiting topic is due before this. */
  #nextAt = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(send: (topic: ThrottledTopic) => void, now: () => number) {
    this.#send = send;
    this.#now = now;
  }

  /** Schedules a message about event `seq`. */
  schedule(topic: ThrottledTopic, seq: number): void {
    topic.pendingSeq = seq;
    this.#waiting.add(topic);
    if (topic.dueAt < this.#nextAt) this.#nextAt = topic.dueAt;
  }

  /** Drops the scheduled message: it was sent, or is out of date. */
  cancel(topic: ThrottledTopic): void {
    topic.pendingSeq = 0;
    this.#waiting.delete(topic);
  }

  /** Sends what is due, and sets a timer for the rest. */
  readonly run = (): void => {
    if (this.#waiting.size === 0) return;
    const now = this.#now();
    if (now >= this.#nextAt) this.#sendDue(now);
    if (this.#waiting.size > 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = null;
        this.run();
      }, LATE_MS);
    }
  };

  #sendDue(now: number): void {
    this.#nextAt = Number.POSITIVE_INFINITY;
    for (const topic of this.#waiting) {
      if (now < topic.dueAt) {
        this.#nextAt = Math.min(this.#nextAt, topic.dueAt);
        continue;
      }
      topic.dueAt = now + topic.intervalMs;
      this.#send(topic);
      this.cancel(topic);
    }
  }
}
