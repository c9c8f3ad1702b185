// Heartbeats for connections that requested them: server time, the newest `seq` of what they subscribe to, and the age of the
// last tick of each symbol in seconds. They tell a quiet market from a dead feed.
import { iso } from '@tickwire/contract';
import type { Channels } from './channels.ts';
import type { Subscriber } from './subscriber.ts';

export class Heartbeats {
  readonly #channels: Channels;
  readonly #marketTime: (() => number) | undefined;

  /** `marketTime`: the time that ages are measured from, in epoch milliseconds. Default: the time of the heartbeat. */
  constructor(channels: Channels, marketTime?: () => number) {
    this.#channels = channels;
    this.#marketTime = marketTime;
  }

  enable(subscriber: Subscriber, seconds: number, now: number): void {
    subscriber.heartbeatMs = seconds * 1000;
    subscriber.heartbeatAt = now + subscriber.heartbeatMs;
  }

  /** Sends a heartbeat if one is due. */
  check(subscriber: Subscriber, now: number): void {
    if (subscriber.heartbeatMs === 0 || now < subscriber.heartbeatAt) return;
    subscriber.heartbeatAt = now + subscriber.heartbeatMs;
    // A slow subscriber has enough to read, and must not take the newest position for its own.
    const position = subscriber.lag ? undefined : this.#channels.positionOf(subscriber);
    if (!position) return;
    const channel = this.#channels.topics(subscriber.channel);
    const ages: Record<string, number | null> = {};
    const time = this.#marketTime?.() ?? now;
    for (const { topic } of subscriber.subscriptions) {
      const at = channel.lastEventAt(topic.symbol);
      ages[topic.symbol] = at === null ? null : Math.max(0, Math.round(time - at) / 1000);
    }
    const { epoch, seq } = position;
    subscriber.notify({ event: 'heartbeat', server_time: iso(now), seq, epoch, ages });
  }
}
