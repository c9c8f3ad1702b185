// The actions `subscribe`, `unsubscribe` and `list`: turns symbols and options into subscriptions, and answers with the whole
// current set.
import {
  type ClientMessage,
  type ErrorCode,
  FOOTPRINT_TIMEFRAMES,
  type Notice,
  type Timeframe,
} from '@tickwire/contract';
import { asSymbol, type MarketSymbol } from '@tickwire/engine';
import type { Connection } from './connection.ts';
import { isFootprintTimeframe } from './footprint-topics.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { Hub } from './hub.ts';
import type { NewsSubscribers } from './news-subscribers.ts';
import type { ResumeHandler } from './resume.ts';
import { signalTopicKind } from './signal-topics.ts';
import type { Subscriptions } from './subscriptions.ts';
import { sharedRate } from './throttle.ts';
import type { Subscription, Topic } from './topic.ts';

/** Default `max_rate` of bars and of footprints, which are larger, in messages per second. */
const BAR_RATE = 5;
const FOOTPRINT_RATE = 2;

export interface SubscribeHandlerOptions {
  readonly hub: Hub;
  readonly subscriptions: Subscriptions;
  readonly news: NewsSubscribers;
  readonly resume: ResumeHandler;
  readonly heartbeats: Heartbeats;
  readonly simulated: boolean;
  readonly maxSubscriptions: number;
  readonly now: () => number;
}

export type Subscribe = Extract<ClientMessage, { action: 'subscribe' }>;
export type Unsubscribe = Extract<ClientMessage, { action: 'unsubscribe' }>;
type SubscriptionNotice = Extract<Notice, { event: SetEvent }>;
type SetEvent = 'subscribed' | 'unsubscribed' | 'subscriptions';
type Rejected = { symbol: string; code: ErrorCode }[];

export class SubscribeHandler {
  readonly #options: SubscribeHandlerOptions;

  constructor(options: SubscribeHandlerOptions) {
    this.#options = options;
  }

  /** `unknown`: names of options that do not exist. */
  subscribe(connection: Connection, message: Subscribe, unknown: readonly string[] = []): void {
    const { resume, heartbeats, now } = this.#options;
    const invalid = invalidOptions(connection, message) ?? this.#invalidResume(connection, message);
    if (invalid) {
      connection.sendError('invalid_message', invalid, message.id);
      return;
    }
    if (message.heartbeat) heartbeats.enable(connection, message.heartbeat, now());
    const id = message.id === undefined ? {} : { id: message.id };
    const extra = {
      ...id,
      ...(message.seq === true && resume.positionOf(connection.channel)),
      ...remarks(connection, message, unknown),
    };
    if (connection.channel === 'news') this.#subscribeNews(connection, message, extra);
    else this.#subscribeTopics(connection, message, extra);
  }

  /** A misspelt `symbols` ends all subscriptions, so unknown options are named here, too. */
  unsubscribe(connection: Connection, message: Unsubscribe, ignored: readonly string[] = []): void {
    const { news, subscriptions } = this.#options;
    const { symbols: codes, channel, timeframe, id: given } = message;
    const invalid = invalidBars(connection, message);
    if (invalid) {
      connection.sendError('invalid_message', invalid, given);
      return;
    }
    const extra = { ...(given !== undefined && { id: given }), ...warningsOf(ignored.map(unknownOption)) };
    if (connection.channel === 'news') {
      const unknown = news.unsubscribe(connection, codes);
      this.sendSet(connection, 'unsubscribed', rejectedOf(unknown, 'symbol_not_found'), extra);
      return;
    }
    const { known, unknown } = this.#expand(codes ?? ['*']);
    const symbols = new Set(known);
    const matches = ({ timeframe: of }: Topic): boolean => {
      // Without channel and symbols: everything, including bars.
      if (channel === undefined) return of === null || codes === undefined;
      return of !== null && (timeframe === undefined || of === timeframe);
    };
    for (const [key, { topic }] of connection.subscriptions)
      if (matches(topic) && symbols.has(topic.symbol)) subscriptions.remove(connection, key);
    this.sendSet(connection, 'unsubscribed', rejectedOf(unknown, 'symbol_not_found'), extra);
  }

  /** Sends the whole current set. */
  sendSet(connection: Connection, event: SetEvent, rejected: Rejected, extra: object): void {
    const { simulated, news } = this.#options;
    const symbols: string[] = connection.channel === 'news' ? news.subscriptions(connection) : [];
    const bars = new Map<Timeframe, string[]>();
    for (const { topic } of connection.subscriptions.values()) {
      if (topic.timeframe === null) symbols.push(topic.symbol);
      else bars.set(topic.timeframe, [...(bars.get(topic.timeframe) ?? []), topic.symbol]);
    }
    const notice: Notice = {
      event,
      symbols,
      ...(bars.size > 0 && {
        [connection.channel === 'orderflow' ? 'footprints' : 'bars']: [...bars].map(([timeframe, of]) => ({
          timeframe,
          symbols: of,
        })),
      }),
      rejected,
      ...(simulated && { source: 'simulated' }),
      ...extra,
    };
    connection.notify(notice);
  }

  /** News positions belong to the subscriber, not to a symbol: resuming twice would send items twice. */
  #invalidResume(connection: Connection, { resume_from }: Subscribe): string | null {
    const isSubscribed = connection.channel === 'news' && this.#options.news.subscriptions(connection).length > 0;
    return resume_from && isSubscribed
      ? 'resume_from: this connection is already subscribed to news; unsubscribe first.'
      : null;
  }

  #subscribeNews(connection: Connection, message: Subscribe, extra: object): void {
    const { news, resume } = this.#options;
    const unknown = news.subscribe(connection, message.symbols, message.seq === true);
    this.sendSet(connection, 'subscribed', rejectedOf(unknown, 'symbol_not_found'), extra);
    if (message.resume_from) resume.resumeNews(connection, message.resume_from);
  }

  #subscribeTopics(connection: Connection, message: Subscribe, extra: object): void {
    const { hub, subscriptions, resume } = this.#options;
    const { known, unknown } = this.#expand(message.symbols ?? ['*']);
    const rejected = rejectedOf(unknown, 'symbol_not_found');
    const added: Subscription[] = [];
    for (const symbol of known) {
      if (message.channel === 'footprint' && !hub.hasTrades(symbol)) {
        rejected.push({ symbol, code: 'no_trades' });
        continue;
      }
      const topic = this.#topic(connection, symbol, message);
      const subscription = topic.subscription({
        sequenced: message.seq === true,
        ms: message.ms === true,
        latest: message.delivery === 'latest',
      });
      const before = connection.subscriptions.get(topic.key);
      // Another topic is another sequence: the client starts over with a snapshot.
      const isNew = before?.topic !== topic;
      if (!before && connection.subscriptions.size >= this.#options.maxSubscriptions) {
        rejected.push({ symbol, code: 'subscription_limit' });
        hub.removeIfUnused(topic);
        continue;
      }
      if (isNew) {
        subscriptions.remove(connection, topic.key);
        added.push(subscription);
      }
      if (isNew && message.resume_from) subscriptions.hold(connection, subscription);
      else subscriptions.add(connection, subscription);
    }
    this.sendSet(connection, 'subscribed', rejected, extra);
    if (!message.resume_from) for (const subscription of added) resume.sendSnapshot(connection, subscription);
    else if (!resume.resume(connection, added, message.resume_from)) {
      resume.sendGapAndSnapshots(connection, added, message.resume_from.seq);
      for (const subscription of added) subscriptions.goLive(connection, subscription);
    }
  }

  #topic({ channel }: Connection, symbol: MarketSymbol, message: Subscribe): Topic {
    const { timeframe, max_rate: rate } = message;
    const { hub } = this.#options;
    if (message.channel === 'footprint') return hub.footprint(symbol, timeframe!, rate ?? FOOTPRINT_RATE);
    if (timeframe) return hub.bars(symbol, timeframe, rate ?? BAR_RATE);
    if (channel === 'signals') return hub.topic(signalTopicKind(message), symbol);
    const kind = channel as 'market' | 'orderflow';
    return rate === undefined ? hub.topic(kind, symbol) : hub.throttled(kind, symbol, rate);
  }

  /** Splits the codes of a client into symbols, each once, and codes that are not in the catalogue. */
  #expand(codes: readonly string[]): { known: MarketSymbol[]; unknown: string[] } {
    const { hub } = this.#options;
    const known = new Set<MarketSymbol>();
    const unknown = new Set<string>();
    for (const code of codes) {
      const symbol = asSymbol(code);
      if (code === '*') for (const each of hub.symbols) known.add(each);
      else if (hub.has(symbol)) known.add(symbol);
      else unknown.add(code);
    }
    return { known: [...known], unknown: [...unknown] };
  }
}

/** What is wrong with the bars options; `null` if nothing is. */
function invalidBars({ channel }: Pick<Connection, 'channel'>, message: Subscribe | Unsubscribe): string | null {
  if (message.channel === 'bars' && channel !== 'market') return 'channel: bars are available on /ws/market only.';
  if (message.channel === 'footprint' && channel !== 'orderflow')
    return 'channel: footprint is available on /ws/orderflow only.';
  return !message.channel && message.timeframe
    ? 'timeframe: only valid with "channel":"bars" or "channel":"footprint".'
    : null;
}

/** Why the options do not fit together or do not fit the channel; `null` if they do. */
function invalidOptions({ channel }: Connection, message: Subscribe): string | null {
  const { symbols, timeframe, resume_from, max_rate, delivery } = message;
  if (!symbols && (channel === 'market' || channel === 'orderflow'))
    return 'symbols: required; name one or more instruments, or "*".';
  const invalid = invalidBars({ channel }, message);
  if (invalid) return invalid;
  if (message.channel && timeframe === undefined) return `timeframe: required for ${message.channel}.`;
  if (message.channel === 'footprint' && !isFootprintTimeframe(timeframe!))
    return `timeframe: footprints are sent for ${FOOTPRINT_TIMEFRAMES.join(', ')}; load longer ones with GET /api/footprint/{symbol}.`;
  if (message.channel === 'footprint' && resume_from)
    return 'resume_from: not available for footprints, whose messages are complete; load missed ones with GET /api/footprint/{symbol}.';
  if (max_rate !== undefined && resume_from) return 'resume_from: cannot be combined with max_rate.';
  const conflates = max_rate !== undefined || delivery === 'latest';
  if (conflates && (channel === 'signals' || channel === 'news'))
    return 'delivery, max_rate: not available for signals and news, which are always sent in full.';
  return null;
}

/** What the client may not expect: options that were ignored, and a rate that was rounded. Usually nothing. */
function remarks(
  { channel }: Connection,
  { max_rate, ...message }: Subscribe,
  unknown: readonly string[],
): Pick<SubscriptionNotice, 'warnings' | 'max_rate'> {
  const warnings = unknown.map(unknownOption);
  for (const option of ['closes', 'fills', 'changes'] as const)
    if (message[option] && channel !== 'signals')
      warnings.push({ option, message: 'Only available on /ws/signals; it was ignored.' });
  if (message.ms && channel !== 'market' && channel !== 'orderflow')
    warnings.push({ option: 'ms', message: 'Times of this channel have milliseconds; it was ignored.' });
  const rate = max_rate === undefined ? undefined : sharedRate(max_rate);
  return {
    ...warningsOf(warnings),
    ...(rate !== undefined && rate !== max_rate && { max_rate: rate }),
  };
}

type Warnings = NonNullable<SubscriptionNotice['warnings']>;

const unknownOption = (option: string): Warnings[number] => ({ option, message: 'Unknown option; it was ignored.' });

const warningsOf = (warnings: Warnings): { warnings?: Warnings } => (warnings.length > 0 ? { warnings } : {});

const rejectedOf = (symbols: readonly string[], code: ErrorCode): Rejected =>
  symbols.map((symbol) => ({ symbol, code }));
