// What a domain gives to the gateway: a channel with its messages. A topic channel publishes each message once, to a topic of its
// symbol. An item channel has messages with several symbols or none, which are sent to each subscriber by itself.
import type {
  Channel,
  ClientMessage,
  ErrorCode,
  Notice,
  StreamChannel,
  StreamPosition,
  Timeframe,
} from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { JournalEvent } from '../journal/journal.ts';
import type { ReplayQuota } from './replay-quota.ts';
import type { Replay, Subscriber } from './subscriber.ts';
import type { Subscription, ThrottledTopic, Topic } from './topic.ts';

export type Subscribe = Extract<ClientMessage, { action: 'subscribe' }>;
export type Unsubscribe = Extract<ClientMessage, { action: 'unsubscribe' }>;
export type SetEvent = 'subscribed' | 'unsubscribed' | 'subscriptions';
export type SubscriptionNotice = Extract<Notice, { event: SetEvent }>;

/** The instruments that clients can name. */
export interface SymbolCatalogue {
  readonly symbols: readonly MarketSymbol[];
  /** The symbol for a client's spelling, or `undefined`. */
  resolve(code: string): MarketSymbol | undefined;
}

/** Publishes the messages of topics. */
export interface TopicPublisher {
  /** Publishes the message that `advance` of the topic just counted. */
  publish(topic: Topic, body: string, time: number | null): void;
  /** Event `seq` has changed what these topics send next. */
  schedule(topics: readonly ThrottledTopic[], seq: number): void;
  /** Drops the scheduled message: it was sent, or is out of date. */
  cancel(topic: ThrottledTopic): void;
}

/** What reads the events of each kind, in the order of the journal. */
export type EventReaders = {
  readonly [K in JournalEvent['kind']]?: (
    event: Extract<JournalEvent, { readonly kind: K }>,
    seq: number,
    publisher: TopicPublisher,
  ) => void;
};

/** `seq` of the last message of each instrument, by channel; 0 if there was none lately. */
export type LastSeqs = ReadonlyMap<MarketSymbol, Readonly<Partial<Record<StreamChannel, number>>>>;

/** New subscriptions of one request that a client resumes. */
export interface ReplayRequest {
  readonly subscriber: Subscriber;
  /** At least one. */
  readonly subscriptions: readonly Subscription[];
  /** The subscriber has everything up to this position. */
  readonly from: StreamPosition;
  readonly quota: ReplayQuota;
  /** Declares that messages of these subscriptions after `seq` cannot be replayed. */
  readonly declareGap: (subscriptions: readonly Subscription[], seq: number) => void;
  /** Call it when a replay that waits can go on. */
  readonly wake: () => void;
  readonly onFault: (error: unknown) => void;
}

/** Opens topics with what was loaded for them. */
export interface LoadedTopics {
  open(symbol: MarketSymbol): Topic | ErrorCode;
  release(): void;
}

interface ChannelFacts {
  readonly name: StreamChannel;
  /** What is wrong with the options of the channel; `null` if nothing is. */
  invalid?(message: Subscribe): string | null;
  /** REST request that fills a gap. */
  fill(timeframe: Timeframe): string;
}

export interface TopicChannel extends ChannelFacts {
  /** None of its messages is ever dropped: a slow consumer is disconnected instead. */
  readonly isComplete: boolean;
  readonly reads: EventReaders;
  /** Called before the events of each batch. */
  startBatch?(): void;
  /**
   * Loads what the topics of a request need; `null` if nothing has to be loaded. May reject with a `ServiceError`. `room`: computed
   * values that the account may still add.
   */
  load?(
    subscriber: Subscriber,
    message: Subscribe,
    symbols: readonly MarketSymbol[],
    room: number,
  ): Promise<LoadedTopics> | null;
  /** Whether `*` includes the symbol. Default: all. */
  offers?(symbol: MarketSymbol): boolean;
  /** The topic of a subscription, or why there is none. */
  open(symbol: MarketSymbol, message: Subscribe): Topic | ErrorCode;
  /** The entries of topics in a list of subscriptions. Default: their symbols. */
  list?(topics: readonly Topic[]): Partial<SubscriptionNotice>;
  /** What replays missed messages. A channel without it rejects `resume_from` as invalid. */
  replay?(request: ReplayRequest): Replay;
  /** Newest position, if its numbers are not those of the journal. */
  newest?(): StreamPosition;
  /** Time of the newest event of a symbol in ms; `null` before the first. */
  lastEventAt(symbol: MarketSymbol): number | null;
  /** Events up to `seq` never reached this process. Topics continue with the epoch of the journal, which may have changed. */
  skipTo?(seq: number, lastSeqs: LastSeqs): void;
}

/** Its items are the events of one kind. */
export interface ItemChannel<E extends JournalEvent = JournalEvent> extends ChannelFacts {
  readonly name: Channel;
  readonly event: E['kind'];
  /** Items kept for clients that resume. */
  readonly capacity: number;
  /** Whether a subscriber may see the item. */
  isFor(item: E, subscriber: Subscriber): boolean;
  symbolsOf(item: E): readonly string[];
  /** JSON without its last brace. */
  bodyOf(item: E): string;
}

export type GatewayChannel = TopicChannel | ItemChannel;

export const isItemChannel = (channel: GatewayChannel): channel is ItemChannel => 'event' in channel;
