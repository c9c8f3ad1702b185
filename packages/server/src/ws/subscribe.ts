// The actions `subscribe`, `unsubscribe` and `list`: turns symbols and options into subscriptions, and answers with the whole
// current set.
import {
  type ClientMessage,
  type ErrorCode,
  FOOTPRINT_TIMEFRAMES,
  IndicatorFault,
  type IndicatorSpec,
  type Notice,
  parseIndicator,
} from '@tickwire/contract';
import { asSymbol, type MarketSymbol } from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { LiveIndicators } from '../history/live-indicators.ts';
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
/** A footprint is the whole bar, so it is not sent more often. */
const MAX_FOOTPRINT_RATE = 5;
/** Indicators of one connection: each symbol, timeframe and indicator counts. */
const MAX_INDICATORS = 500;

export interface SubscribeHandlerOptions {
  readonly hub: Hub;
  readonly subscriptions: Subscriptions;
  readonly news: NewsSubscribers;
  readonly resume: ResumeHandler;
  readonly heartbeats: Heartbeats;
  readonly indicators: LiveIndicators;
  readonly simulated: boolean;
  readonly maxSubscriptions: number;
  readonly now: () => number;
}

export type Subscribe = Extract<ClientMessage, { action: 'subscribe' }>;
export type Unsubscribe = Extract<ClientMessage, { action: 'unsubscribe' }>;
type SubscriptionNotice = Extract<Notice, { event: SetEvent }>;
type SetEvent = 'subscribed' | 'unsubscribed' | 'subscriptions';
type Rejected = { symbol: string; code: ErrorCode }[];
type BarSubscriptions = NonNullable<SubscriptionNotice['bars']>[number];

/** Indicators that were loaded, and the symbols for which they could not be. */
interface Indicators {
  readonly specs: readonly IndicatorSpec[];
  readonly rejected: ReadonlyMap<MarketSymbol, ErrorCode>;
}

const NO_INDICATORS: Indicators = { specs: [], rejected: new Map() };

export class SubscribeHandler {
  readonly #options: SubscribeHandlerOptions;

  constructor(options: SubscribeHandlerOptions) {
    this.#options = options;
  }

  /** `unknown`: names of options that do not exist. Returns a promise if indicators have to be loaded first. */
  subscribe(connection: Connection, message: Subscribe, unknown: readonly string[] = []): Promise<void> | undefined {
    const specs = specsOf(message);
    const invalid =
      invalidOptions(connection, message) ??
      this.#invalidResume(connection, message) ??
      (typeof specs === 'string' ? specs : null);
    if (invalid) {
      connection.sendError('invalid_message', invalid, message.id);
      return undefined;
    }
    if (specs.length > 0) return this.#load(connection, message, unknown, specs as readonly IndicatorSpec[]);
    this.#perform(connection, message, unknown);
    return undefined;
  }

  #perform(
    connection: Connection,
    message: Subscribe,
    unknown: readonly string[],
    indicators: Indicators = NO_INDICATORS,
  ): void {
    const { resume, heartbeats, now } = this.#options;
    if (message.heartbeat) heartbeats.enable(connection, message.heartbeat, now());
    const id = message.id === undefined ? {} : { id: message.id };
    const extra = {
      ...id,
      ...(message.seq === true && resume.positionOf(connection.channel)),
      ...remarks(connection, message, unknown),
    };
    if (connection.channel === 'news') this.#subscribeNews(connection, message, extra);
    else this.#subscribeTopics(connection, message, extra, indicators);
  }

  /** Reads the history of the indicators of each symbol, then subscribes. */
  async #load(
    connection: Connection,
    message: Subscribe,
    unknown: readonly string[],
    specs: readonly IndicatorSpec[],
  ): Promise<void> {
    const { heartbeats, now } = this.#options;
    // Reading may take longer than the client waits for a sign of life.
    if (message.heartbeat) heartbeats.enable(connection, message.heartbeat, now());
    const timeframe = message.timeframe!;
    const { known } = this.#expand(message.symbols!);
    const held: { release(): void }[] = [];
    const rejected = new Map<MarketSymbol, ErrorCode>();
    let room = MAX_INDICATORS - indicatorsOf(connection, new Set(known.map((symbol) => `${timeframe} ${symbol}`)));
    try {
      for (const symbol of known) {
        if (connection.closed) return;
        room -= specs.length;
        if (room < 0) rejected.set(symbol, 'subscription_limit');
        else
          await withStoreErrors(() => this.#options.indicators.load(symbol, timeframe, specs)).then(
            (loaded) => held.push(loaded),
            (error) => rejected.set(symbol, codeOf(error)),
          );
      }
      if (!connection.closed) this.#perform(connection, message, unknown, { specs, rejected });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      connection.sendError('invalid_message', error.message, message.id);
    } finally {
      for (const each of held) each.release();
    }
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
    const bars = new Map<string, BarSubscriptions>();
    for (const { topic } of connection.subscriptions.values()) {
      const { timeframe, indicators, symbol } = topic;
      if (timeframe === null) {
        symbols.push(symbol);
        continue;
      }
      const key = `${timeframe} ${indicators?.names.join(' ') ?? ''}`;
      const same = bars.get(key) ?? {
        timeframe,
        symbols: [],
        ...(indicators && { indicators: [...indicators.names] }),
      };
      same.symbols.push(symbol);
      bars.set(key, same);
    }
    const notice: Notice = {
      event,
      symbols,
      ...(bars.size > 0 && { [connection.channel === 'orderflow' ? 'footprints' : 'bars']: [...bars.values()] }),
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

  #subscribeTopics(connection: Connection, message: Subscribe, extra: object, indicators: Indicators): void {
    const { hub, subscriptions, resume } = this.#options;
    const { known, unknown } = this.#expand(message.symbols ?? ['*']);
    const rejected = rejectedOf(unknown, 'symbol_not_found');
    const added: Subscription[] = [];
    for (const symbol of known) {
      const refused =
        message.channel === 'footprint' && !hub.hasTrades(symbol) ? 'no_trades' : indicators.rejected.get(symbol);
      if (refused) {
        rejected.push({ symbol, code: refused });
        continue;
      }
      const topic = this.#topic(connection, symbol, message, indicators.specs);
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

  #topic({ channel }: Connection, symbol: MarketSymbol, message: Subscribe, specs: readonly IndicatorSpec[]): Topic {
    const { timeframe, max_rate: rate } = message;
    const { hub } = this.#options;
    if (message.channel === 'footprint')
      return hub.footprint(symbol, timeframe!, Math.min(rate ?? FOOTPRINT_RATE, MAX_FOOTPRINT_RATE));
    if (timeframe) return hub.bars(symbol, timeframe, rate ?? BAR_RATE, specs);
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

/** The indicators of a subscription, each once; a text that says what is wrong with them. */
function specsOf({ indicators = [] }: Subscribe): readonly IndicatorSpec[] | string {
  try {
    const specs = new Map<string, IndicatorSpec>();
    for (const text of indicators) {
      const spec = parseIndicator(text);
      specs.set(spec.text, spec);
    }
    return [...specs.values()];
  } catch (error) {
    if (error instanceof IndicatorFault) return `indicators: ${error.message}.`;
    throw error;
  }
}

/** Indicators of a connection, without those of some topics. */
function indicatorsOf({ subscriptions }: Connection, without: ReadonlySet<string>): number {
  let count = 0;
  for (const [key, { topic }] of subscriptions) if (!without.has(key)) count += topic.indicators?.names.length ?? 0;
  return count;
}

/** Why a symbol is rejected. An error that concerns the whole request is thrown again. */
function codeOf(error: unknown): ErrorCode {
  if (!(error instanceof ServiceError) || error.code === 'invalid_parameter') throw error;
  return error.code;
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
  if (message.indicators && message.channel !== 'bars') return 'indicators: only valid with "channel":"bars".';
  if (message.channel && timeframe === undefined) return `timeframe: required for ${message.channel}.`;
  if (message.indicators && resume_from)
    return 'resume_from: cannot be combined with indicators; load earlier values with GET /api/indicators/{symbol}.';
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
