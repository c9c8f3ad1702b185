// The channels of the gateway, by name. A subscriber belongs to the channel of its endpoint: bars are read on that of ticks, and
// footprints on that of order flow.
import type { Channel, StreamChannel, StreamPosition } from '@tickwire/contract';
import { type GatewayChannel, isItemChannel, type LastSeqs, type TopicChannel } from './channel.ts';
import type { Hub } from './hub.ts';
import { ItemSubscribers, type ItemSubscribersOptions } from './item-subscribers.ts';
import type { Subscriber } from './subscriber.ts';

type Subscribed = Pick<Subscriber, 'channel'>;

export type ChannelsOptions = Omit<ItemSubscribersOptions, 'channel'> & {
  readonly channels: readonly GatewayChannel[];
  readonly hub: Pick<Hub, 'register' | 'flush'>;
};

export class Channels {
  readonly #channels: ReadonlyMap<StreamChannel, GatewayChannel>;
  readonly #items = new Map<StreamChannel, ItemSubscribers>();
  readonly #journal: ChannelsOptions['journal'];
  readonly #hub: ChannelsOptions['hub'];

  constructor({ channels, hub, ...options }: ChannelsOptions) {
    this.#journal = options.journal;
    this.#hub = hub;
    this.#channels = new Map(channels.map((channel) => [channel.name, channel]));
    for (const channel of channels)
      if (isItemChannel(channel)) {
        const items = new ItemSubscribers({ ...options, channel });
        this.#items.set(channel.name, items);
        hub.register(items);
      } else hub.register(channel);
  }

  has(name: StreamChannel): boolean {
    return this.#channels.has(name);
  }

  get names(): readonly StreamChannel[] {
    return [...this.#channels.keys()];
  }

  of(name: StreamChannel): GatewayChannel {
    return this.#channels.get(name)!;
  }

  /** A channel that has no items. */
  topics(name: StreamChannel): TopicChannel {
    return this.of(name) as TopicChannel;
  }

  /** The subscribers of a channel, if that has items. */
  items({ channel }: Subscribed): ItemSubscribers | undefined {
    return this.#items.get(channel);
  }

  /** Whether none of its messages is ever dropped. */
  isComplete({ channel }: Subscribed): boolean {
    const of = this.of(channel);
    return isItemChannel(of) || of.isComplete;
  }

  /** The newest position of a channel. */
  newest(channel: Channel): StreamPosition {
    const { epoch, lastSeq: seq } = this.#journal;
    return this.topics(channel).newest?.() ?? { epoch, seq };
  }

  /** Position of a subscriber that has read everything sent to it; `undefined` during a replay, when only the client knows it. */
  positionOf(subscriber: Subscriber): StreamPosition | undefined {
    const items = this.items(subscriber);
    if (subscriber.replaying || items?.isReplaying(subscriber)) return undefined;
    // No delayed message is behind a position.
    this.#hub.flush();
    if (items) return items.position;
    const own = this.topics(subscriber.channel).newest?.();
    if (own) return own;
    let seq = 0;
    for (const { topic } of subscriber.subscriptions) seq = Math.max(seq, topic.seq);
    return { epoch: this.#journal.epoch, seq };
  }

  /** Events up to `seq` never reached this process. */
  skipTo(seq: number, lastSeqs: LastSeqs): void {
    for (const channel of this.#channels.values()) if (!isItemChannel(channel)) channel.skipTo?.(seq, lastSeqs);
    for (const items of this.#items.values()) items.skipTo(seq);
  }
}
