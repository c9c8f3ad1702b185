// Plays rows as live events. The clock follows the latest time of the rows: a clock event precedes the first row of each new
// second. The output is therefore the same for any batch size and any speed.
import {
  asEpochMs,
  type EpochMs,
  type FeedEvent,
  type MarketSymbol,
  MINUTE_MS,
  type MinuteEvent,
  SECOND_MS,
} from '@tickwire/engine';
import { ImportError } from '../import-error.ts';
import type { ImportBar, ImportRow } from '../rows/import-row.ts';
import { RowEvents } from '../write/row-events.ts';

/** The intake, or a substitute. */
export interface ReplaySink {
  accept(events: Iterable<FeedEvent>): void;
  fill(minutes: Iterable<MinuteEvent>): void;
  clock(time: number): void;
}

export class ReplayPlayer {
  /** The latest time that was played. */
  reached = 0 as EpochMs;
  played = 0;
  readonly #symbol: MarketSymbol;
  readonly #events: RowEvents;
  readonly #sink: ReplaySink;
  #rows: readonly ImportRow[] = [];
  #at = 0;
  #second = Number.NEGATIVE_INFINITY;

  constructor(symbol: MarketSymbol, sink: ReplaySink) {
    this.#symbol = symbol;
    this.#events = new RowEvents(symbol);
    this.#sink = sink;
  }

  /** Sets the next rows to play. */
  load(rows: readonly ImportRow[]): void {
    this.#rows = rows;
    this.#at = 0;
  }

  /** Sides are inferred per file. */
  newFile(): void {
    this.#events.startFile();
  }

  /** When the next row is due; `null` if all are played. A late row is due immediately. */
  get due(): EpochMs | null {
    const row = this.#rows[this.#at];
    return row ? asEpochMs(Math.max(this.reached, dueTime(row))) : null;
  }

  /** Plays the rows that are due by `until`, at most `maxRows`. */
  play(until: number, maxRows: number): void {
    let events: FeedEvent[] = [];
    const flush = (): void => {
      if (events.length > 0) this.#sink.accept(events);
      events = [];
    };
    for (let left = maxRows; left > 0 && this.#at < this.#rows.length; left--) {
      const row = this.#rows[this.#at]!;
      const time = dueTime(row);
      if (time > until && time > this.reached) break;
      this.#at++;
      this.played++;
      if (time > this.reached) this.reached = asEpochMs(time);
      const second = Math.floor(this.reached / SECOND_MS);
      if (second > this.#second) {
        flush();
        this.#sink.clock(second * SECOND_MS);
        this.#second = second;
      }
      if (row.kind === 'bar') {
        flush();
        this.#sink.fill([this.#minute(row)]);
      } else events.push(this.#events.convert(row));
    }
    flush();
  }

  #minute({ time, open, high, low, close, volume, bidVolume, askVolume, basis, timeframe }: ImportBar): MinuteEvent {
    if (timeframe !== '1m') {
      throw new ImportError(
        'not_replayable',
        `its bars have the timeframe ${timeframe}: only ticks and 1m bars can be replayed`,
      );
    }
    const bar = { time, open, high, low, close, volume, bidVolume, askVolume, basis };
    return { kind: 'minute', symbol: this.#symbol, bar };
  }
}

/** A minute is due when it has ended. */
const dueTime = (row: ImportRow): number => (row.kind === 'bar' ? row.time + MINUTE_MS - 1 : row.time);
