// `resume_from`: replays what a client has missed of its subscriptions, or declares the gap and names the endpoint that can
// fill it.
import type { StreamPosition } from '@tickwire/contract';
import type { Journal } from '../journal/journal.ts';
import type { SignalEvents } from '../signals/signal-events.ts';
import { NOTHING_CONFLATED } from './conflated.ts';
import type { Connection, StreamKind } from './connection.ts';
import type { Hub } from './hub.ts';
import type { NewsSubscribers } from './news-subscribers.ts';
import type { ReplayQuota } from './replay-quota.ts';
import type { ReplayScheduler } from './replay-scheduler.ts';
import { RingReplay } from './ring-replay.ts';
import { SignalReplay } from './signal-replay.ts';
import type { Subscription } from './topic.ts';

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
  sendSnapshot({ socket }: Connection, { topic, sequenced }: Subscription): void {
    const text = topic.newestText(sequenced, NOTHING_CONFLATED);
    if (text !== null) socket.send(text);
  }

  /** Replays new subscriptions from a position, then makes them live. Returns false if the position is not known here. */
  resume(connection: Connection, subscriptions: readonly Subscription[], from: StreamPosition): boolean {
    const { hub, replays, quota } = this.#options;
    const { channel } = connection;
    if (subscriptions.length === 0) return true;
    const { epoch, seq: newest } = this.positionOf(channel);
    // A higher number belongs to a log that was replaced by an older backup.
    if (from.epoch !== epoch || from.seq > newest) return false;
    if (channel === 'signals') this.#resumeSignals(connection, subscriptions, from.seq);
    else {
      const replay: RingReplay = new RingReplay({
        connection,
        keys: new Map(subscriptions.map(({ topic }) => [hub.indexOf(topic.symbol), topic.key])),
        ring: channel === 'market' ? hub.ticks : hub.flows,
        epoch: from.epoch,
        after: from.seq,
        quota,
        onLost: (seq) => {
          // A symbol without events since then has lost nothing.
          const lost = subscriptions.filter(
            ({ topic }) => connection.replaying?.get(topic.key) === replay && topic.seq > seq,
          );
          if (lost.length > 0) this.sendGapAndSnapshots(connection, lost, seq);
        },
      });
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
    this.#sendGap(
      connection,
      subscriptions.map(({ topic }) => topic.symbol),
      seq,
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

  #sendGap(connection: Connection, symbols: readonly string[], seq: number): void {
    const { channel } = connection;
    const { seq: newest } = this.positionOf(channel);
    connection.notify({
      event: 'gap',
      reason: 'resume',
      symbols: [...symbols],
      // A position beyond the newest is not one of ours.
      ...(seq < newest && { from_seq: seq + 1, to_seq: newest }),
      fill: FILL_ENDPOINTS[channel as keyof typeof FILL_ENDPOINTS],
    });
  }
}
