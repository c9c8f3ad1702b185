// Heartbeats for connections that requested them: server time, the newest `seq` of what they subscribe to, and the age of the
// last tick of each symbol in seconds. They tell a quiet market from a dead feed.
import type { StreamPosition } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { Subscriber } from './subscriber.ts';

export interface HeartbeatsOptions {
  /** Time of the last tick of a symbol on a channel in ms; `null` before the first. */
  readonly lastTickAt: (channel: Subscriber['channel'], symbol: MarketSymbol) => number | null;
  /** Position of a subscriber that has read everything sent to it; `undefined` during a replay. */
  readonly position: (subscriber: Subscriber) => StreamPosition | undefined;
}

export class Heartbeats {
  readonly #options: HeartbeatsOptions;

  constructor(options: HeartbeatsOptions) {
    this.#options = options;
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
    const position = subscriber.lag ? undefined : this.#options.position(subscriber);
    if (!position) return;
    const { lastTickAt } = this.#options;
    const ages: Record<string, number | null> = {};
    for (const { topic } of subscriber.subscriptions) {
      const at = lastTickAt(subscriber.channel, topic.symbol);
      ages[topic.symbol] = at === null ? null : Math.max(0, Math.round(now - at) / 1000);
    }
    const { epoch, seq } = position;
    subscriber.notify({ event: 'heartbeat', server_time: new Date(now).toISOString(), seq, epoch, ages });
  }
}
