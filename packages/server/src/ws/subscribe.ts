// The actions `subscribe`, `unsubscribe` and `list`: turns symbols and options into subscriptions, and answers with the whole
// current set.
import type { ErrorCode, IndicatorSpec } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { RowAllowance } from '../access/row-allowance.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { LiveIndicators } from '../history/live-indicators.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { Hub } from './hub.ts';
import { type ItemStreams, itemsOf } from './item-subscribers.ts';
import type { Positions } from './positions.ts';
import type { ResumeHandler } from './resume.ts';
import { signalTopicKind } from './signal-topics.ts';
import type { SlowConsumers } from './slow-consumers.ts';
import {
  invalidBars,
  invalidOptions,
  remarks,
  type SetEvent,
  type Subscribe,
  type SubscriptionNotice,
  specsOf,
  type Unsubscribe,
  unknownOption,
  warningsOf,
} from './subscribe-options.ts';
import type { Subscriber } from './subscriber.ts';
import type { Subscriptions } from './subscriptions.ts';
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
  readonly items: ItemStreams;
  readonly resume: ResumeHandler;
  readonly slow: SlowConsumers;
  readonly positions: Pick<Positions, 'newest'>;
  readonly heartbeats: Heartbeats;
  readonly indicators: LiveIndicators;
  /** The bars that are read for indicators count, as the rows of files do. */
  readonly rows: RowAllowance;
  readonly simulated: boolean;
  readonly maxSubscriptions: number;
  readonly now: () => number;
}

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
  subscribe(subscriber: Subscriber, message: Subscribe, unknown: readonly string[] = []): Promise<void> | undefined {
    const specs = specsOf(message);
    const invalid =
      invalidOptions(subscriber, message) ??
      this.#invalidResume(subscriber, message) ??
      (typeof specs === 'string' ? specs : null);
    if (invalid) {
      subscriber.sendError('invalid_message', invalid, message.id);
      return undefined;
    }
    if (specs.length > 0) return this.#load(subscriber, message, unknown, specs as readonly IndicatorSpec[]);
    this.#perform(subscriber, message, unknown);
    return undefined;
  }

  #perform(
    subscriber: Subscriber,
    message: Subscribe,
    unknown: readonly string[],
    indicators: Indicators = NO_INDICATORS,
  ): void {
    const { positions, heartbeats, now } = this.#options;
    if (message.heartbeat) heartbeats.enable(subscriber, message.heartbeat, now());
    const id = message.id === undefined ? {} : { id: message.id };
    const extra = {
      ...id,
      ...(message.seq === true && positions.newest(subscriber.channel)),
      ...remarks(subscriber, message, unknown),
    };
    const items = itemsOf(this.#options.items, subscriber);
    if (items) this.#subscribeItems(subscriber, items, message, extra);
    else this.#subscribeTopics(subscriber, message, extra, indicators);
  }

  /** Reads the history of the indicators of each symbol, then subscribes. */
  async #load(
    subscriber: Subscriber,
    message: Subscribe,
    unknown: readonly string[],
    specs: readonly IndicatorSpec[],
  ): Promise<void> {
    const { heartbeats, now } = this.#options;
    // Reading may take longer than the client waits for a sign of life.
    if (message.heartbeat) heartbeats.enable(subscriber, message.heartbeat, now());
    const timeframe = message.timeframe!;
    const { known } = this.#expand(message.symbols!);
    const held: { release(): void }[] = [];
    const rejected = new Map<MarketSymbol, ErrorCode>();
    let room = MAX_INDICATORS - indicatorsOf(subscriber, new Set(known.map((symbol) => `${timeframe} ${symbol}`)));
    try {
      for (const symbol of known) {
        if (subscriber.closed) return;
        room -= specs.length;
        if (room < 0) rejected.set(symbol, 'subscription_limit');
        else if ((await this.#takeRows(subscriber, 0)) === 0) rejected.set(symbol, 'export_rows_exhausted');
        else
          await withStoreErrors(() => this.#options.indicators.load(symbol, timeframe, specs)).then(
            async (loaded) => {
              held.push(loaded);
              await this.#takeRows(subscriber, loaded.rows);
            },
            (error) => rejected.set(symbol, codeOf(error)),
          );
      }
      if (!subscriber.closed) this.#perform(subscriber, message, unknown, { specs, rejected });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      subscriber.sendError('invalid_message', error.message, message.id);
    } finally {
      for (const each of held) each.release();
    }
  }

  /** Counts rows of the caller. More than are left take all that are left. Returns what is left. */
  async #takeRows({ caller }: Subscriber, rows: number): Promise<number> {
    if (!caller) return Number.POSITIVE_INFINITY;
    const { publicId, tier } = caller.account;
    const take = (count: number) =>
      this.#options.rows.take(publicId, tier.export_rows_per_day, count, this.#options.now());
    const { granted, remaining } = await take(rows);
    return granted ? remaining : (await take(remaining)).remaining;
  }

  /** A misspelt `symbols` ends all subscriptions, so unknown options are named here, too. */
  unsubscribe(subscriber: Subscriber, message: Unsubscribe, ignored: readonly string[] = []): void {
    const { subscriptions } = this.#options;
    const { symbols: codes, channel, timeframe, id: given } = message;
    const invalid = invalidBars(subscriber, message);
    if (invalid) {
      subscriber.sendError('invalid_message', invalid, given);
      return;
    }
    const extra = { ...(given !== undefined && { id: given }), ...warningsOf(ignored.map(unknownOption)) };
    const items = itemsOf(this.#options.items, subscriber);
    if (items) {
      const unknown = items.unsubscribe(subscriber, codes);
      this.sendSet(subscriber, 'unsubscribed', rejectedOf(unknown, 'symbol_not_found'), extra);
      return;
    }
    const { known, unknown } = this.#expand(codes ?? ['*']);
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
    const { simulated, items } = this.#options;
    const symbols: string[] = itemsOf(items, subscriber)?.subscriptions(subscriber) ?? [];
    const bars = new Map<string, BarSubscriptions>();
    for (const { topic } of subscriber.subscriptions) {
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
    const notice: SubscriptionNotice = {
      event,
      symbols,
      ...(bars.size > 0 && { [subscriber.channel === 'orderflow' ? 'footprints' : 'bars']: [...bars.values()] }),
      rejected,
      ...(simulated && { source: 'simulated' }),
      ...extra,
    };
    subscriber.notify(notice);
  }

  /** Positions of items belong to the subscriber, not to a symbol: resuming twice would send items twice. */
  #invalidResume(subscriber: Subscriber, { resume_from }: Subscribe): string | null {
    const isSubscribed = (itemsOf(this.#options.items, subscriber)?.subscriptions(subscriber).length ?? 0) > 0;
    return resume_from && isSubscribed
      ? `resume_from: this connection is already subscribed to ${subscriber.channel}; unsubscribe first.`
      : null;
  }

  #subscribeItems(
    subscriber: Subscriber,
    items: ItemStreams[keyof ItemStreams],
    message: Subscribe,
    extra: object,
  ): void {
    const { resume } = this.#options;
    const unknown = items.subscribe(subscriber, message.symbols, message.seq === true);
    this.sendSet(subscriber, 'subscribed', rejectedOf(unknown, 'symbol_not_found'), extra);
    if (message.resume_from) resume.resumeItems(subscriber, message.resume_from);
  }

  #subscribeTopics(subscriber: Subscriber, message: Subscribe, extra: object, indicators: Indicators): void {
    const { hub, subscriptions, resume, slow } = this.#options;
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
      const topic = this.#topic(subscriber, symbol, message, indicators.specs);
      const subscription = topic.subscription({
        sequenced: message.seq === true,
        ms: message.ms === true,
        naming: subscriber.name !== null,
        latest: message.delivery === 'latest',
      });
      const before = subscriber.subscriptions.get(topic.key);
      // Another topic is another sequence: the client starts over with a snapshot.
      const isNew = before?.topic !== topic;
      if (!before && subscriber.connection.subscriptionCount >= this.#options.maxSubscriptions) {
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
    else if (!resume.resume(subscriber, added, message.resume_from)) {
      resume.sendGapAndSnapshots(subscriber, added, message.resume_from.seq);
      for (const subscription of added) subscriptions.goLive(subscriber, subscription);
    }
    slow.subscribed(subscriber);
  }

  #topic({ channel }: Subscriber, symbol: MarketSymbol, message: Subscribe, specs: readonly IndicatorSpec[]): Topic {
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
      const symbol = hub.resolve(code);
      if (code === '*') for (const each of hub.symbols) known.add(each);
      else if (symbol) known.add(symbol);
      else unknown.add(code);
    }
    return { known: [...known], unknown: [...unknown] };
  }
}

/** Indicators of a subscriber, without those of some topics. */
function indicatorsOf({ subscriptions }: Subscriber, without: ReadonlySet<string>): number {
  let count = 0;
  for (const { topic } of subscriptions) if (!without.has(topic.key)) count += topic.indicators?.names.length ?? 0;
  return count;
}

/** Why a symbol is rejected. An error that concerns the whole request is thrown again. */
function codeOf(error: unknown): ErrorCode {
  if (!(error instanceof ServiceError) || error.code === 'invalid_parameter') throw error;
  return error.code;
}

const rejectedOf = (symbols: readonly string[], code: ErrorCode): Rejected =>
  symbols.map((symbol) => ({ symbol, code }));
