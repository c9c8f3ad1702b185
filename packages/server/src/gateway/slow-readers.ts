// Readers that do not keep up. Bun's publish tells nothing about a single reader, so their buffered bytes are looked at
// several times a second. One that is behind is told so and taken off the topics; from then on it gets only the newest
// message of each line, as far as it drains; once it has caught up it is told what it missed and put back. What it takes
// with `"delivery":"latest"` is thinned out earlier, and without a word.
// Signals and news are never thinned out: their reader is cut instead, and can come back to where it was.
import type { Position } from '@tickwire/contract';
import type { Journal } from '../journal/journal.ts';
import type { Connection, Lag } from './connection.ts';
import type { Line } from './line.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { Switchboard } from './switchboard.ts';

/** Buffered bytes at which a reader gets only the newest of what it wanted the latest of, and at which it counts as slow. */
const LATEST_BYTES = 64 * 1024;
const SLOW_BYTES = 256 * 1024;
/** Below this it is given the newest messages. */
const DRAINED_BYTES = 16 * 1024;
/** Past this it is cut. One that takes nothing at all is given up for its silence. */
const CUT_BYTES = 8 * 1024 * 1024;

export interface SlowReadersOptions {
  readonly switchboard: Switchboard;
  readonly subscriptions: Subscriptions;
  readonly journal: Journal;
  /** Where a reader of signals or news stands that has read everything it was sent; only it knows during a replay. */
  readonly position: (connection: Connection) => Position | undefined;
}

export class SlowReaders {
  /** How often a reader became slow, and how many messages were left out for one. */
  crossings = 0;
  dropped = 0;
  readonly #options: SlowReadersOptions;

  constructor(options: SlowReadersOptions) {
    this.#options = options;
  }

  look(connection: Connection): void {
    const buffered = connection.socket.getBufferedAmount();
    if (!connection.lag && buffered < LATEST_BYTES) return;
    if (connection.channel === 'signals' || connection.channel === 'news') {
      if (buffered < SLOW_BYTES) return;
      const position = this.#options.position(connection);
      connection.end('too_slow', `The reader does not keep up with the ${connection.channel}.`, undefined, position);
      return;
    }
    if (buffered >= SLOW_BYTES && !connection.lag?.warned && !wantsLatest(connection)) this.#warn(connection, buffered);
    else if (connection.lag) this.#serve(connection, buffered);
    else this.#takeOff(connection, ({ latest }) => latest);
  }

  #warn(connection: Connection, buffered: number): void {
    this.crossings++;
    this.#takeOff(connection, () => true);
    this.#lagOf(connection).warned = true;
    connection.notify({ event: 'slow', buffered_bytes: buffered, delivery: 'latest' });
  }

  /** Off their topics, as far as they are on them. */
  #takeOff(connection: Connection, which: (tap: { readonly latest: boolean }) => boolean): void {
    const { switchboard, subscriptions } = this.#options;
    for (const [key, tap] of connection.subscriptions) {
      if (!which(tap) || connection.held?.has(key) || connection.lag?.owed.has(key)) continue;
      this.#lagOf(connection);
      // The account first: a paced line that nobody needs would be given up.
      subscriptions.owe(connection, tap);
      switchboard.leave(connection, tap);
    }
  }

  #lagOf(connection: Connection): Lag {
    connection.lag ??= {
      warned: false,
      fromSeq: this.#options.journal.lastSeq + 1,
      owed: new Map(),
      symbols: new Set(),
      dropped: 0,
    };
    return connection.lag;
  }

  #serve(connection: Connection, buffered: number): void {
    const lag = connection.lag!;
    if (buffered > CUT_BYTES) {
      connection.end('too_slow', 'The reader did not catch up.');
      // There is no room left to wait until it has read that.
      connection.finish(true);
    }
    if (buffered >= DRAINED_BYTES) return;
    connection.socket.cork(() => this.#sendNewest(connection));
    if (buffered > 0) return;
    this.#options.subscriptions.catchUp(connection);
    // Whoever was warned is also told that it is over.
    if (!lag.warned && lag.dropped === 0) return;
    this.dropped += lag.dropped;
    connection.notify({
      event: 'gap',
      reason: 'slow',
      symbols: [...lag.symbols],
      dropped: lag.dropped,
      from_seq: lag.fromSeq,
      to_seq: this.#options.journal.lastSeq,
    });
  }

  #sendNewest(connection: Connection): void {
    const lag = connection.lag!;
    const lineOf = (key: string): Line => connection.subscriptions.get(key)!.line;
    const due = [...lag.owed].filter(([, owed]) => owed.messages > 0);
    // In the order of their numbers: a reader that breaks off in between resumes from the last it has seen.
    due.sort(([one], [other]) => lineOf(one).seq - lineOf(other).seq);
    for (const [key, owed] of due) {
      const { line, sequenced, latest } = connection.subscriptions.get(key)!;
      // To a reader that wanted only the newest, the previous message is the previous one it was sent.
      const text = line.text(sequenced, owed, latest ? owed.lastSeq : line.prev);
      if (owed.messages > 1 && !latest) {
        lag.dropped += owed.messages - 1;
        lag.symbols.add(line.symbol);
      }
      owed.settle(line.seq);
      if (text !== null) connection.socket.send(text);
    }
  }
}

/** It takes nothing else: there is nothing to warn of. */
const wantsLatest = ({ subscriptions }: Connection): boolean =>
  subscriptions.size > 0 && [...subscriptions.values()].every(({ latest }) => latest);
