// Bars of intervals that have no stream, made of the longest streamed bars that fit into them. Intervals are those of
// `/api/bars` with `align=utc`: they count from the start of the day, and weeks start on Monday. Times are Unix seconds.
import type { Timeframe } from '../common/contract.ts';

/** Prices and volume of a bar. */
export interface BarPrices {
  /** Start of the bar, Unix time in seconds. */
  readonly time: number;
  /** First price. */
  readonly open: number;
  /** Highest price. */
  readonly high: number;
  /** Lowest price. */
  readonly low: number;
  /** Last price. */
  readonly close: number;
  /** Traded volume. */
  readonly volume: number;
}

const DAY = 86_400;
const STREAMED: readonly (readonly [Timeframe, number])[] = [
  ['1d', DAY],
  ['4h', 14_400],
  ['1h', 3_600],
  ['15m', 900],
  ['5m', 300],
  ['1m', 60],
];
const UNIT_SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3_600 };

/** The streamed timeframe of this name; `null` if there is none. */
export const streamedTimeframe = (interval: string): Timeframe | null =>
  STREAMED.find(([name]) => name === interval)?.[0] ?? null;

export class DerivedBars {
  /** The streamed bars that make up the interval. */
  readonly part: Timeframe;
  readonly #partSeconds: number;
  /** Length in seconds up to a day, or `1w` or `1M`. */
  readonly #length: number | '1w' | '1M';
  readonly #parts = new Map<number, BarPrices>();
  /** Start of the newest bar, and whether its close was reported. */
  #newest = -1;
  #isClosed = false;
  /** Parts from here on are known. */
  #kept = 0;

  constructor(interval: string) {
    this.#length = lengthOf(interval);
    const seconds = typeof this.#length === 'number' ? this.#length : DAY;
    [this.part, this.#partSeconds] = STREAMED.find(([, each]) => seconds % each === 0)!;
  }

  startOf(time: number): number {
    const day = time - (time % DAY);
    if (typeof this.#length === 'number') return day + Math.floor((time - day) / this.#length) * this.#length;
    // 1970-01-01 was a Thursday.
    if (this.#length === '1w') return day - ((day / DAY + 3) % 7) * DAY;
    const date = new Date(day * 1_000);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1_000;
  }

  endOf(start: number): number {
    // The last interval of a day is shorter if the day is not a multiple of it.
    if (typeof this.#length === 'number') return Math.min(start + this.#length, start - (start % DAY) + DAY);
    return this.#length === '1w' ? start + 7 * DAY : this.startOf(start + 31 * DAY);
  }

  /** Adds all shorter bars from the start of a bar on. Returns the bars that they are in. */
  add(parts: readonly BarPrices[]): BarPrices[] {
    const starts = new Set<number>();
    for (const part of parts) {
      this.#parts.set(part.time, part);
      starts.add(this.startOf(part.time));
    }
    const sorted = [...starts].sort((one, other) => one - other);
    const bars = sorted.map((start) => this.#bar(start));
    for (const start of sorted) this.#advance(start);
    return bars;
  }

  /** Adds a live shorter bar. Returns its bar, after the close of the one before it if that was not reported yet. */
  addLive(part: BarPrices & { readonly closed: boolean }): (BarPrices & { readonly closed: boolean })[] {
    const start = this.startOf(part.time);
    // The other parts of such an old bar are not known.
    if (start < this.#kept) return [];
    const changed: (BarPrices & { readonly closed: boolean })[] = [];
    if (start > this.#newest && this.#newest >= 0 && !this.#isClosed)
      changed.push({ ...this.#bar(this.#newest), closed: true });
    this.#parts.set(part.time, part);
    this.#advance(start);
    const closed =
      start < this.#newest || this.#isClosed || (part.closed && part.time + this.#partSeconds >= this.endOf(start));
    if (start === this.#newest) this.#isClosed = closed;
    changed.push({ ...this.#bar(start), closed });
    return changed;
  }

  /** Keeps the parts of the newest bar and of the one before it, which late ticks may amend. */
  #advance(start: number): void {
    if (start <= this.#newest) return;
    this.#kept = Math.min(this.#newest < 0 ? start : this.#newest, this.startOf(start - AMENDABLE_SECONDS));
    for (const time of this.#parts.keys()) if (time < this.#kept) this.#parts.delete(time);
    this.#newest = start;
    this.#isClosed = false;
  }

  #bar(start: number): BarPrices {
    const end = this.endOf(start);
    const parts = [...this.#parts.values()].filter(({ time }) => time >= start && time < end);
    parts.sort((one, other) => one.time - other.time);
    return {
      time: start,
      open: parts[0]!.open,
      high: Math.max(...parts.map(({ high }) => high)),
      low: Math.min(...parts.map(({ low }) => low)),
      close: parts.at(-1)!.close,
      volume: Math.round(parts.reduce((sum, { volume }) => sum + volume, 0) * 1e8) / 1e8,
    };
  }
}

/** Bars of the last ten minutes can still be amended by late ticks, in seconds; one more for the end of the minute. */
export const AMENDABLE_SECONDS = 660;

function lengthOf(interval: string): number | '1w' | '1M' {
  if (interval === '1w' || interval === '1M') return interval;
  const match = /^([1-9]\d{0,3})([mh])$/.exec(interval);
  const seconds = match ? Number(match[1]) * UNIT_SECONDS[match[2]!]! : 0;
  if (seconds > 0 && seconds <= DAY) return seconds;
  throw new RangeError(
    `\`timeframe\` must be minutes or hours up to a day, such as 2m or 3h, or 1d, 1w or 1M, not ${interval}`,
  );
}
