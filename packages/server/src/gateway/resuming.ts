// `resume_from`: finds what a reader has missed of what it takes, or says that it is gone and where to get it.
import type { Position } from '@tickwire/contract';
import type { Journal } from '../journal/journal.ts';
import type { Announcements } from '../signals/announcements.ts';
import type { Connection, StreamKind } from './connection.ts';
import type { Tap } from './line.ts';
import type { NewsReaders } from './news-readers.ts';
import { NOTHING_OWED } from './owed.ts';
import type { Replays } from './replays.ts';
import { RingReplay } from './ring-replay.ts';
import { SignalReplay } from './signal-replay.ts';
import type { Switchboard } from './switchboard.ts';

const FILLS: Readonly<Record<Exclude<StreamKind, 'ingest'>, string>> = {
  market: '/api/market/{symbol}?timeframe=1m&from={since}',
  orderflow: '/api/market/{symbol}?timeframe=1m&from={since}',
  signals: '/api/signals?status=all&limit=500',
  news: '/api/news?detail=true&limit=200&since={since}',
};

export interface ResumingOptions {
  readonly switchboard: Switchboard;
  readonly news: NewsReaders;
  readonly replays: Replays;
  readonly announcements: Announcements;
  readonly journal: Journal;
  readonly onFault: (connection: Connection, error: unknown) => void;
}

export class Resuming {
  readonly #options: ResumingOptions;

  constructor(options: ResumingOptions) {
    this.#options = options;
  }

  /** Where a channel stands, and the name of the numbers it goes by. */
  positionOf(channel: StreamKind): Position {
    const { announcements, journal } = this.#options;
    if (channel === 'signals') return { epoch: announcements.epoch, seq: announcements.newest };
    return { epoch: journal.epoch, seq: journal.lastSeq };
  }

  /** Sends the last known message with nothing new in it: an idle market shows a price at once, nothing counts twice. */
  snapshot({ socket }: Connection, { line, sequenced }: Tap): void {
    const text = line.text(sequenced, NOTHING_OWED);
    if (text !== null) socket.send(text);
  }

  /** Brings taps that were just taken up to date and lets them come live; false where that cannot be done from here. */
  resume(connection: Connection, taps: readonly Tap[], from: Position): boolean {
    const { switchboard, replays } = this.#options;
    const { channel } = connection;
    if (taps.length === 0) return true;
    const { epoch, seq: newest } = this.positionOf(channel);
    // A number from ahead is of a log that was since set back to a backup.
    if (from.epoch !== epoch || from.seq > newest) return false;
    if (channel === 'signals') this.#resumeSignals(connection, taps, from.seq);
    else {
      const replay: RingReplay = new RingReplay({
        connection,
        keys: new Map(taps.map(({ line }) => [switchboard.placeOf(line.symbol), line.key])),
        ring: channel === 'market' ? switchboard.ticks : switchboard.flows,
        epoch: from.epoch,
        after: from.seq,
        onLost: (seq) => {
          // Of a symbol that nothing came of meanwhile, nothing is missing.
          const lost = taps.filter(({ line }) => connection.held?.get(line.key) === replay && line.seq > seq);
          if (lost.length > 0) this.startAnew(connection, lost, seq);
        },
      });
      replays.start(replay);
    }
    return true;
  }

  resumeNews(connection: Connection, from: Position): void {
    if (!this.#options.news.resume(connection, from))
      this.#declare(connection, this.#options.news.subscriptions(connection), from.seq);
  }

  /** Everyone on a channel that goes by the journal: what came after `seq` never came here. */
  loseAll(connections: Iterable<Connection>, seq: number): void {
    for (const connection of connections) {
      if (connection.closed) continue;
      if (connection.channel === 'news') {
        const codes = this.#options.news.subscriptions(connection);
        if (codes.length > 0) this.#declare(connection, codes, seq);
      } else if (connection.channel === 'market' || connection.channel === 'orderflow') {
        const taps = [...connection.subscriptions.values()];
        if (taps.length > 0) this.startAnew(connection, taps, seq);
      }
    }
  }

  /** What came after `seq` cannot be had here any more. */
  startAnew(connection: Connection, taps: readonly Tap[], seq: number): void {
    this.#declare(
      connection,
      taps.map(({ line }) => line.symbol),
      seq,
    );
    for (const { line } of taps) this.snapshot(connection, connection.subscriptions.get(line.key)!);
  }

  #resumeSignals(connection: Connection, taps: readonly Tap[], after: number): void {
    const { switchboard, replays, announcements, onFault } = this.#options;
    // All taps of a subscription are of one kind.
    const [{ line }] = taps as [Tap];
    replays.start(
      new SignalReplay({
        connection,
        symbols: taps.map((tap) => tap.line.symbol),
        closings: line === switchboard.line('signals_and_closings', line.symbol),
        ring: switchboard.signals,
        announcements,
        after,
        wake: replays.run,
        onFault: (error) => onFault(connection, error),
      }),
    );
  }

  #declare(connection: Connection, symbols: readonly string[], seq: number): void {
    const { channel } = connection;
    const { seq: newest } = this.positionOf(channel);
    connection.notify({
      event: 'gap',
      reason: 'resume',
      symbols: [...symbols],
      // A position from ahead is none of ours.
      ...(seq < newest && { from_seq: seq + 1, to_seq: newest }),
      fill: FILLS[channel as keyof typeof FILLS],
    });
  }
}
