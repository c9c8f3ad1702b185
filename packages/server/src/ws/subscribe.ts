// The actions `subscribe`, `unsubscribe` and `list`: turns symbols and options into subscriptions, and answers with the whole
// current set.
import type { ErrorCode, StreamChannel } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import type {
  LoadedTopics,
  SetEvent,
  Subscribe,
  SubscriptionNotice,
  SymbolCatalogue,
  TopicChannel,
  Unsubscribe,
} from './channel.ts';
import type { Channels } from './channels.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { Hub } from './hub.ts';
import type { ItemSubscribers } from './item-subscribers.ts';
import type { ResumeHandler } from './resume.ts';
import type { SlowConsumers } from './slow-consumers.ts';
import { invalidBars, invalidOptions, remarks, unknownOption, warningsOf } from './subscribe-options.ts';
import { ENDPOINT_OF, type Subscriber } from './subscriber.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { Subscription, Topic } from './topic.ts';

export interface SubscribeHandlerOptions {
  readonly hub: Hub;
  readonly channels: Channels;
  readonly catalogue: SymbolCatalogue;
  readonly subscriptions: Subscriptions;
  readonly resume: ResumeHandler;
  readonly slow: SlowConsumers;
  readonly heartbeats: Heartbeats;
  readonly simulated: boolean;
  readonly maxSubscriptions: number;
  readonly now: () => number;
}

type Rejected = { symbol: string; code: ErrorCode }[];

/** The codes of a client as symbols, each once, and codes that are not in the catalogue. */
interface ExpandedCodes {
  readonly known: readonly MarketSymbol[];
  readonly unknown: readonly string[];
}

export class SubscribeHandler {
  readonly #options: SubscribeHandlerOptions;

  constructor(options: SubscribeHandlerOptions) {
    this.#options = options;
  }

  /** What is wrong with the options of a subscription to a channel; `null` if nothing is. */
  invalid(channel: StreamChannel, message: Subscribe): string | null {
    return this.missing(channel) ?? invalidOptions(this.#options.channels, { channel: ENDPOINT_OF[channel] }, message);
  }

  /** Why there is no such channel here; `null` if there is. */
  missing(channel: StreamChannel): string | null {
    const { channels } = this.#options;
    return channels.has(channel) ? null : `The channel must be one of ${channels.names.join(', ')}.`;
  }

  /** `unknown`: names of options that do not exist. Returns a promise if something has to be loaded first. */
  subscribe(subscriber: Subscriber, message: Subscribe, unknown: readonly string[] = []): Promise<void> | undefined {
    const { channels } = this.#options;
    const invalid = invalidOptions(channels, subscriber, message) ?? this.#invalidResume(subscriber, message);
    if (invalid) {
      subscriber.sendError('invalid_message', invalid, message.id);
      return undefined;
    }
    const items = channels.items(subscriber);
    if (items) {
      this.#subscribeItems(subscriber, items, message, this.#start(subscriber, message, unknown));
      return undefined;
    }
    const channel = channels.topics(message.channel ?? subscriber.channel);
    const codes = this.#expand(message.symbols, channel);
    const perform = (open: (symbol: MarketSymbol) => Topic | ErrorCode): void =>
      this.#subscribeTopics(subscriber, channel, message, codes, open, this.#start(subscriber, message, unknown));
    const room = this.#options.subscriptions.computedLeft(subscriber);
    const loading = channel.load?.(subscriber, message, codes.known, room);
    if (loading) return this.#load(subscriber, message, loading, perform);
    perform((symbol) => channel.open(symbol, message));
    return undefined;
  }

  /** Returns what the answer contains beside the current set. */
  #start(subscriber: Subscriber, message: Subscribe, unknown: readonly string[]): object {
    const { channels, heartbeats, now } = this.#options;
    if (message.heartbeat) heartbeats.enable(subscriber, message.heartbeat, now());
    return {
      ...(message.id !== undefined && { id: message.id }),
      ...(message.seq === true && channels.newest(subscriber.channel)),
      ...remarks(subscriber, message, unknown),
    };
  }

  async #load(
    subscriber: Subscriber,
    message: Subscribe,
    loading: Promise<LoadedTopics>,
    perform: (open: LoadedTopics['open']) => void,
  ): Promise<void> {
    const { heartbeats, now } = this.#options;
    // Loading may take longer than the client waits for a sign of life.
    if (message.heartbeat) heartbeats.enable(subscriber, message.heartbeat, now());
    let loaded: LoadedTopics | null = null;
    try {
      const opener = await loading;
      loaded = opener;
      if (!subscriber.closed) perform((symbol) => opener.open(symbol));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      subscriber.sendError('invalid_message', error.message, message.id);
    } finally {
      loaded?.release();
    }
  }

  /** A misspelt `symbols` ends all subscriptions, so unknown options are named here, too. */
  unsubscribe(subscriber: Subscriber, message: Unsubscribe, ignored: readonly string[] = []): void {
    const { channels, subscriptions } = this.#options;
    const { symbols: codes, channel, timeframe, id: given } = message;
    const invalid = invalidBars(subscriber, message);
    if (invalid) {
      subscriber.sendError('invalid_message', invalid, given);
      return;
    }
    const extra = { ...(given !== undefined && { id: given }), ...warningsOf(ignored.map(unknownOption)) };
    const items = channels.items(subscriber);
    if (items) {
      const unknown = items.unsubscribe(subscriber, codes);
      this.sendSet(subscriber, 'unsubscribed', rejectedOf(unknown, 'symbol_not_found'), extra);
      return;
    }
    const { known, unknown } = this.#expand(codes, {});
    const symbols = new Set(known);
    const matches = ({ timeframe: of }: Topic): boolean => {
      // Without channel and symbols: everything, including bars.
      if (channel === undefined) return of === null || codes === undefined;
      return of !== null && (timeframe === undefined || of === timeframe);
    };
    for (const { topic } of subscriber.subscriptions)
      if (matches(topic) && symbols.has(topic.symbol)) subscriptions.remove(subscriber, topic.key);
    this.sendSet(subscriber, 'unsubscribed', rejectedOf(unknown, 'symbol_not_found'), extra);
  }

  /** Sends the whole current set. */
  sendSet(subscriber: Subscriber, event: SetEvent, rejected: Rejected, extra: object): void {
    const { simulated, channels } = this.#options;
    const symbols: string[] = channels.items(subscriber)?.subscriptions(subscriber) ?? [];
    let listed: Partial<SubscriptionNotice> = {};
    const byChannel = Map.groupBy(subscriber.subscriptions, ({ topic }) => topic.channel);
    for (const [channel, subscriptions] of byChannel) {
      const of = channels.topics(channel);
      const topics = subscriptions.map(({ topic }) => topic);
      if (of.list) listed = { ...listed, ...of.list(topics) };
      else symbols.push(...topics.map(({ symbol }) => symbol));
    }
    const notice: SubscriptionNotice = {
      event,
      symbols,
      ...listed,
      rejected,
      ...(simulated && { source: 'simulated' }),
      ...extra,
    };
    subscriber.notify(notice);
  }

  /** Positions of items belong to the subscriber, not to a symbol: resuming twice would send items twice. */
  #invalidResume(subscriber: Subscriber, { resume_from }: Subscribe): string | null {
    const isSubscribed = (this.#options.channels.items(subscriber)?.subscriptions(subscriber).length ?? 0) > 0;
    return resume_from && isSubscribed
      ? `resume_from: this connection is already subscribed to ${subscriber.channel}; unsubscribe first.`
      : null;
  }

  #subscribeItems(subscriber: Subscriber, items: ItemSubscribers, message: Subscribe, extra: object): void {
    const unknown = items.subscribe(subscriber, message.symbols, message.seq === true);
    this.sendSet(subscriber, 'subscribed', rejectedOf(unknown, 'symbol_not_found'), extra);
    if (message.resume_from) this.#options.resume.resumeItems(subscriber, message.resume_from);
  }

  #subscribeTopics(
    subscriber: Subscriber,
    channel: TopicChannel,
    message: Subscribe,
    { known, unknown }: ExpandedCodes,
    open: (symbol: MarketSymbol) => Topic | ErrorCode,
    extra: object,
  ): void {
    const { hub, subscriptions, resume, slow } = this.#options;
    const rejected = rejectedOf(unknown, 'symbol_not_found');
    const added: Subscription[] = [];
    for (const symbol of known) {
      const topic = open(symbol);
      if (typeof topic === 'string') {
        rejected.push({ symbol, code: topic });
        continue;
      }
      const subscription = topic.subscription({
        sequenced: message.seq === true,
        ms: message.ms === true,
        naming: subscriber.name !== null,
        latest: message.delivery === 'latest',
      });
      const before = subscriber.subscriptions.get(topic.key);
      // Another topic is another sequence: the client starts over with a snapshot.
      const isNew = before?.topic !== topic;
      const more = topic.computed - (before?.topic.computed ?? 0);
      const isFull = !before && subscriber.connection.subscriptionCount >= this.#options.maxSubscriptions;
      if (isFull || (more > 0 && more > subscriptions.computedLeft(subscriber))) {
        rejected.push({ symbol, code: 'subscription_limit' });
        hub.removeIfUnused(topic);
        continue;
      }
      if (isNew) {
        subscriptions.remove(subscriber, topic.key);
        added.push(subscription);
      }
      if (isNew && message.resume_from) subscriptions.hold(subscriber, subscription);
      else subscriptions.add(subscriber, subscription);
    }
    this.sendSet(subscriber, 'subscribed', rejected, extra);
    if (!message.resume_from) for (const subscription of added) resume.sendSnapshot(subscriber, subscription);
    else if (!resume.resume(subscriber, channel, added, message.resume_from)) {
      resume.sendGapAndSnapshots(subscriber, added, message.resume_from.seq);
      for (const subscription of added) subscriptions.goLive(subscriber, subscription);
    }
    slow.subscribed(subscriber);
  }

  #expand(codes: readonly string[] = ['*'], channel: Pick<TopicChannel, 'offers'>): ExpandedCodes {
    const { catalogue } = this.#options;
    const known = new Set<MarketSymbol>();
    const unknown = new Set<string>();
    for (const code of codes) {
      const symbol = catalogue.resolve(code);
      if (code === '*') for (const each of catalogue.symbols) channel.offers?.(each) === false || known.add(each);
      else if (symbol) known.add(symbol);
      else unknown.add(code);
    }
    return { known: [...known], unknown: [...unknown] };
  }
}

const rejectedOf = (symbols: readonly string[], code: ErrorCode): Rejected =>
  symbols.map((symbol) => ({ symbol, code }));
