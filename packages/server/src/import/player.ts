// Plays rows as a feed would have brought them. Time passes by the rows' own latest time: a clock event goes before the
// first row of each second that any row has reached. So what comes out is the same however the rows were cut into batches
// and at whatever pace they are played.
import { asEpochMs, type EpochMs, type FeedEvent, type MarketSymbol, type MinuteEvent } from '@tickwire/engine';
import { ImportError } from './import-error.ts';
import type { BarRow, Row } from './row.ts';
import { RowEvents } from './row-events.ts';

const SECOND = 1_000;
const MINUTE = 60_000;

/** The intake, or whatever stands in for it. */
export interface PlayerSink {
  accept(events: Iterable<FeedEvent>): void;
  fill(minutes: Iterable<MinuteEvent>): void;
  clock(time: number): void;
}

export class Player {
  /** The latest time played. */
  reached = 0 as EpochMs;
  played = 0;
  readonly #symbol: MarketSymbol;
  readonly #events: RowEvents;
  readonly #sink: PlayerSink;
  #rows: readonly Row[] = [];
  #at = 0;
  #second = Number.NEGATIVE_INFINITY;

  constructor(symbol: MarketSymbol, sink: PlayerSink) {
    this.#symbol = symbol;
    this.#events = new RowEvents(symbol);
    this.#sink = sink;
  }

  /** The next rows to play, once those before are through. */
  load(rows: readonly Row[]): void {
    this.#rows = rows;
    this.#at = 0;
  }

  /** Sides are inferred for each file on its own. */
  newFile(): void {
    this.#events.newFile();
  }

  /** When the next row is due; null where all are played. One that comes late is due at once. */
  get due(): EpochMs | null {
    const row = this.#rows[this.#at];
    return row ? asEpochMs(Math.max(this.reached, timeOf(row))) : null;
  }

  /** Plays the rows due by `until`, `most` at the most. */
  play(until: number, most: number): void {
    let events: FeedEvent[] = [];
    const handOver = (): void => {
      if (events.length > 0) this.#sink.accept(events);
      events = [];
    };
    for (let left = most; left > 0 && this.#at < this.#rows.length; left--) {
      const row = this.#rows[this.#at]!;
      const time = timeOf(row);
      if (time > until && time > this.reached) break;
      this.#at++;
      this.played++;
      if (time > this.reached) this.reached = asEpochMs(time);
      const second = Math.floor(this.reached / SECOND);
      if (second > this.#second) {
        handOver();
        this.#sink.clock(second * SECOND);
        this.#second = second;
      }
      if (row.kind === 'bar') {
        handOver();
        this.#sink.fill([this.#minute(row)]);
      } else events.push(this.#events.of(row));
    }
    handOver();
  }

  #minute({ time, open, high, low, close, volume, bidVolume, askVolume, basis, timeframe }: BarRow): MinuteEvent {
    if (timeframe !== '1m') {
      throw new ImportError('not_replayable', `its bars are of ${timeframe}: ticks and minutes can be replayed`);
    }
    const bar = { time, open, high, low, close, volume, bidVolume, askVolume, basis };
    return { kind: 'minute', symbol: this.#symbol, bar };
  }
}

/** A minute is known when it is over. */
const timeOf = (row: Row): number => (row.kind === 'bar' ? row.time + MINUTE - 1 : row.time);
