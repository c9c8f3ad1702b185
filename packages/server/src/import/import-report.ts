// The report of an import: counts, skipped lines with reasons, and gaps. Filled while the rows are read.
import { asEpochMs, type EpochMs, type HoursName, LongestGaps } from '@tickwire/engine';

/** Why a line was skipped. The first six names are also used by the intake for live ticks. */
export type SkipReason =
  | 'bad_price'
  | 'bad_size'
  | 'bad_time'
  | 'future_time'
  | 'finer_than_digits'
  | 'not_points'
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
  bad_time: 'the time is invalid, or does not exist in the given time zone',
  future_time: 'the time is in the future',
  finer_than_digits: 'a price has more decimals than the instrument',
  not_points: 'a price is not an integer, as --points states',
  unknown_symbol: 'the line belongs to another symbol',
  wrong_columns: 'the line has too few columns',
  not_json: 'the line is not a JSON object',
  line_too_long: 'the line is longer than 4 MiB',
  impossible_bar: 'the high is below, or the low above, another price of the bar',
  unaligned_bar: 'the bar does not start on a multiple of its length: days begin at 00:00 UTC, or at 17:00 in New York',
  flat_bar: 'a bar without trades that only repeats the last price',
  one_sided: 'a quote with one side, before the other side was known',
  other_stream: 'a message that is neither a quote nor a trade',
  cut_record: 'the file ends in the middle of a record',
};

/** Lines that are left out on purpose, so that nothing is lost: they are counted, but no fault. */
const EXPECTED: ReadonlySet<SkipReason> = new Set(['unknown_symbol', 'other_stream', 'flat_bar', 'one_sided']);
export const isFault = (reason: SkipReason): boolean => !EXPECTED.has(reason);

export interface SkipExample {
  readonly file: string;
  /** Line number from 1, or record number if the format has no lines. */
  readonly line: number;
  /** Start of the line. */
  readonly text: string;
}

export interface SkippedLines {
  count: number;
  readonly examples: SkipExample[];
}

const MAX_EXAMPLES = 5;
/** More than a chunk of a file has. */
const MAX_SKIPPED_TIMES = 1_000_000;

export class ImportReport {
  readonly files: { readonly file: string; readonly format: string; rows: number }[] = [];
  /** Entries of archives in no known format, such as a readme. */
  readonly ignored: string[] = [];
  quotes = 0;
  trades = 0;
  bars = 0;
  crossed = 0;
  /** Rows that are older than the previous one. They are imported. */
  outOfOrder = 0;
  /** Rows whose price was rounded to the instrument's digits (`finer: 'round'`). */
  rounded = 0;
  /** Decimals of prices that a file states; `null` if none does. */
  statedDigits: number | null = null;
  /** Names of columns that have values and were not read, although they should have been. */
  readonly leftOut = new Set<string>();
  firstTime: EpochMs | null = null;
  lastTime: EpochMs | null = null;
  /** Missing and repeated trade ids. */
  missingIds = 0;
  repeatedIds = 0;
  /** The range of prices, while files are surveyed. */
  lowest = Number.POSITIVE_INFINITY;
  highest = Number.NEGATIVE_INFINITY;
  /** Bars of the same time as a later one, which is imported in place of them. */
  duplicates = 0;
  readonly skipped = new Map<SkipReason, SkippedLines>();
  /** The largest number of consecutive lines that were skipped for a fault. */
  longestRun = 0;
  #run = 0;
  #skippedTimes: number[] = [];
  readonly #gaps: LongestGaps;
  #previous = Number.NEGATIVE_INFINITY;
  #lastId = Number.NaN;

  constructor(hours: HoursName) {
    this.#gaps = new LongestGaps(hours);
  }

  get rows(): number {
    return this.quotes + this.trades + this.bars;
  }

  get skippedLines(): number {
    return [...this.skipped.values()].reduce((sum, { count }) => sum + count, 0);
  }

  get gaps(): Pick<LongestGaps, 'count' | 'longest'> {
    return { count: this.#gaps.count, longest: this.#gaps.longest };
  }

  skip(reason: SkipReason, example: () => SkipExample): void {
    let skipped = this.skipped.get(reason);
    if (!skipped) {
      skipped = { count: 0, examples: [] };
      this.skipped.set(reason, skipped);
    }
    if (skipped.count++ < MAX_EXAMPLES) skipped.examples.push(example());
    if (isFault(reason) && ++this.#run > this.longestRun) this.longestRun = this.#run;
  }

  addSkippedTime(time: number): void {
    if (this.#skippedTimes.length < MAX_SKIPPED_TIMES) this.#skippedTimes.push(time);
  }

  /** Removes and returns the times of lines that were skipped for a fault since the last call. */
  takeSkippedTimes(): readonly number[] {
    const times = this.#skippedTimes;
    if (times.length > 0) this.#skippedTimes = [];
    return times;
  }

  /** Lines that were skipped for a fault. */
  get faultyLines(): number {
    return [...this.skipped].reduce((sum, [reason, { count }]) => sum + (isFault(reason) ? count : 0), 0);
  }

  /** Adds the counts of another report, of other files. Gaps are left out. */
  addCounts(other: ImportReport): void {
    this.files.push(...other.files);
    this.ignored.push(...other.ignored);
    for (const column of other.leftOut) this.leftOut.add(column);
    for (const name of ['quotes', 'trades', 'bars', 'crossed', 'rounded'] as const) this[name] += other[name];
    this.longestRun = Math.max(this.longestRun, other.longestRun);
    this.addPrices(other.lowest, other.highest);
    if (other.statedDigits !== null) this.stateDigits(other.statedDigits);
    for (const [reason, { count, examples }] of other.skipped) {
      const own = this.skipped.get(reason) ?? { count: 0, examples: [] };
      own.count += count;
      own.examples.push(...examples.slice(0, MAX_EXAMPLES - own.examples.length));
      this.skipped.set(reason, own);
    }
  }

  /** The file states how many decimals its prices have. */
  stateDigits(digits: number): void {
    this.statedDigits = Math.max(this.statedDigits ?? 0, digits);
  }

  addPrices(low: number, high: number): void {
    if (low < this.lowest) this.lowest = low;
    if (high > this.highest) this.highest = high;
  }

  /** A row was read: the run of skipped lines has ended. */
  endRun(): void {
    this.#run = 0;
  }

  /** Adds a row; `length` in milliseconds, 0 for a tick. */
  addRow(time: number, length: number): void {
    if (time < this.#previous) this.outOfOrder++;
    this.#previous = time;
    if (this.firstTime === null || time < this.firstTime) this.firstTime = asEpochMs(time);
    if (this.lastTime === null || time > this.lastTime) this.lastTime = asEpochMs(time);
    this.#gaps.add(time, length);
  }

  addTradeId(id: number): void {
    if (id > this.#lastId + 1) this.missingIds += id - this.#lastId - 1;
    else if (id <= this.#lastId) this.repeatedIds++;
    if (!(id <= this.#lastId)) this.#lastId = id;
  }
}
