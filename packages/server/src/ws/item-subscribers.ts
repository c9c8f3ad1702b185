// Subscribers of a channel of items. An item may have several symbols or none, and may be for one account only, so subscriptions
// cannot be topics. Items are few, and each is sent to its subscribers one by one; `prev` is the previous item of that
// subscriber.
import type { StreamPosition } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { Journal, JournalEvent } from '../journal/journal.ts';
import type { EventReaders, ItemChannel, SymbolCatalogue } from './channel.ts';
import { naming, plain, sequenced } from './encode.ts';
import { EventRing } from './message-ring.ts';
import type { ReplayQuota } from './replay-quota.ts';
import { type ReplayScheduler, TURN_BYTES } from './replay-scheduler.ts';
import { AHEAD_MS } from './ring-replay.ts';
import type { StreamCounts } from './stream-counts.ts';
import type { ReplayProgress, Subscriber } from './subscriber.ts';

interface ItemSubscription {
  all: boolean;
  readonly symbols: Set<MarketSymbol>;
  sequenced: boolean;
  /** `seq` of the last item that was sent. */
  prev: number;
  /** Ring position of the next item of its replay; `null` while it is live. */
  replayAt: number | null;
  /** Until when its replay waits for events that another gateway already has; `null` if it need not. */
  waitUntil: number | null;
}

export interface ItemSubscribersOptions {
  readonly channel: ItemChannel;
  readonly catalogue: Pick<SymbolCatalogue, 'resolve'>;
  readonly journal: Journal;
  readonly replays: ReplayScheduler;
  readonly quota: ReplayQuota;
  readonly counts: StreamCounts;
  /** Whether the journal follows that of another process: a client may come from one that is ahead. Default `false`. */
  readonly follows?: boolean;
}

export class ItemSubscribers {
  readonly channel: ItemChannel;
  readonly reads: EventReaders;
  readonly #options: ItemSubscribersOptions;
  readonly #subscriptions = new Map<Subscriber, ItemSubscription>();
  readonly #ring: EventRing<JournalEvent>;
  #newest: number;

  constructor(options: ItemSubscribersOptions) {
    const { channel, journal } = options;
    this.channel = channel;
    this.reads = { [channel.event]: (item: JournalEvent, seq: number) => this.#publish(item, seq) };
    this.#options = options;
    this.#newest = journal.lastSeq;
    this.#ring = new EventRing(channel.capacity);
  }

  /** Adds symbols to a subscription; without `codes`, all items. Returns unknown codes. */
  subscribe(subscriber: Subscriber, codes: readonly string[] | undefined, withSeq: boolean): string[] {
    const subscription = this.#subscriptions.get(subscriber) ?? {
      all: false,
      symbols: new Set(),
      sequenced: false,
      prev: 0,
      replayAt: null,
      waitUntil: null,
    };
    subscription.sequenced = withSeq;
    const { known, unknown } = this.#partition(codes ?? ['*']);
    subscription.all ||= (codes ?? ['*']).includes('*');
    for (const symbol of known) subscription.symbols.add(symbol);
    if (subscription.all || subscription.symbols.size > 0) this.#subscriptions.set(subscriber, subscription);
    return unknown;
  }

  /**
   * Replays items after the position. Returns false if they are no longer in memory. `onLost` is called if the account may
   * not replay items after `seq` now.
   */
  resume(subscriber: Subscriber, { epoch, seq }: StreamPosition, onLost: (seq: number) => void): boolean {
    const subscription = this.#subscriptions.get(subscriber);
    const { journal, follows = false } = this.#options;
    if (epoch !== journal.epoch || seq < this.#ring.lostUntil || (seq > journal.lastSeq && !follows)) return false;
    if (!subscription) return true;
    const isReplaying = subscription.replayAt !== null;
    subscription.prev = seq;
    subscription.replayAt = this.#ring.firstAfter(seq);
    subscription.waitUntil = seq > journal.lastSeq ? performance.now() + AHEAD_MS : null;
    // A running replay continues from the new position.
    if (isReplaying) return true;
    this.#options.replays.start({ subscriber, keys: [], step: () => this.#replay(subscriber, subscription, onLost) });
    return true;
  }

  /** Removes symbols; without `codes` or with "*", the whole subscription. Returns unknown codes. */
  unsubscribe(subscriber: Subscriber, codes: readonly string[] | undefined): string[] {
    const { known, unknown } = this.#partition(codes ?? ['*']);
    const subscription = this.#subscriptions.get(subscriber);
    if (!codes || codes.includes('*')) this.#subscriptions.delete(subscriber);
    else if (subscription) {
      for (const symbol of known) subscription.symbols.delete(symbol);
      if (!subscription.all && subscription.symbols.size === 0) this.#subscriptions.delete(subscriber);
    }
    return unknown;
  }

  /** All symbols of the subscription. */
  subscriptions(subscriber: Subscriber): string[] {
    const subscription = this.#subscriptions.get(subscriber);
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

  isReplaying(subscriber: Subscriber): boolean {
    return (this.#subscriptions.get(subscriber)?.replayAt ?? null) !== null;
  }

  remove(subscriber: Subscriber): void {
    this.#subscriptions.delete(subscriber);
  }

  #partition(codes: readonly string[]): { known: MarketSymbol[]; unknown: string[] } {
    const { catalogue } = this.#options;
    const named = [...new Set(codes)].filter((code) => code !== '*');
    return {
      known: named.flatMap((code) => catalogue.resolve(code) ?? []),
      unknown: named.filter((code) => !catalogue.resolve(code)),
    };
  }

  #publish(item: JournalEvent, seq: number): void {
    this.#newest = seq;
    this.#ring.add(seq, item);
    const body = this.channel.bodyOf(item);
    for (const [subscriber, subscription] of this.#subscriptions)
      if (subscription.replayAt === null) this.#send(subscriber, subscription, item, body, seq);
  }

  /** Returns the number of bytes sent: 0 if the item does not match the subscription. */
  #send(subscriber: Subscriber, subscription: ItemSubscription, item: JournalEvent, body: string, seq: number): number {
    const { channel, journal, counts } = this.#options;
    const isWanted = (symbol: string): boolean => subscription.symbols.has(symbol as MarketSymbol);
    if (!channel.isFor(item, subscriber) || !(subscription.all || channel.symbolsOf(item).some(isWanted))) return 0;
    counts.published++;
    const { epoch } = journal;
    const named = subscriber.name === null ? body : naming(subscriber.name, body);
    const text = subscription.sequenced ? sequenced(named, seq, subscription.prev, epoch) : plain(named);
    subscriber.socket.send(text);
    subscription.prev = seq;
    return text.length;
  }

  #replay(subscriber: Subscriber, subscription: ItemSubscription, onLost: (seq: number) => void): ReplayProgress {
    const { quota, channel } = this.#options;
    // The client has unsubscribed.
    if (this.#subscriptions.get(subscriber) !== subscription) return 'done';
    if (subscription.waitUntil !== null) {
      const isAhead = subscription.prev > this.#options.journal.lastSeq;
      if (isAhead && performance.now() < subscription.waitUntil) return 'wait';
      subscription.waitUntil = null;
      subscription.replayAt = this.#ring.firstAfter(subscription.prev);
      if (isAhead) return this.#giveUp(subscription, onLost);
    }
    if (subscription.replayAt! < this.#ring.start) {
      // Its next items have left the ring.
      subscriber.closeWithError('too_slow', `The client reads ${channel.name} too slowly.`);
      return 'done';
    }
    if (subscription.replayAt! < this.#ring.end && quota.exhausted(subscriber))
      return this.#giveUp(subscription, onLost);
    let bytes = 0;
    for (; subscription.replayAt! < this.#ring.end && bytes < TURN_BYTES; subscription.replayAt!++) {
      const item = this.#ring.itemAt(subscription.replayAt!);
      const seq = this.#ring.seqAt(subscription.replayAt!);
      bytes += this.#send(subscriber, subscription, item, channel.bodyOf(item), seq);
    }
    quota.count(subscriber, bytes);
    if (subscription.replayAt! < this.#ring.end) return 'more';
    subscription.replayAt = null;
    return 'done';
  }

  /** Continues live. What the client has missed is declared. */
  #giveUp(subscription: ItemSubscription, onLost: (seq: number) => void): ReplayProgress {
    const { prev } = subscription;
    subscription.prev = this.#newest;
    subscription.replayAt = null;
    onLost(prev);
    return 'done';
  }
}
