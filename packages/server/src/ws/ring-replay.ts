// Replays ticks, order flow or closed bars from the message ring. A subscriber whose position is older than the ring, that is overtaken
// by it during the replay, or whose account has replayed too much, gets a gap notice and a snapshot instead.
import { NOTHING_CONFLATED } from './conflated.ts';
import type { MessageRing } from './message-ring.ts';
import type { ReplayQuota } from './replay-quota.ts';
import { TURN_BYTES } from './replay-scheduler.ts';
import type { Replay, ReplayProgress, Subscriber } from './subscriber.ts';
import { type Topic, variantOf } from './topic.ts';

/** Messages of the ring that a turn looks at. Most of them may be of other symbols. */
const TURN_MESSAGES = 16_384;
/** What looking at a message counts against the limit of replayed bytes, so that a search for few messages is not free. */
const READ_BYTES = 4;

/** How long a replay waits for events that another gateway already has, in milliseconds. */
export const AHEAD_MS = 2_000;

export interface RingReplayOptions {
  readonly subscriber: Subscriber;
  /** Topic keys by the number of the topic in the ring. */
  readonly keys: ReadonlyMap<number, string>;
  readonly ring: MessageRing;
  readonly epoch: string;
  /** The subscriber has everything up to this `seq`. */
  readonly after: number;
  /** `seq` of the newest event of the journal in this process. The replay waits until it reaches `after`. */
  readonly newest: () => number;
  readonly quota: ReplayQuota;
  /** Called if messages after `seq` are no longer in the ring, or if the account may not replay more of them now. */
  readonly onLost: (seq: number) => void;
  /** Called if this process does not reach the position in time. */
  readonly onUnknown: () => void;
}

export class RingReplay implements Replay {
  readonly subscriber: Subscriber;
  readonly keys: readonly string[];
  readonly #options: RingReplayOptions;
  #at: number;
  /** Whether the position is still ahead of this process. */
  #isAhead: boolean;
  #waitUntil: number | null = null;
  #lastSeq: number;

  constructor(options: RingReplayOptions) {
    this.subscriber = options.subscriber;
    this.keys = [...options.keys.values()];
    this.#options = options;
    this.#lastSeq = options.after;
    this.#at = options.ring.firstAfter(options.after);
    this.#isAhead = options.newest() < options.after;
  }

  step(): ReplayProgress {
    const { subscriber, keys, ring, epoch, quota, onLost, after, newest } = this.#options;
    if (this.#isAhead) {
      if (newest() < after) return this.#await();
      this.#isAhead = false;
      this.#at = ring.firstAfter(after);
    }
    const isLost = this.#lastSeq < ring.lostUntil && this.#at <= ring.start;
    if (isLost || (this.#at < ring.end && quota.exhausted(subscriber))) {
      onLost(this.#lastSeq);
      return 'done';
    }
    let bytes = 0;
    const first = this.#at;
    const end = Math.min(ring.end, first + TURN_MESSAGES);
    for (; this.#at < end && bytes < TURN_BYTES; this.#at++) {
      const key = keys.get(ring.topicAt(this.#at));
      this.#lastSeq = ring.seqAt(this.#at);
      if (key === undefined || subscriber.replaying?.get(key) !== this) continue;
      const { variant, topic } = subscriber.subscriptions.get(key)!;
      const prev = this.prevAt(key, this.#at);
      const [body, time] = [ring.bodyAt(this.#at), ring.timeAt(this.#at)];
      const text = variantOf(variant, topic.channel, body, time, this.#lastSeq, prev, epoch);
      bytes += text.length;
      subscriber.socket.send(text);
    }
    quota.count(subscriber, Math.max(bytes, (this.#at - first) * READ_BYTES));
    if (this.#at < ring.end) return 'more';
    this.finish();
    return 'done';
  }

  /** `prev` of the message at a position of the ring. */
  protected prevAt(_key: string, position: number): number {
    return this.#options.ring.prevAt(position);
  }

  /** Called when everything was sent, before the topics go live. */
  protected finish(): void {}

  /** The position is that of another gateway, which is ahead of this one. */
  #await(): ReplayProgress {
    this.#waitUntil ??= performance.now() + AHEAD_MS;
    if (performance.now() < this.#waitUntil) return 'wait';
    this.#options.onUnknown();
    return 'done';
  }
}

/** Replays bars: those that closed or were amended, then the bar that is forming, if anything changed since. */
export class BarReplay extends RingReplay {
  readonly #options: RingReplayOptions & { readonly topics: readonly Topic[] };
  /**
   * `seq` of the last message that was sent, by key. The ring has none, because the message before depends on the rate of a
   * topic. Neither is the last one of the client known: `prev` of the first message is 0.
   */
  readonly #last = new Map<string, number>();

  constructor(options: RingReplayOptions & { readonly topics: readonly Topic[] }) {
    super(options);
    this.#options = options;
  }

  protected override prevAt(key: string, position: number): number {
    const { ring } = this.#options;
    const prev = this.#last.get(key) ?? 0;
    this.#last.set(key, ring.seqAt(position));
    return prev;
  }

  protected override finish(): void {
    const { subscriber, topics, after } = this.#options;
    for (const topic of topics) {
      if (subscriber.replaying?.get(topic.key) !== this) continue;
      const last = this.#last.get(topic.key);
      if (topic.seq <= (last ?? after)) continue;
      const text = topic.newestText(subscriber.subscriptions.get(topic.key)!, NOTHING_CONFLATED, last ?? 0);
      if (text !== null) subscriber.socket.send(text);
    }
  }
}
