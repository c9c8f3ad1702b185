// Readers that do not keep up. Bun's publish tells nothing about a single reader, so their buffered bytes are looked at
// several times a second. One that is behind is told so and taken off the topics; from then on it gets only the newest
// message of each symbol, as far as it drains; once it has caught up it is told what it missed and put back.
// Signals and news are never thinned out: their reader is cut instead, and can come back.
import type { MarketSymbol } from '@tickwire/engine';
import type { Journal } from '../journal/journal.ts';
import type { Connection } from './connection.ts';
import { plain, sequenced } from './encode.ts';
import type { Switchboard } from './switchboard.ts';

/** Buffered bytes at which a reader counts as slow. */
const SLOW_BYTES = 512 * 1024;
/** Below this it is given the newest messages. */
const DRAINED_BYTES = 16 * 1024;
/** Past this, or when it has not drained for so long, it is cut. */
const CUT_BYTES = 8 * 1024 * 1024;
const CUT_MS = 30_000;

export class SlowReaders {
  /** How often a reader became slow, and how many messages were left out for one. */
  crossings = 0;
  dropped = 0;
  readonly #switchboard: Switchboard;
  readonly #journal: Journal;

  constructor(switchboard: Switchboard, journal: Journal) {
    this.#switchboard = switchboard;
    this.#journal = journal;
  }

  look(connection: Connection, now: number): void {
    const buffered = connection.socket.getBufferedAmount();
    if (connection.lag) this.#serve(connection, buffered, now);
    else if (buffered >= SLOW_BYTES) this.#fallBehind(connection, buffered, now);
  }

  #fallBehind(connection: Connection, buffered: number, now: number): void {
    if (connection.channel === 'signals' || connection.channel === 'news') {
      connection.end('too_slow', `The reader does not keep up with the ${connection.channel}.`);
      return;
    }
    this.crossings++;
    const seen = new Map<MarketSymbol, number>();
    for (const [symbol, variant] of connection.subscriptions)
      seen.set(symbol, this.#switchboard.line(variant, symbol).count);
    this.#switchboard.detach(connection);
    connection.lag = { since: now, fromSeq: this.#journal.lastSeq + 1, seen, symbols: new Set(), dropped: 0 };
    connection.notify({ event: 'slow', buffered_bytes: buffered, delivery: 'latest' });
  }

  #serve(connection: Connection, buffered: number, now: number): void {
    const lag = connection.lag!;
    if (buffered > CUT_BYTES || (now - lag.since > CUT_MS && buffered >= DRAINED_BYTES)) {
      connection.end('too_slow', 'The reader did not catch up.');
      return;
    }
    if (buffered >= DRAINED_BYTES) return;
    this.#sendNewest(connection);
    if (buffered > 0) return;
    connection.lag = null;
    this.#switchboard.attach(connection);
    if (lag.dropped === 0) return;
    this.dropped += lag.dropped;
    connection.notify({
      event: 'gap',
      reason: 'slow',
      symbols: [...lag.symbols],
      dropped: lag.dropped,
      from_seq: lag.fromSeq,
      to_seq: this.#journal.lastSeq,
    });
  }

  #sendNewest(connection: Connection): void {
    const lag = connection.lag!;
    for (const [symbol, variant] of connection.subscriptions) {
      const line = this.#switchboard.line(variant, symbol);
      const missed = line.count - (lag.seen.get(symbol) ?? line.count);
      lag.seen.set(symbol, line.count);
      const body = missed > 0 ? this.#switchboard.newest(connection.channel, symbol) : null;
      if (body === null) continue;
      if (missed > 1) {
        lag.dropped += missed - 1;
        lag.symbols.add(symbol);
      }
      connection.socket.send(
        variant.sequenced ? sequenced(body, line.seq, line.prev, this.#journal.epoch) : plain(body),
      );
    }
  }
}
