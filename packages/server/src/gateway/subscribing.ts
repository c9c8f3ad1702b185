// What a client subscribes to: turns symbols and options into taps of lines, and tells the client what it has now.
import type { ClientMessage, ErrorCode, Notice, Timeframe } from '@tickwire/contract';
import { asSymbol, type MarketSymbol } from '@tickwire/engine';
import type { Connection } from './connection.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { Line, Tap } from './line.ts';
import type { NewsReaders } from './news-readers.ts';
import type { Resuming } from './resuming.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { Switchboard } from './switchboard.ts';

/** Forming bars per second where the client does not say. */
const BAR_RATE = 5;

export interface SubscribingOptions {
  readonly switchboard: Switchboard;
  readonly subscriptions: Subscriptions;
  readonly news: NewsReaders;
  readonly resuming: Resuming;
  readonly heartbeats: Heartbeats;
  readonly simulated: boolean;
  readonly maxSubscriptions: number;
  readonly now: () => number;
}

export type Subscribe = Extract<ClientMessage, { action: 'subscribe' }>;
export type Unsubscribe = Extract<ClientMessage, { action: 'unsubscribe' }>;
type SetEvent = 'subscribed' | 'unsubscribed' | 'subscriptions';
type Rejected = { symbol: string; code: ErrorCode }[];

export class Subscribing {
  readonly #options: SubscribingOptions;

  constructor(options: SubscribingOptions) {
    this.#options = options;
  }

  subscribe(connection: Connection, message: Subscribe): void {
    const { resuming, heartbeats, now } = this.#options;
    const wrong = misfit(connection, message) ?? this.#repeats(connection, message);
    if (wrong) {
      connection.complain('invalid_message', wrong, message.id);
      return;
    }
    if (message.heartbeat) heartbeats.ask(connection, message.heartbeat, now());
    const id = message.id === undefined ? {} : { id: message.id };
    const extra = { ...id, ...(message.seq === true && resuming.positionOf(connection.channel)) };
    if (connection.channel === 'news') this.#subscribeNews(connection, message, extra);
    else this.#subscribeLines(connection, message, extra);
  }

  unsubscribe(connection: Connection, message: Unsubscribe): void {
    const { news, subscriptions } = this.#options;
    const { symbols: codes, channel, timeframe, id: given } = message;
    const wrong = misplaced(connection, message);
    if (wrong) {
      connection.complain('invalid_message', wrong, given);
      return;
    }
    const id = given === undefined ? {} : { id: given };
    if (connection.channel === 'news') {
      const unknown = news.unsubscribe(connection, codes);
      this.tell(connection, 'unsubscribed', rejectedOf(unknown, 'symbol_not_found'), id);
      return;
    }
    const { known, unknown } = this.#expand(codes ?? ['*']);
    const symbols = new Set(known);
    const isMeant = ({ timeframe: of }: Line): boolean => {
      // Nothing named at all: everything, bars as well.
      if (channel === undefined) return of === null || codes === undefined;
      return of !== null && (timeframe === undefined || of === timeframe);
    };
    for (const [key, { line }] of connection.subscriptions)
      if (isMeant(line) && symbols.has(line.symbol)) subscriptions.drop(connection, key);
    this.tell(connection, 'unsubscribed', rejectedOf(unknown, 'symbol_not_found'), id);
  }

  /** Answers with the whole current set. */
  tell(connection: Connection, event: SetEvent, rejected: Rejected, extra: object): void {
    const { simulated, news } = this.#options;
    const symbols: string[] = connection.channel === 'news' ? news.subscriptions(connection) : [];
    const bars = new Map<Timeframe, string[]>();
    for (const { line } of connection.subscriptions.values()) {
      if (line.timeframe === null) symbols.push(line.symbol);
      else bars.set(line.timeframe, [...(bars.get(line.timeframe) ?? []), line.symbol]);
    }
    const notice: Notice = {
      event,
      symbols,
      ...(bars.size > 0 && { bars: [...bars].map(([timeframe, of]) => ({ timeframe, symbols: of })) }),
      rejected,
      ...(simulated && { source: 'simulated' }),
      ...extra,
    };
    connection.notify(notice);
  }

  /** News goes by the reader, not by the symbol: what it has got already would come twice. */
  #repeats(connection: Connection, { resume_from }: Subscribe): string | null {
    const isSubscribed = connection.channel === 'news' && this.#options.news.subscriptions(connection).length > 0;
    return resume_from && isSubscribed ? 'resume_from: this connection takes news already; unsubscribe first.' : null;
  }

  #subscribeNews(connection: Connection, message: Subscribe, extra: object): void {
    const { news, resuming } = this.#options;
    const unknown = news.subscribe(connection, message.symbols, message.seq === true);
    this.tell(connection, 'subscribed', rejectedOf(unknown, 'symbol_not_found'), extra);
    if (message.resume_from) resuming.resumeNews(connection, message.resume_from);
  }

  #subscribeLines(connection: Connection, message: Subscribe, extra: object): void {
    const { switchboard, subscriptions, resuming } = this.#options;
    const { known, unknown } = this.#expand(message.symbols ?? ['*']);
    const rejected = rejectedOf(unknown, 'symbol_not_found');
    const fresh: Tap[] = [];
    for (const symbol of known) {
      const tap = this.#line(connection, symbol, message).tap(message.seq === true, message.delivery === 'latest');
      const before = connection.subscriptions.get(tap.line.key);
      // Another line is another run of messages: whoever changes over starts anew.
      const isNew = before?.line !== tap.line;
      if (!before && connection.subscriptions.size >= this.#options.maxSubscriptions) {
        rejected.push({ symbol, code: 'subscription_limit' });
        switchboard.tidy(tap.line);
        continue;
      }
      if (isNew) {
        subscriptions.drop(connection, tap.line.key);
        fresh.push(tap);
      }
      if (isNew && message.resume_from) connection.subscriptions.set(tap.line.key, tap);
      else subscriptions.add(connection, tap);
    }
    this.tell(connection, 'subscribed', rejected, extra);
    if (!message.resume_from) for (const tap of fresh) resuming.snapshot(connection, tap);
    else if (!resuming.resume(connection, fresh, message.resume_from)) {
      resuming.startAnew(connection, fresh, message.resume_from.seq);
      for (const tap of fresh) subscriptions.settle(connection, tap);
    }
  }

  #line({ channel }: Connection, symbol: MarketSymbol, { timeframe, max_rate: rate, closes }: Subscribe): Line {
    const { switchboard } = this.#options;
    if (timeframe) return switchboard.barsOf(symbol, timeframe, rate ?? BAR_RATE);
    if (channel === 'signals') return switchboard.line(closes ? 'signals_and_closings' : 'signals', symbol);
    const kind = channel as 'market' | 'orderflow';
    return rate === undefined ? switchboard.line(kind, symbol) : switchboard.paced(kind, symbol, rate);
  }

  /** Canonical symbols for what a client wrote, each once, and what is not in the catalogue. */
  #expand(codes: readonly string[]): { known: MarketSymbol[]; unknown: string[] } {
    const { switchboard } = this.#options;
    const known = new Set<MarketSymbol>();
    const unknown = new Set<string>();
    for (const code of codes) {
      const symbol = asSymbol(code);
      if (code === '*') for (const each of switchboard.symbols) known.add(each);
      else if (switchboard.has(symbol)) known.add(symbol);
      else unknown.add(code);
    }
    return { known: [...known], unknown: [...unknown] };
  }
}

/** Why bars cannot be meant here; null where they can, or are not. */
function misplaced({ channel }: Pick<Connection, 'channel'>, message: Subscribe | Unsubscribe): string | null {
  const bars = message.channel === 'bars';
  if (bars && channel !== 'market') return 'channel: bars are on /ws/market.';
  return !bars && message.timeframe ? 'timeframe: goes with "channel":"bars".' : null;
}

/** Why the options do not go together, or with the channel; null where they do. */
function misfit({ channel }: Connection, message: Subscribe): string | null {
  const { symbols, timeframe, resume_from, max_rate, delivery } = message;
  const bars = message.channel === 'bars';
  if (!symbols && (channel === 'market' || channel === 'orderflow'))
    return 'symbols: name one or more instruments, or "*".';
  const wrong = misplaced({ channel }, message);
  if (wrong) return wrong;
  if (bars && timeframe === undefined) return 'timeframe: bars need one.';
  if (bars && resume_from)
    return 'resume_from: bars start with their newest; GET /api/market/{symbol} has those before.';
  if (max_rate !== undefined && resume_from) return 'resume_from: every message is sent again, so not with max_rate.';
  const thin = max_rate !== undefined || delivery === 'latest';
  if (thin && (channel === 'signals' || channel === 'news'))
    return 'delivery, max_rate: signals and news are never thinned out.';
  return null;
}

const rejectedOf = (symbols: readonly string[], code: ErrorCode): Rejected =>
  symbols.map((symbol) => ({ symbol, code }));
