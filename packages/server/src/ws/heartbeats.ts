// Heartbeats for connections that requested them: server time, the newest `seq` of what they subscribe to, and the age of the
// last tick of each symbol in seconds. They tell a quiet market from a dead feed.
import type { StreamPosition } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { Connection } from './connection.ts';

export interface HeartbeatsOptions {
  /** Time of the last tick of a symbol on a channel in ms; `null` before the first. */
  readonly lastTickAt: (channel: Connection['channel'], symbol: MarketSymbol) => number | null;
  /** Position of a subscriber that has read everything sent to it; `undefined` during a replay. */
  readonly position: (connection: Connection) => StreamPosition | undefined;
}

export class Heartbeats {
  readonly #options: HeartbeatsOptions;

  constructor(options: HeartbeatsOptions) {
    this.#options = options;
  }

  enable(connection: Connection, seconds: number, now: number): void {
    connection.heartbeatMs = seconds * 1000;
    connection.heartbeatAt = now + connection.heartbeatMs;
  }

  /** Sends a heartbeat if one is due. */
  check(connection: Connection, now: number): void {
    if (connection.heartbeatMs === 0 || now < connection.heartbeatAt) return;
    connection.heartbeatAt = now + connection.heartbeatMs;
    // A slow subscriber has enough to read, and must not take the newest position for its own.
    const position = connection.lag ? undefined : this.#options.position(connection);
    if (!position) return;
    const { lastTickAt } = this.#options;
    const ages: Record<string, number | null> = {};
    for (const { topic } of connection.subscriptions.values()) {
      const at = lastTickAt(connection.channel, topic.symbol);
      ages[topic.symbol] = at === null ? null : Math.max(0, Math.round(now - at) / 1000);
    }
    const { epoch, seq } = position;
    connection.notify({ event: 'heartbeat', server_time: new Date(now).toISOString(), seq, epoch, ages });
  }
}
