// Keeps throttled topics to their rate. A topic with a new event sends immediately if its interval has elapsed, otherwise as
// soon as it has: the newest message is always sent, and never more often than requested.
import { ThrottledTopic, type Topic } from './topic.ts';

/** How late the newest message may be, beyond the interval. */
const LATE_MS = 10;

/** Supported rates per second. Subscribers share topics, and no client can create a thousand of them. */
const RATES = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

/** The highest supported rate that does not exceed `maxRate`. */
export const sharedRate = (maxRate: number): number => RATES.findLast((rate) => rate <= maxRate) ?? RATES[0]!;

/** The newest message of a topic, at most `maxRate` times per second. */
export function throttledTopic(source: Topic, maxRate: number): ThrottledTopic {
  const rate = sharedRate(maxRate);
  const intervalMs = 1000 / rate;
  const known = source.throttled.find((topic) => topic.intervalMs === intervalMs);
  if (known) return known;
  const { channel, symbol, name, epoch, newest } = source;
  const onUnused = (): void => {
    removeFrom(source.throttled, topic);
    source.conflated.delete(topic.sinceLast);
  };
  const topic = new ThrottledTopic({ channel, symbol, name: `${name}@${rate}`, epoch, newest, rate, onUnused });
  [topic.seq, topic.prev] = [source.seq, source.prev];
  source.throttled.push(topic);
  source.conflated.add(topic.sinceLast);
  return topic;
}

export function removeFrom(topics: ThrottledTopic[], topic: ThrottledTopic): void {
  const at = topics.indexOf(topic);
  if (at >= 0) topics.splice(at, 1);
}

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
