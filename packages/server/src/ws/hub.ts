// Brings the events of the journal to the channels that read them, and their messages to the sockets: every message is encoded
// once and published to a Bun topic, which delivers it to all of its sockets.
import type { Batch, JournalEvent } from '../journal/journal.ts';
import type { EventReaders, TopicPublisher } from './channel.ts';
import type { StreamCounts } from './stream-counts.ts';
import type { Subscriber } from './subscriber.ts';
import { TopicThrottle } from './throttle.ts';
import { type Publish, type Subscription, ThrottledTopic, type Topic } from './topic.ts';
import { WriteBatcher } from './write-batcher.ts';

export interface HubOptions {
  readonly publish: Publish;
  /** Sockets that are subscribed to a Bun topic, and all sockets. */
  readonly audienceOf: (name: string) => number;
  readonly sockets: () => number;
  readonly counts: StreamCounts;
  readonly now: () => number;
}

type EventReader = (event: JournalEvent, seq: number, publisher: TopicPublisher) => void;

export class Hub implements TopicPublisher {
  /** By kind of event. A record: a lookup in a map costs more at a million events per second. */
  readonly #readers: Partial<Record<JournalEvent['kind'], EventReader[]>> = {};
  readonly #counts: StreamCounts;
  readonly #startBatch: (() => void)[] = [];
  readonly #batcher: WriteBatcher;
  readonly #throttle: TopicThrottle;

  constructor({ publish: send, audienceOf, sockets, counts, now }: HubOptions) {
    this.#counts = counts;
    this.#batcher = new WriteBatcher({ send, audienceOf, sockets });
    this.#throttle = new TopicThrottle((topic) => this.#sendThrottled(topic), now);
  }

  /** Readers of the same kind of events are called in the order of registration. */
  register(source: { readonly reads: EventReaders; startBatch?(): void }): void {
    for (const [kind, read] of Object.entries(source.reads) as [JournalEvent['kind'], EventReader][])
      this.#readers[kind] = [...(this.#readers[kind] ?? []), read];
    if (source.startBatch) this.#startBatch.push(() => source.startBatch!());
  }

  readonly read = ({ firstSeq, events }: Batch): void => {
    for (const start of this.#startBatch) start();
    for (let index = 0; index < events.length; index++) {
      const event = events[index]!;
      const readers = this.#readers[event.kind];
      if (readers === undefined) continue;
      for (let at = 0; at < readers.length; at++) readers[at]!(event, firstSeq + index, this);
    }
    this.#throttle.run();
    this.#batcher.endBatch();
  };

  publish(topic: Topic, body: string, time: number | null): void {
    this.#counts.published++;
    topic.publish(body, time, this.#batcher.add);
  }

  schedule(topics: readonly ThrottledTopic[], seq: number): void {
    for (let at = 0; at < topics.length; at++) this.#throttle.schedule(topics[at]!, seq);
  }

  cancel(topic: ThrottledTopic): void {
    this.#throttle.cancel(topic);
  }

  /** Sends delayed messages now. Call it before sending anything directly that refers to them. */
  flush(): void {
    this.#batcher.flush();
  }

  join({ socket }: Subscriber, subscription: Subscription): void {
    this.#batcher.flush();
    subscription.topic.countSubscribers(subscription, 1);
    socket.subscribe(subscription.name);
  }

  leave({ socket }: Subscriber, subscription: Subscription): void {
    this.#batcher.flush();
    socket.unsubscribe(subscription.name);
    subscription.topic.countSubscribers(subscription, -1);
    this.removeIfUnused(subscription.topic);
  }

  /** Removes a throttled topic without subscribers. */
  removeIfUnused(topic: Topic): void {
    if (!(topic instanceof ThrottledTopic) || !topic.isUnused) return;
    this.#throttle.cancel(topic);
    topic.onUnused();
  }

  #sendThrottled(topic: ThrottledTopic): void {
    if (topic.isOutdated()) return;
    topic.advance(topic.pendingSeq, topic.sinceLast.volume, topic.sinceLast.askVolume);
    const message = topic.hasSubscribers ? topic.newest(topic.sinceLast) : null;
    topic.sinceLast.reset(topic.seq);
    if (message === null) return;
    this.publish(topic, message.body, message.time);
    this.#batcher.endBatch();
  }
}
