// `resume_from`: replays what a client has missed of its subscriptions, or declares the gap and names the endpoint that can
// fill it.
import type { Channel, StreamPosition, Timeframe } from '@tickwire/contract';
import type { Journal } from '../journal/journal.ts';
import type { SignalEvents } from '../signals/signal-events.ts';
import { NOTHING_CONFLATED } from './conflated.ts';
import type { Connection } from './connection.ts';
import type { Hub } from './hub.ts';
import { type ItemStreams, itemsOf } from './item-subscribers.ts';
import { BarRing } from './message-ring.ts';
import type { Positions } from './positions.ts';
import type { ReplayQuota } from './replay-quota.ts';
import type { ReplayScheduler } from './replay-scheduler.ts';
import { BarReplay, RingReplay, type RingReplayOptions } from './ring-replay.ts';
import { SignalReplay } from './signal-replay.ts';
import type { Subscriber } from './subscriber.ts';
import type { Subscription, Topic } from './topic.ts';

const FILL_ENDPOINTS: Readonly<Record<Channel, string>> = {
  market: '/api/market/{symbol}?timeframe=1m&from={since}',
  orderflow: '/api/market/{symbol}?timeframe=1m&from={since}',
  signals: '/api/signals?status=all&limit=500',
  news: '/api/news?detail=true&limit=200&since={since}',
  alerts: '/api/alerts/firings?limit=200',
};

export interface ResumeHandlerOptions {
  readonly hub: Hub;
  readonly items: ItemStreams;
  readonly replays: ReplayScheduler;
  readonly quota: ReplayQuota;
  readonly signalEvents: SignalEvents;
  readonly journal: Journal;
  readonly positions: Pick<Positions, 'newest'>;
  /** Whether the journal follows that of another process: a client may come from one that is ahead. */
  readonly follows: boolean;
  readonly onFault: (subscriber: Subscriber, error: unknown) => void;
}

export class ResumeHandler {
  readonly #options: ResumeHandlerOptions;

  constructor(options: ResumeHandlerOptions) {
    this.#options = options;
  }

  /** Sends the last known message without volume: an idle market shows a price immediately, and nothing counts twice. */
  sendSnapshot({ socket }: Subscriber, subscription: Subscription): void {
    const text = subscription.topic.newestText(subscription, NOTHING_CONFLATED);
    if (text !== null) socket.send(text);
  }

  /** Replays new subscriptions from a position, then makes them live. Returns false if the position is not known here. */
  resume(subscriber: Subscriber, subscriptions: readonly Subscription[], from: StreamPosition): boolean {
    const { hub, replays, quota, journal, positions } = this.#options;
    const { channel } = subscriber;
    if (subscriptions.length === 0) return true;
    const { epoch, seq: newest } = positions.newest(channel);
    if (from.epoch !== epoch) return false;
    // A higher number belongs to another gateway that is ahead, or to a log that was replaced by an older backup.
    if (from.seq > newest && (channel === 'signals' || !this.#options.follows)) return false;
    if (channel === 'signals') this.#resumeSignals(subscriber, subscriptions, from.seq);
    else {
      const bars = subscriptions[0]!.topic.timeframe !== null;
      const numberOf = ({ symbol, timeframe }: Topic): number =>
        timeframe === null ? hub.indexOf(symbol) : BarRing.topicOf(hub.indexOf(symbol), timeframe);
      const options: RingReplayOptions = {
        subscriber,
        keys: new Map(subscriptions.map(({ topic }) => [numberOf(topic), topic.key])),
        ring: bars ? hub.closedBars : channel === 'market' ? hub.ticks : hub.flows,
        epoch: from.epoch,
        after: from.seq,
        newest: () => journal.lastSeq,
        quota,
        onLost: (seq) => {
          // A symbol without events since then has lost nothing.
          const lost = replayed().filter(({ topic }) => topic.seq > seq);
          if (lost.length > 0) this.sendGapAndSnapshots(subscriber, lost, seq);
        },
        onUnknown: () => this.sendGapAndSnapshots(subscriber, replayed(), from.seq),
      };
      const replayed = (): Subscription[] =>
        subscriptions.filter(({ topic: { key } }) => subscriber.replaying?.get(key) === replay);
      const replay: RingReplay = bars
        ? new BarReplay({ ...options, topics: subscriptions.map(({ topic }) => topic) })
        : new RingReplay(options);
      replays.start(replay);
    }
    return true;
  }

  resumeItems(subscriber: Subscriber, from: StreamPosition): void {
    const items = itemsOf(this.#options.items, subscriber)!;
    const sendGap = (seq: number): void => this.#sendGap(subscriber, items.subscriptions(subscriber), seq);
    if (!items.resume(subscriber, from, sendGap)) sendGap(from.seq);
  }

  /** Tells every subscriber of a journal channel that events after `seq` never reached this process. */
  declareLoss(connections: Iterable<Connection>, seq: number): void {
    for (const { subscribers, closed } of connections)
      if (!closed) for (const each of subscribers) this.#declareLoss(each, seq);
  }

  #declareLoss(subscriber: Subscriber, seq: number): void {
    const items = itemsOf(this.#options.items, subscriber);
    if (items) {
      const codes = items.subscriptions(subscriber);
      if (codes.length > 0) this.#sendGap(subscriber, codes, seq);
    } else if (subscriber.channel !== 'signals') {
      const subscriptions = [...subscriber.subscriptions];
      if (subscriptions.length > 0) this.sendGapAndSnapshots(subscriber, subscriptions, seq);
    }
  }

  /** For a subscriber that resumes at a position which says nothing about its channel, or that cannot be replayed. */
  declareUnknownPosition(subscriber: Subscriber): void {
    const items = itemsOf(this.#options.items, subscriber);
    const symbols = items?.subscriptions(subscriber) ?? [...subscriber.subscriptions].map(({ topic }) => topic.symbol);
    if (symbols.length > 0) this.#sendGap(subscriber, symbols, Number.POSITIVE_INFINITY);
  }

  /** For subscriptions whose messages after `seq` cannot be replayed. */
  sendGapAndSnapshots(subscriber: Subscriber, subscriptions: readonly Subscription[], seq: number): void {
    const timeframes = new Set(subscriptions.map(({ topic }) => topic.timeframe));
    this.#sendGap(
      subscriber,
      subscriptions.map(({ topic }) => topic.symbol),
      seq,
      timeframes.size === 1 ? ([...timeframes][0] ?? '1m') : '1m',
    );
    for (const { topic } of subscriptions) this.sendSnapshot(subscriber, subscriber.subscriptions.get(topic.key)!);
  }

  #resumeSignals(subscriber: Subscriber, subscriptions: readonly Subscription[], after: number): void {
    const { hub, replays, quota, signalEvents, onFault } = this.#options;
    // All subscriptions of one request are of the same kind.
    const [{ topic }] = subscriptions as [Subscription];
    const replay: SignalReplay = new SignalReplay({
      subscriber,
      symbols: subscriptions.map((subscription) => subscription.topic.symbol),
      streams: hub.streamsOf(topic),
      ring: hub.signals,
      signalEvents,
      after,
      quota,
      onLost: (n) => {
        const lost = subscriptions.filter(({ topic: { key } }) => subscriber.replaying?.get(key) === replay);
        if (n < signalEvents.newest && lost.length > 0) this.sendGapAndSnapshots(subscriber, lost, n);
      },
      wake: replays.run,
      onFault: (error) => onFault(subscriber, error),
    });
    replays.start(replay);
  }

  #sendGap(subscriber: Subscriber, symbols: readonly string[], seq: number, timeframe: Timeframe = '1m'): void {
    const { channel } = subscriber;
    const { seq: newest } = this.#options.positions.newest(channel);
    subscriber.notify({
      event: 'gap',
      reason: 'resume',
      symbols: [...symbols],
      // A position beyond the newest is not one of ours.
      ...(seq < newest && { from_seq: seq + 1, to_seq: newest }),
      fill: FILL_ENDPOINTS[channel].replace('timeframe=1m', `timeframe=${timeframe}`),
    });
  }
}
