// Replays messages from a ring. A subscriber whose position is older than the ring, that is overtaken by it during the replay, or
// whose account has replayed too much, gets a gap notice and a snapshot instead.
import type { Journal } from '../journal/journal.ts';
import type { ReplayRequest } from './channel.ts';
import type { MessageRing } from './message-ring.ts';
import { TURN_BYTES } from './replay-scheduler.ts';
import type { Replay, ReplayProgress, Subscriber } from './subscriber.ts';
import { type Subscription, type Topic, variantOf } from './topic.ts';

/** Messages of the ring that a turn looks at. Most of them may be of other symbols. */
const TURN_MESSAGES = 16_384;
/** What looking at a message counts against the limit of replayed bytes, so that a search for few messages is not free. */
const READ_BYTES = 4;

/** How long a replay waits for events that another gateway already has, in milliseconds. */
export const AHEAD_MS = 2_000;

export interface RingSource {
  readonly ring: MessageRing;
  /** Number of a topic in the ring. */
  readonly numberOf: (topic: Topic) => number;
  /** The journal of this process. The replay waits until it reaches the position. */
  readonly journal: Pick<Journal, 'lastSeq'>;
}

export class RingReplay implements Replay {
  readonly subscriber: Subscriber;
  readonly keys: readonly string[];
  protected readonly request: ReplayRequest;
  protected readonly ring: MessageRing;
  readonly #journal: RingSource['journal'];
  /** Topic keys by the number of the topic in the ring. */
  readonly #keyOf: ReadonlyMap<number, string>;
  #at: number;
  /** Whether the position is still ahead of this process. */
  #isAhead: boolean;
  #waitUntil: number | null = null;
  #lastSeq: number;

  constructor(request: ReplayRequest, { ring, numberOf, journal }: RingSource) {
    const { subscriber, subscriptions, from } = request;
    this.request = request;
    this.subscriber = subscriber;
    this.ring = ring;
    this.#journal = journal;
    this.#keyOf = new Map(subscriptions.map(({ topic }) => [numberOf(topic), topic.key]));
    this.keys = [...this.#keyOf.values()];
    this.#lastSeq = from.seq;
    this.#at = ring.firstAfter(from.seq);
    this.#isAhead = journal.lastSeq < from.seq;
  }

  step(): ReplayProgress {
    const { ring, subscriber } = this;
    const { quota, from } = this.request;
    if (this.#isAhead) {
      if (this.#journal.lastSeq < from.seq) return this.#await();
      this.#isAhead = false;
      this.#at = ring.firstAfter(from.seq);
    }
    const isLost = this.#lastSeq < ring.lostUntil && this.#at <= ring.start;
    if (isLost || (this.#at < ring.end && quota.exhausted(subscriber))) {
      this.#declareLost();
      return 'done';
    }
    let bytes = 0;
    const first = this.#at;
    const end = Math.min(ring.end, first + TURN_MESSAGES);
    for (; this.#at < end && bytes < TURN_BYTES; this.#at++) {
      const key = this.#keyOf.get(ring.topicAt(this.#at));
      this.#lastSeq = ring.seqAt(this.#at);
      if (key === undefined || subscriber.replaying?.get(key) !== this) continue;
      const { variant, topic } = subscriber.subscriptions.get(key)!;
      const prev = this.prevAt(key, this.#at);
      const [body, time] = [ring.bodyAt(this.#at), ring.timeAt(this.#at)];
      const text = variantOf(variant, topic.channel, body, time, this.#lastSeq, prev, from.epoch);
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
    return this.ring.prevAt(position);
  }

  /** Called when everything was sent, before the topics go live. */
  protected finish(): void {}

  /** Those that the client has not ended or started over. */
  protected get subscriptions(): Subscription[] {
    const { subscriber } = this;
    return this.request.subscriptions.filter(({ topic }) => subscriber.replaying?.get(topic.key) === this);
  }

  /** Messages are no longer in the ring, or the account may not replay more of them now. */
  #declareLost(): void {
    // A symbol without events since then has lost nothing.
    const lost = this.subscriptions.filter(({ topic }) => topic.seq > this.#lastSeq);
    if (lost.length > 0) this.request.declareGap(lost, this.#lastSeq);
  }

  /** The position is that of another gateway, which is ahead of this one. */
  #await(): ReplayProgress {
    this.#waitUntil ??= performance.now() + AHEAD_MS;
    if (performance.now() < this.#waitUntil) return 'wait';
    this.request.declareGap(this.subscriptions, this.request.from.seq);
    return 'done';
  }
}
