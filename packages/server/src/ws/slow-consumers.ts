// Slow consumers. Bun's publish says nothing about a single socket, so buffered bytes are checked several times per second.
//
// 1. If a subscriber of ticks, order flow or bars buffers SLOW_BYTES, it gets a `slow` notice and leaves its topics. From then
//    on it gets only the newest message of each topic, as far as it drains. Once drained, it gets a `gap` notice with the
//    number of dropped messages and is live again.
// 2. Subscriptions with `"delivery":"latest"` are conflated earlier, at LATEST_BYTES, and without notices.
// 3. Signals and news are never conflated: a slow subscriber is disconnected and can resume at its position.
import type { StreamPosition } from '@tickwire/contract';
import type { Journal } from '../journal/journal.ts';
import type { Connection, Lag } from './connection.ts';
import type { Hub } from './hub.ts';
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
  readonly subscriptions: Subscriptions;
  readonly journal: Journal;
  /** Position of a signals or news subscriber that has read everything sent to it; `undefined` during a replay. */
  readonly position: (connection: Connection) => StreamPosition | undefined;
}

export class SlowConsumers {
  /** How often a subscriber became slow. */
  crossings = 0;
  /** Messages dropped for slow subscribers. */
  dropped = 0;
  readonly #options: SlowConsumersOptions;

  constructor(options: SlowConsumersOptions) {
    this.#options = options;
  }

  check(connection: Connection): void {
    const buffered = connection.socket.getBufferedAmount();
    if (!connection.lag && buffered < LATEST_BYTES) return;
    const { channel } = connection;
    if (channel === 'signals' || channel === 'news') {
      if (buffered < SLOW_BYTES) return;
      const position = this.#options.position(connection);
      connection.closeWithError('too_slow', `The client reads ${channel} too slowly.`, undefined, position);
      return;
    }
    if (buffered >= SLOW_BYTES && !connection.lag?.warned && !hasOnlyLatest(connection))
      this.#warn(connection, buffered);
    else if (connection.lag) this.#drain(connection, buffered);
    else this.#startConflating(connection, ({ latest }) => latest);
  }

  #warn(connection: Connection, buffered: number): void {
    this.crossings++;
    this.#startConflating(connection, () => true);
    this.#lagOf(connection).warned = true;
    connection.notify({ event: 'slow', buffered_bytes: buffered, delivery: 'latest' });
  }

  /** Takes live subscriptions off their topics. */
  #startConflating(connection: Connection, matches: (subscription: { readonly latest: boolean }) => boolean): void {
    const { hub, subscriptions } = this.#options;
    for (const [key, subscription] of connection.subscriptions) {
      if (!matches(subscription) || connection.replaying?.has(key) || connection.lag?.conflated.has(key)) continue;
      this.#lagOf(connection);
      // Conflate before leaving: an unused throttled topic would be removed.
      subscriptions.conflate(connection, subscription);
      hub.leave(connection, subscription);
    }
  }

  #lagOf(connection: Connection): Lag {
    connection.lag ??= {
      warned: false,
      fromSeq: this.#options.journal.lastSeq + 1,
      conflated: new Map(),
      symbols: new Set(),
      dropped: 0,
    };
    return connection.lag;
  }

  #drain(connection: Connection, buffered: number): void {
    const lag = connection.lag!;
    if (buffered > MAX_BUFFERED_BYTES) {
      connection.closeWithError('too_slow', 'The client did not catch up.');
      // There is no room to wait until it has read that.
      connection.finishClosing(true);
    }
    if (buffered >= DRAINED_BYTES) return;
    connection.socket.cork(() => this.#sendNewest(connection));
    if (buffered > 0) return;
    this.#options.subscriptions.catchUp(connection);
    // A subscriber with a `slow` notice also gets the notice that it is over.
    if (!lag.warned && lag.dropped === 0) return;
    this.dropped += lag.dropped;
    connection.notify({
      event: 'gap',
      reason: 'slow',
      symbols: [...lag.symbols],
      dropped: lag.dropped,
      from_seq: lag.fromSeq,
      to_seq: this.#options.journal.lastSeq,
    });
  }

  #sendNewest(connection: Connection): void {
    const lag = connection.lag!;
    const topicOf = (key: string): Topic => connection.subscriptions.get(key)!.topic;
    const due = [...lag.conflated].filter(([, conflated]) => conflated.messages > 0);
    // In the order of `seq`: a client that disconnects in between resumes after the last message it has seen.
    due.sort(([one], [other]) => topicOf(one).seq - topicOf(other).seq);
    for (const [key, conflated] of due) {
      const subscription = connection.subscriptions.get(key)!;
      const { topic, latest } = subscription;
      // With `"delivery":"latest"`, `prev` is the previous message that was sent to this subscriber.
      const text = topic.newestText(subscription, conflated, latest ? conflated.lastSeq : topic.prev);
      if (conflated.messages > 1 && !latest) {
        lag.dropped += conflated.messages - 1;
        lag.symbols.add(topic.symbol);
      }
      conflated.reset(topic.seq);
      if (text !== null) connection.socket.send(text);
    }
  }
}

/** Such a connection needs no notice. */
const hasOnlyLatest = ({ subscriptions }: Connection): boolean =>
  subscriptions.size > 0 && [...subscriptions.values()].every(({ latest }) => latest);
