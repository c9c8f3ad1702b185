// Subscribers of /ws/news. An item mentions several instruments or none, so subscriptions cannot be topics. Items are few, and
// each is sent to its subscribers one by one; `prev` is the previous item of that subscriber.
import type { StreamPosition } from '@tickwire/contract';
import { asSymbol, type MarketSymbol } from '@tickwire/engine';
import type { Batch, Journal, NewsEvent } from '../journal/journal.ts';
import type { Connection, ReplayProgress } from './connection.ts';
import { plain, sequenced } from './encode.ts';
import { EventRing } from './message-ring.ts';
import type { ReplayQuota } from './replay-quota.ts';
import { type ReplayScheduler, TURN_BYTES } from './replay-scheduler.ts';

/** Items kept for clients that resume. */
const CAPACITY = 1_024;

interface NewsSubscription {
  all: boolean;
  readonly symbols: Set<MarketSymbol>;
  sequenced: boolean;
  /** `seq` of the last item that was sent. */
  prev: number;
  /** Ring position of the next item of its replay; `null` while it is live. */
  replayAt: number | null;
}

export interface NewsSubscribersOptions {
  readonly symbols: ReadonlySet<MarketSymbol>;
  readonly journal: Journal;
  readonly replays: ReplayScheduler;
  readonly quota: ReplayQuota;
}

export class NewsSubscribers {
  /** Messages sent, for the metrics. */
  published = 0;
  readonly #options: NewsSubscribersOptions;
  readonly #subscriptions = new Map<Connection, NewsSubscription>();
  readonly #ring: EventRing<NewsEvent>;
  #newest: number;

  constructor(options: NewsSubscribersOptions) {
    this.#options = options;
    this.#newest = options.journal.lastSeq;
    this.#ring = new EventRing(CAPACITY);
  }

  /** Adds symbols to a subscription; without `codes`, all items. Returns unknown codes. */
  subscribe(connection: Connection, codes: readonly string[] | undefined, withSeq: boolean): string[] {
    const subscription = this.#subscriptions.get(connection) ?? {
      all: false,
      symbols: new Set(),
      sequenced: false,
      prev: 0,
      replayAt: null,
    };
    subscription.sequenced = withSeq;
    const { known, unknown } = this.#partition(codes ?? ['*']);
    subscription.all ||= (codes ?? ['*']).includes('*');
    for (const symbol of known) subscription.symbols.add(symbol);
    if (subscription.all || subscription.symbols.size > 0) this.#subscriptions.set(connection, subscription);
    return unknown;
  }

  /**
   * Replays items after the position. Returns false if they are no longer in memory. `onLost` is called if the account may
   * not replay items after `seq` now.
   */
  resume(connection: Connection, { epoch, seq }: StreamPosition, onLost: (seq: number) => void): boolean {
    const subscription = this.#subscriptions.get(connection);
    if (epoch !== this.#options.journal.epoch || seq < this.#ring.lostUntil || seq > this.#options.journal.lastSeq)
      return false;
    if (!subscription) return true;
    const isReplaying = subscription.replayAt !== null;
    subscription.prev = seq;
    subscription.replayAt = this.#ring.firstAfter(seq);
    // A running replay continues from the new position.
    if (isReplaying) return true;
    this.#options.replays.start({ connection, keys: [], step: () => this.#replay(connection, subscription, onLost) });
    return true;
  }

  /** Removes symbols; without `codes` or with "*", the whole subscription. Returns unknown codes. */
  unsubscribe(connection: Connection, codes: readonly string[] | undefined): string[] {
    const { known, unknown } = this.#partition(codes ?? ['*']);
    const subscription = this.#subscriptions.get(connection);
    if (!codes || codes.includes('*')) this.#subscriptions.delete(connection);
    else if (subscription) {
      for (const symbol of known) subscription.symbols.delete(symbol);
      if (!subscription.all && subscription.symbols.size === 0) this.#subscriptions.delete(connection);
    }
    return unknown;
  }

  /** All symbols of the subscription. */
  subscriptions(connection: Connection): string[] {
    const subscription = this.#subscriptions.get(connection);
    return subscription ? [...(subscription.all ? ['*'] : []), ...subscription.symbols] : [];
  }

  /** Position of a subscriber that has read everything. */
  get position(): StreamPosition {
    return { epoch: this.#options.journal.epoch, seq: this.#newest };
  }

  /** Items up to `seq` may never have reached this process. */
  skipTo(seq: number): void {
    this.#ring.forget(seq);
    this.#newest = Math.max(this.#newest, seq);
    for (const subscription of this.#subscriptions.values()) subscription.replayAt = null;
  }

  isReplaying(connection: Connection): boolean {
    return (this.#subscriptions.get(connection)?.replayAt ?? null) !== null;
  }

  remove(connection: Connection): void {
    this.#subscriptions.delete(connection);
  }

  read({ firstSeq, events }: Batch): void {
    for (let index = 0; index < events.length; index++) {
      const event = events[index]!;
      if (event.kind === 'news') this.#publish(event, firstSeq + index);
    }
  }

  #partition(codes: readonly string[]): { known: MarketSymbol[]; unknown: string[] } {
    const named = [...new Set(codes)].filter((code) => code !== '*');
    const { true: known = [], false: unknown = [] } = Object.groupBy(named, (code) =>
      this.#options.symbols.has(asSymbol(code)) ? 'true' : 'false',
    );
    return { known: known.map(asSymbol), unknown };
  }

  #publish(event: NewsEvent, seq: number): void {
    this.#newest = seq;
    this.#ring.add(seq, event);
    const body = bodyOf(event);
    for (const [connection, subscription] of this.#subscriptions)
      if (subscription.replayAt === null) this.#send(connection, subscription, event, body, seq);
  }

  /** Returns the number of bytes sent: 0 if the item does not match the subscription. */
  #send(
    { socket }: Connection,
    subscription: NewsSubscription,
    { item }: NewsEvent,
    body: string,
    seq: number,
  ): number {
    if (!subscription.all && !item.symbols.some((symbol) => subscription.symbols.has(symbol as MarketSymbol))) return 0;
    this.published++;
    const { epoch } = this.#options.journal;
    const text = subscription.sequenced ? sequenced(body, seq, subscription.prev, epoch) : plain(body);
    socket.send(text);
    subscription.prev = seq;
    return text.length;
  }

  #replay(connection: Connection, subscription: NewsSubscription, onLost: (seq: number) => void): ReplayProgress {
    const { quota } = this.#options;
    // The client has unsubscribed.
    if (this.#subscriptions.get(connection) !== subscription) return 'done';
    if (subscription.replayAt! < this.#ring.start) {
      // Its next items have left the ring.
      connection.closeWithError('too_slow', 'The client reads news too slowly.');
      return 'done';
    }
    if (subscription.replayAt! < this.#ring.end && quota.exhausted(connection)) {
      const { prev } = subscription;
      subscription.prev = this.#newest;
      subscription.replayAt = null;
      onLost(prev);
      return 'done';
    }
    let bytes = 0;
    for (; subscription.replayAt! < this.#ring.end && bytes < TURN_BYTES; subscription.replayAt!++) {
      const event = this.#ring.itemAt(subscription.replayAt!);
      bytes += this.#send(connection, subscription, event, bodyOf(event), this.#ring.seqAt(subscription.replayAt!));
    }
    quota.count(connection, bytes);
    if (subscription.replayAt! < this.#ring.end) return 'more';
    subscription.replayAt = null;
    return 'done';
  }
}

const bodyOf = ({ item, revised }: NewsEvent): string =>
  JSON.stringify(revised ? { ...item, revised: true } : item).slice(0, -1);
