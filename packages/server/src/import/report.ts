// What an import found: counts, what was skipped and why, and what is missing. Filled while the rows are read.
import { asEpochMs, type EpochMs, type HoursName } from '@tickwire/engine';
import { type DataGap, GapFinder } from './gaps.ts';

/** Why a line was left out. The first six bear the names the intake refuses live ticks by. */
export type SkipReason =
  | 'bad_price'
  | 'bad_size'
  | 'bad_time'
  | 'future_time'
  | 'finer_than_digits'
  | 'unknown_symbol'
  | 'wrong_columns'
  | 'not_json'
  | 'line_too_long'
  | 'impossible_bar'
  | 'unaligned_bar'
  | 'flat_bar'
  | 'one_sided'
  | 'other_stream'
  | 'cut_record';

export const SKIP_REASONS: Readonly<Record<SkipReason, string>> = {
  bad_price: 'a price is not a positive number',
  bad_size: 'a size is negative or not a number',
  bad_time: 'the time cannot be read, or does not exist in the given timezone',
  future_time: 'the time lies in the future',
  finer_than_digits: 'a price has more decimals than the instrument',
  unknown_symbol: 'the line is of another symbol',
  wrong_columns: 'fewer columns than the format has',
  not_json: 'the line is not a JSON object',
  line_too_long: 'the line is longer than 4 MiB',
  impossible_bar: 'the high is not the highest or the low not the lowest',
  unaligned_bar: 'the bar does not start on a multiple of its timeframe in UTC',
  flat_bar: 'a bar that only repeats the last price: nothing happened in it',
  one_sided: 'a quote with one side before the other was known',
  other_stream: 'a message that is neither a quote nor a trade',
  cut_record: 'the file ends in the middle of a record',
};

export interface SkipExample {
  readonly file: string;
  /** Line, or record where the format has no lines; both count from 1. */
  readonly line: number;
  /** The beginning of it. */
  readonly text: string;
}

export interface Skipped {
  count: number;
  readonly examples: SkipExample[];
}

const EXAMPLES = 5;

export class ImportReport {
  readonly files: { readonly file: string; readonly format: string; rows: number }[] = [];
  /** Entries of archives that no format claims, such as a readme beside the data. */
  readonly ignored: string[] = [];
  quotes = 0;
  trades = 0;
  bars = 0;
  crossed = 0;
  /** Rows that are older than the one before. They are kept. */
  outOfOrder = 0;
  /** Rows whose price was rounded to the instrument's digits, where that was asked for. */
  rounded = 0;
  firstTime: EpochMs | null = null;
  lastTime: EpochMs | null = null;
  /** Numbers missing between, and given again among, the venue's trade ids. */
  missingIds = 0;
  repeatedIds = 0;
  readonly skipped = new Map<SkipReason, Skipped>();
  readonly #gaps: GapFinder;
  #previous = Number.NEGATIVE_INFINITY;
  #lastId = Number.NaN;

  constructor(hours: HoursName) {
    this.#gaps = new GapFinder(hours);
  }

  get rows(): number {
    return this.quotes + this.trades + this.bars;
  }

  get skippedLines(): number {
    return [...this.skipped.values()].reduce((sum, { count }) => sum + count, 0);
  }

  get gaps(): { readonly count: number; readonly longest: readonly DataGap[] } {
    return { count: this.#gaps.count, longest: this.#gaps.longest };
  }

  skip(reason: SkipReason, example: () => SkipExample): void {
    let skipped = this.skipped.get(reason);
    if (!skipped) {
      skipped = { count: 0, examples: [] };
      this.skipped.set(reason, skipped);
    }
    if (skipped.count++ < EXAMPLES) skipped.examples.push(example());
  }

  /** A row was taken; `length` is a bar's. */
  taken(time: number, length: number): void {
    if (time < this.#previous) this.outOfOrder++;
    this.#previous = time;
    if (this.firstTime === null || time < this.firstTime) this.firstTime = asEpochMs(time);
    if (this.lastTime === null || time > this.lastTime) this.lastTime = asEpochMs(time);
    this.#gaps.seen(time, length);
  }

  numbered(id: number): void {
    if (id > this.#lastId + 1) this.missingIds += id - this.#lastId - 1;
    else if (id <= this.#lastId) this.repeatedIds++;
    if (!(id <= this.#lastId)) this.#lastId = id;
  }
}
