// Heartbeats for connections that asked for them: the service's time, the newest number of what they take, and how old the
// last tick of each symbol is. A quiet market and a dead feed look different.
import type { Position } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import type { Connection } from './connection.ts';

export interface HeartbeatsOptions {
  /** Time of the last tick of a symbol on a channel in ms; null before the first. */
  readonly lastTickAt: (channel: Connection['channel'], symbol: MarketSymbol) => number | null;
  /** Where a reader stands that has read everything it was sent; not known during a replay. */
  readonly position: (connection: Connection) => Position | undefined;
}

export class Heartbeats {
  readonly #options: HeartbeatsOptions;

  constructor(options: HeartbeatsOptions) {
    this.#options = options;
  }

  ask(connection: Connection, seconds: number, now: number): void {
    connection.heartbeatMs = seconds * 1000;
    connection.heartbeatAt = now + connection.heartbeatMs;
  }

  look(connection: Connection, now: number): void {
    if (connection.heartbeatMs === 0 || now < connection.heartbeatAt) return;
    connection.heartbeatAt = now + connection.heartbeatMs;
    // One that is behind has enough to read, and must not take the newest for what it has got.
    const position = connection.lag ? undefined : this.#options.position(connection);
    if (!position) return;
    const { lastTickAt } = this.#options;
    const ages: Record<string, number | null> = {};
    for (const { line } of connection.subscriptions.values()) {
      const at = lastTickAt(connection.channel, line.symbol);
      ages[line.symbol] = at === null ? null : Math.max(0, Math.round(now - at) / 1000);
    }
    const { epoch, seq } = position;
    connection.notify({ event: 'heartbeat', server_time: new Date(now).toISOString(), seq, epoch, ages });
  }
}
