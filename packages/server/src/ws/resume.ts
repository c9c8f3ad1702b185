// `resume_from`: replays what a client has missed of its subscriptions, or declares the gap and names the endpoint that can
// fill it.
import type { StreamPosition, Timeframe } from '@tickwire/contract';
import type { TopicChannel } from './channel.ts';
import type { Channels } from './channels.ts';
import { NOTHING_CONFLATED } from './conflated.ts';
import type { Connection } from './connection.ts';
import type { ReplayQuota } from './replay-quota.ts';
import type { ReplayScheduler } from './replay-scheduler.ts';
import type { Subscriber } from './subscriber.ts';
import type { Subscription } from './topic.ts';

export interface ResumeHandlerOptions {
  readonly channels: Channels;
  readonly replays: ReplayScheduler;
  readonly quota: ReplayQuota;
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

  /**
   * Replays new subscriptions to topics of a channel from a position, then makes them live. Returns false if the position is
   * not known here.
   */
  resume(
    subscriber: Subscriber,
    channel: TopicChannel,
    subscriptions: readonly Subscription[],
    from: StreamPosition,
  ): boolean {
    const { channels, replays, quota, follows, onFault } = this.#options;
    if (subscriptions.length === 0) return true;
    const { epoch, seq: newest } = channels.newest(subscriber.channel);
    if (from.epoch !== epoch) return false;
    // A higher number belongs to another gateway that is ahead, or to a log that was replaced by an older backup.
    if (from.seq > newest && (channel.newest || !follows)) return false;
    const replay = channel.replay!({
      subscriber,
      subscriptions,
      from,
      quota,
      declareGap: (lost, seq) => this.sendGapAndSnapshots(subscriber, lost, seq),
      wake: replays.run,
      onFault: (error) => onFault(subscriber, error),
    });
    replays.start(replay);
    return true;
  }

  resumeItems(subscriber: Subscriber, from: StreamPosition): void {
    const items = this.#options.channels.items(subscriber)!;
    const sendGap = (seq: number): void => this.#sendGap(subscriber, items.subscriptions(subscriber), seq);
    if (!items.resume(subscriber, from, sendGap)) sendGap(from.seq);
  }

  /** Tells every subscriber of a journal channel that events after `seq` never reached this process. */
  declareLoss(connections: Iterable<Connection>, seq: number): void {
    for (const { subscribers, closed } of connections)
      if (!closed) for (const each of subscribers) this.#declareLoss(each, seq);
  }

  #declareLoss(subscriber: Subscriber, seq: number): void {
    const { channels } = this.#options;
    const items = channels.items(subscriber);
    if (items) {
      const codes = items.subscriptions(subscriber);
      if (codes.length > 0) this.#sendGap(subscriber, codes, seq);
    } else if (!channels.topics(subscriber.channel).newest) {
      const subscriptions = [...subscriber.subscriptions];
      if (subscriptions.length > 0) this.sendGapAndSnapshots(subscriber, subscriptions, seq);
    }
  }

  /** For a subscriber that resumes at a position without its channel, or that cannot be replayed. */
  declareUnknownPosition(subscriber: Subscriber): void {
    const items = this.#options.channels.items(subscriber);
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

  #sendGap(subscriber: Subscriber, symbols: readonly string[], seq: number, timeframe: Timeframe = '1m'): void {
    const { channels } = this.#options;
    const { seq: newest } = channels.newest(subscriber.channel);
    subscriber.notify({
      event: 'gap',
      reason: 'resume',
      symbols: [...symbols],
      // A position beyond the newest is not one of ours.
      ...(seq < newest && { from_seq: seq + 1, to_seq: newest }),
      fill: channels.of(subscriber.channel).fill(timeframe),
    });
  }
}
