// What connections take, and whether each of it comes by its topic, from a replay first, or only as the newest because the
// reader is behind.
import type { Connection } from './connection.ts';
import type { Tap } from './line.ts';
import { Owed } from './owed.ts';
import type { Switchboard } from './switchboard.ts';

export class Subscriptions {
  readonly #switchboard: Switchboard;

  constructor(switchboard: Switchboard) {
    this.#switchboard = switchboard;
  }

  /** Adds a subscription, or changes how its line is taken; what a replay or an account still brings comes in the new way. */
  add(connection: Connection, tap: Tap): void {
    const { key } = tap.line;
    const before = connection.subscriptions.get(key);
    connection.subscriptions.set(key, tap);
    if (before?.topic === tap.topic || connection.held?.has(key) || connection.lag?.owed.has(key)) return;
    // Joins before it leaves: a paced line without listeners would be given up.
    this.settle(connection, tap);
    if (before) this.#switchboard.leave(connection, before);
  }

  /** Lets a line come live, or as the newest where the reader is behind. */
  settle(connection: Connection, tap: Tap): void {
    const { lag } = connection;
    if (lag && (lag.warned || tap.latest)) this.owe(connection, tap);
    else this.#switchboard.join(connection, tap);
  }

  /** Opens an account of what the reader misses of the line. */
  owe({ lag }: Connection, { line }: Tap): void {
    const owed = new Owed(line.seq);
    lag!.owed.set(line.key, owed);
    line.owed.add(owed);
  }

  drop(connection: Connection, key: string): void {
    const tap = connection.subscriptions.get(key);
    if (!tap) return;
    connection.subscriptions.delete(key);
    if (connection.held?.delete(key)) return;
    const { lag } = connection;
    const owed = lag?.owed.get(key);
    if (!lag || !owed) {
      this.#switchboard.leave(connection, tap);
      return;
    }
    this.#close(tap, owed);
    lag.owed.delete(key);
    if (owed.messages === 0 || tap.latest) return;
    // What was left out before it unsubscribed is still declared.
    lag.dropped += owed.messages;
    lag.symbols.add(tap.line.symbol);
  }

  /** The reader has caught up: everything comes by its topic again. */
  catchUp(connection: Connection): void {
    for (const [key, owed] of connection.lag!.owed) {
      const tap = connection.subscriptions.get(key)!;
      this.#switchboard.join(connection, tap);
      this.#close(tap, owed);
    }
    connection.lag = null;
  }

  /** The connection takes nothing any more. */
  forget(connection: Connection): void {
    for (const [key, tap] of connection.subscriptions) {
      if (connection.held?.has(key)) continue;
      const owed = connection.lag?.owed.get(key);
      if (owed) this.#close(tap, owed);
      else this.#switchboard.leave(connection, tap);
    }
    connection.subscriptions.clear();
    connection.lag = connection.held = null;
  }

  #close({ line }: Tap, owed: Owed): void {
    line.owed.delete(owed);
    this.#switchboard.tidy(line);
  }
}
