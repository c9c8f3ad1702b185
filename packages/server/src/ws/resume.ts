// `resume_from`: replays what a client has missed of its subscriptions, or declares the gap and names the endpoint that can
// fill it.
import type { StreamPosition, Timeframe } from '@tickwire/contract';
import type { Journal } from '../journal/journal.ts';
import type { SignalEvents } from '../signals/signal-events.ts';
import { NOTHING_CONFLATED } from './conflated.ts';
import type { Connection, StreamKind } from './connection.ts';
import type { Hub } from './hub.ts';
import { BarRing } from './message-ring.ts';
import type { NewsSubscribers } from './news-subscribers.ts';
import type { ReplayQuota } from './replay-quota.ts';
import type { ReplayScheduler } from './replay-scheduler.ts';
import { BarReplay, RingReplay, type RingReplayOptions } from './ring-replay.ts';
import { SignalReplay } from './signal-replay.ts';
import type { Subscription, Topic } from './topic.ts';

const FILL_ENDPOINTS: Readonly<Record<Exclude<StreamKind, 'ingest'>, string>> = {
  market: '/api/market/{symbol}?timeframe=1m&from={since}',
  orderflow: '/api/market/{symbol}?timeframe=1m&from={since}',
  signals: '/api/signals?status=all&limit=500',
  news: '/api/news?detail=true&limit=200&since={since}',
};

export interface ResumeHandlerOptions {
  readonly hub: Hub;
  readonly news: NewsSubscribers;
  readonly replays: ReplayScheduler;
  readonly quota: ReplayQuota;
  readonly signalEvents: SignalEvents;
  readonly journal: Journal;
  /** Whether the journal follows that of another process: a client may come from one that is ahead. */
  readonly follows: boolean;
  readonly onFault: (connection: Connection, error: unknown) => void;
}

export class ResumeHandler {
  readonly #options: ResumeHandlerOptions;

  constructor(options: ResumeHandlerOptions) {
    this.#options = options;
  }

  /** The newest position of a channel. */
  positionOf(channel: StreamKind): StreamPosition {
    const { signalEvents, journal } = this.#options;
    if (channel === 'signals') return { epoch: signalEvents.epoch, seq: signalEvents.newest };
    return { epoch: journal.epoch, seq: journal.lastSeq };
  }

  /** Sends the last known message without volume: an idle market shows a price immediately, and nothing counts twice. */
  sendSnapshot({ socket }: Connection, subscription: Subscription): void {
    const text = subscription.topic.newestText(subscription, NOTHING_CONFLATED);
    if (text !== null) socket.send(text);
  }

  /** Replays new subscriptions from a position, then makes them live. Returns false if the position is not known here. */
  resume(connection: Connection, subscriptions: readonly Subscription[], from: StreamPosition): boolean {
    const { hub, replays, quota, journal } = this.#options;
    const { channel } = connection;
    if (subscriptions.length === 0) return true;
    const { epoch, seq: newest } = this.positionOf(channel);
    if (from.epoch !== epoch) return false;
    // A higher number belongs to another gateway that is ahead, or to a log that was replaced by an older backup.
    if (from.seq > newest && (channel === 'signals' || !this.#options.follows)) return false;
    if (channel === 'signals') this.#resumeSignals(connection, subscriptions, from.seq);
    else {
      const bars = subscriptions[0]!.topic.timeframe !== null;
      const numberOf = ({ symbol, timeframe }: Topic): number =>
        timeframe === null ? hub.indexOf(symbol) : BarRing.topicOf(hub.indexOf(symbol), timeframe);
      const options: RingReplayOptions = {
        connection,
        keys: new Map(subscriptions.map(({ topic }) => [numberOf(topic), topic.key])),
        ring: bars ? hub.closedBars : channel === 'market' ? hub.ticks : hub.flows,
        epoch: from.epoch,
        after: from.seq,
        newest: () => journal.lastSeq,
        quota,
        onLost: (seq) => {
          // A symbol without events since then has lost nothing.
          const lost = replayed().filter(({ topic }) => topic.seq > seq);
          if (lost.length > 0) this.sendGapAndSnapshots(connection, lost, seq);
        },
        onUnknown: () => this.sendGapAndSnapshots(connection, replayed(), from.seq),
      };
      const replayed = (): Subscription[] =>
        subscriptions.filter(({ topic: { key } }) => connection.replaying?.get(key) === replay);
      const replay: RingReplay = bars
        ? new BarReplay({ ...options, topics: subscriptions.map(({ topic }) => topic) })
        : new RingReplay(options);
      replays.start(replay);
    }
    return true;
  }

  resumeNews(connection: Connection, from: StreamPosition): void {
    const { news } = this.#options;
    const sendGap = (seq: number): void => this.#sendGap(connection, news.subscriptions(connection), seq);
    if (!news.resume(connection, from, sendGap)) sendGap(from.seq);
  }

  /** Tells every subscriber of a journal channel that events after `seq` never reached this process. */
  declareLoss(connections: Iterable<Connection>, seq: number): void {
    for (const connection of connections) {
      if (connection.closed) continue;
      if (connection.channel === 'news') {
        const codes = this.#options.news.subscriptions(connection);
        if (codes.length > 0) this.#sendGap(connection, codes, seq);
      } else if (connection.channel === 'market' || connection.channel === 'orderflow') {
        const subscriptions = [...connection.subscriptions.values()];
        if (subscriptions.length > 0) this.sendGapAndSnapshots(connection, subscriptions, seq);
      }
    }
  }

  /** For subscriptions whose messages after `seq` cannot be replayed. */
  sendGapAndSnapshots(connection: Connection, subscriptions: readonly Subscription[], seq: number): void {
    const timeframes = new Set(subscriptions.map(({ topic }) => topic.timeframe));
    this.#sendGap(
      connection,
      subscriptions.map(({ topic }) => topic.symbol),
      seq,
      timeframes.size === 1 ? ([...timeframes][0] ?? '1m') : '1m',
    );
    for (const { topic } of subscriptions) this.sendSnapshot(connection, connection.subscriptions.get(topic.key)!);
  }

  #resumeSignals(connection: Connection, subscriptions: readonly Subscription[], after: number): void {
    const { hub, replays, quota, signalEvents, onFault } = this.#options;
    // All subscriptions of one request are of the same kind.
    const [{ topic }] = subscriptions as [Subscription];
    const replay: SignalReplay = new SignalReplay({
      connection,
      symbols: subscriptions.map((subscription) => subscription.topic.symbol),
      streams: hub.streamsOf(topic),
      ring: hub.signals,
      signalEvents,
      after,
      quota,
      onLost: (n) => {
        const lost = subscriptions.filter(({ topic: { key } }) => connection.replaying?.get(key) === replay);
        if (n < signalEvents.newest && lost.length > 0) this.sendGapAndSnapshots(connection, lost, n);
      },
      wake: replays.run,
      onFault: (error) => onFault(connection, error),
    });
    replays.start(replay);
  }

  #sendGap(connection: Connection, symbols: readonly string[], seq: number, timeframe: Timeframe = '1m'): void {
    const { channel } = connection;
    const { seq: newest } = this.positionOf(channel);
    connection.notify({
      event: 'gap',
      reason: 'resume',
      symbols: [...symbols],
      // A position beyond the newest is not one of ours.
      ...(seq < newest && { from_seq: seq + 1, to_seq: newest }),
      fill: FILL_ENDPOINTS[channel as keyof typeof FILL_ENDPOINTS].replace('timeframe=1m', `timeframe=${timeframe}`),
    });
  }
}
