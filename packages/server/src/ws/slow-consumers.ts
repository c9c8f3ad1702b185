// Slow consumers. Bun's publish reports nothing about a single socket, so buffered bytes are checked several times per second.
//
// 1. If a connection with ticks, order flow or bars buffers SLOW_BYTES, their subscribers get a `slow` notice and leave their
//    topics. From then on they get only the newest message of each topic, as far as the connection drains. Once drained, they
//    get a `gap` notice with the number of dropped messages and are live again.
// 2. Subscriptions with `"delivery":"latest"` are conflated earlier, at LATEST_BYTES, and without notices.
// 3. Perpetual data, signals, news and alerts are never conflated: a connection that has nothing else is closed at SLOW_BYTES and can
//    resume at its position; one that also has market data is closed at MAX_BUFFERED_BYTES.
import type { Journal } from '../journal/journal.ts';
import type { Channels } from './channels.ts';
import type { Connection } from './connection.ts';
import type { Hub } from './hub.ts';
import type { StreamCounts } from './stream-counts.ts';
import type { Lag, Subscriber } from './subscriber.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { Topic } from './topic.ts';

const LATEST_BYTES = 64 * 1024;
const SLOW_BYTES = 256 * 1024;
/** A slow subscriber gets the newest messages while it buffers less than this. */
const DRAINED_BYTES = 16 * 1024;
/** Beyond this it is disconnected. One that reads nothing at all is disconnected for its silence. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;

export interface SlowConsumersOptions {
  readonly hub: Hub;
  readonly channels: Channels;
  readonly subscriptions: Subscriptions;
  readonly journal: Journal;
  readonly counts: StreamCounts;
}

export class SlowConsumers {
  readonly #options: SlowConsumersOptions;

  constructor(options: SlowConsumersOptions) {
    this.#options = options;
  }

  /** `buffered`: bytes that the client has not read. */
  check(connection: Connection, buffered: number): void {
    const { subscribers } = connection;
    if (buffered < LATEST_BYTES && !subscribers.some(({ lag }) => lag)) return;
    const { channels } = this.#options;
    const complete = subscribers.filter((each) => channels.isComplete(each));
    const conflatable = subscribers.filter((each) => !channels.isComplete(each));
    // On a connection of several channels, one without subscriptions has nothing to conflate.
    const active = conflatable.filter(({ subscriptions, lag }) => subscriptions.size > 0 || lag);
    if (active.length === 0 && complete.length > 0) {
      if (buffered >= SLOW_BYTES) this.#closeComplete(connection, complete);
      return;
    }
    for (const subscriber of active.length > 0 ? active : conflatable) {
      if (connection.closed) return;
      this.#checkConflatable(connection, subscriber, buffered);
    }
  }

  /** Call it after every subscribe: on a connection that is slow, a further channel is slow from the start. */
  subscribed(subscriber: Subscriber): void {
    const { connection, socket, lag } = subscriber;
    if (!connection.isSlow || this.#options.channels.isComplete(subscriber) || lag?.warned) return;
    if (hasOnlyLatest(subscriber)) this.#startConflating(subscriber, () => true);
    else this.#warn(subscriber, socket.getBufferedAmount());
  }

  /** Each channel receives its own position. */
  #closeComplete(connection: Connection, subscribers: readonly Subscriber[]): void {
    const about = subscribers.map((each) => each.errorContext(this.#options.channels.positionOf(each)));
    const channels = subscribers.map(({ channel }) => channel).join(', ');
    connection.closeWithError('too_slow', `The client reads ${channels} too slowly.`, undefined, about);
  }

  #checkConflatable(connection: Connection, subscriber: Subscriber, buffered: number): void {
    if (buffered >= SLOW_BYTES && !subscriber.lag?.warned && !hasOnlyLatest(subscriber))
      this.#warn(subscriber, buffered);
    else if (!subscriber.lag) this.#startConflating(subscriber, ({ latest }) => latest);
    else if (buffered > MAX_BUFFERED_BYTES) {
      connection.closeWithError('too_slow', 'The client did not catch up.');
      // There is no room to wait until it has read that.
      connection.finishClosing(true);
    } else if (buffered < DRAINED_BYTES) this.#drain(subscriber, buffered);
  }

  #warn(subscriber: Subscriber, buffered: number): void {
    this.#options.counts.slow++;
    this.#startConflating(subscriber, () => true);
    this.#lagOf(subscriber).warned = true;
    subscriber.notify({ event: 'slow', buffered_bytes: buffered, delivery: 'latest' });
  }

  /** Takes live subscriptions off their topics. */
  #startConflating(subscriber: Subscriber, matches: (subscription: { readonly latest: boolean }) => boolean): void {
    const { hub, subscriptions } = this.#options;
    for (const subscription of subscriber.subscriptions) {
      const { key } = subscription.topic;
      if (!matches(subscription) || subscriber.replaying?.has(key) || subscriber.lag?.conflated.has(key)) continue;
      this.#lagOf(subscriber);
      // Conflate before leaving: an unused throttled topic would be removed.
      subscriptions.conflate(subscriber, subscription);
      hub.leave(subscriber, subscription);
    }
  }

  #lagOf(subscriber: Subscriber): Lag {
    subscriber.lag ??= {
      warned: false,
      fromSeq: this.#options.journal.lastSeq + 1,
      conflated: new Map(),
      symbols: new Set(),
      dropped: 0,
    };
    return subscriber.lag;
  }

  #drain(subscriber: Subscriber, buffered: number): void {
    const lag = subscriber.lag!;
    subscriber.socket.cork(() => this.#sendNewest(subscriber));
    if (buffered > 0) return;
    this.#options.subscriptions.catchUp(subscriber);
    // A subscriber with a `slow` notice also gets the notice that it is over.
    if (!lag.warned && lag.dropped === 0) return;
    this.#options.counts.dropped += lag.dropped;
    subscriber.notify({
      event: 'gap',
      reason: 'slow',
      symbols: [...lag.symbols],
      dropped: lag.dropped,
      from_seq: lag.fromSeq,
      to_seq: this.#options.journal.lastSeq,
    });
  }

  #sendNewest(subscriber: Subscriber): void {
    const lag = subscriber.lag!;
    const topicOf = (key: string): Topic => subscriber.subscriptions.get(key)!.topic;
    const due = [...lag.conflated].filter(([, conflated]) => conflated.messages > 0);
    // In the order of `seq`: a client that disconnects in between resumes after the last message it has seen.
    due.sort(([one], [other]) => topicOf(one).seq - topicOf(other).seq);
    for (const [key, conflated] of due) {
      const subscription = subscriber.subscriptions.get(key)!;
      const { topic, latest } = subscription;
      // With `"delivery":"latest"`, `prev` is the previous message that was sent to this subscriber.
      const text = topic.newestText(subscription, conflated, latest ? conflated.lastSeq : topic.prev);
      if (conflated.messages > 1 && !latest) {
        lag.dropped += conflated.messages - 1;
        lag.symbols.add(topic.symbol);
      }
      conflated.reset(topic.seq);
      if (text !== null) subscriber.socket.send(text);
    }
  }
}

/** Such a subscriber needs no notice. */
const hasOnlyLatest = ({ subscriptions }: Subscriber): boolean =>
  subscriptions.size > 0 && [...subscriptions].every(({ latest }) => latest);
