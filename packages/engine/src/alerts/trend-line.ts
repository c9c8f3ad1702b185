// A straight line over bars, as a chart draws it: a price at one bar, and the same change with each bar after it. Where the market
// is closed there are no bars, so the line does not move. The value is how far the close of the newest bar is above the line, in
// ticks.
import { parseInstant, TIMEFRAME_MS, type TrendLineCondition } from '@tickwire/contract';
import type { Bar } from '../market/events.ts';
import { toTicks } from '../market/price.ts';
import type { EpochMs } from '../market/time.ts';
import { MAX_WARM_UP_BARS } from './alert.ts';
import { ValueStream } from './value-stream.ts';

/** The newest bar: its position on the line, when it began, and its close. */
export interface SavedTrendLine {
  readonly bars: number;
  readonly newest: number;
  readonly close: number;
}

/** Noise of fractions is not a crossing. Parts of a tick. */
const PRECISION = 1e6;

export class TrendLine {
  readonly stream = new ValueStream();
  /** Of the newest bar. */
  close = Number.NaN;
  readonly #start: number;
  readonly #price: number;
  readonly #perBar: number;
  readonly #intervalMs: number;
  readonly #digits: number;
  /** Position of the newest bar: 0 is the first one at or after the start. */
  #bars: number;
  #newest = Number.NEGATIVE_INFINITY;

  /** `since`: when the alert was set, which is in the bar after the newest closed one. */
  constructor({ time, price, per_bar, interval }: TrendLineCondition, digits: number, since: EpochMs) {
    this.#start = parseInstant(time)!;
    this.#price = price;
    this.#perBar = per_bar;
    this.#intervalMs = TIMEFRAME_MS[interval];
    this.#digits = digits;
    // Nobody knows which bars there will be until a start in the future.
    this.#bars = -1 - Math.max(0, Math.ceil((this.#start - since) / this.#intervalMs));
  }

  /** Counts the bars from the start to the last that closed before the alert was set. */
  warmUp(closed: readonly Bar[]): void {
    const newest = closed.at(-1);
    if (!newest) return;
    const passed = closed.filter(({ time }) => time >= this.#start);
    if (passed.length > 0) this.#bars = this.#unread(passed) + passed.length - 1;
    this.#newest = newest.time;
    this.#setClose(newest.close);
  }

  /** Returns whether the bar counts: an amended bar does if it is the newest one. */
  read({ time, close }: Bar): boolean {
    if (time < this.#newest) return false;
    if (time > this.#newest) {
      const next = this.#bars + 1;
      this.#bars = time < this.#start ? Math.min(-1, next) : Math.max(0, next);
    }
    this.#newest = time;
    this.#setClose(close);
    return true;
  }

  save(): SavedTrendLine | null {
    if (this.#newest === Number.NEGATIVE_INFINITY) return null;
    return { bars: this.#bars, newest: this.#newest, close: this.close };
  }

  restore({ bars, newest, close }: SavedTrendLine): void {
    this.#bars = bars;
    this.#newest = newest;
    this.#setClose(close);
  }

  /** Bars before those that were read, if the start is too far back to read all. */
  #unread({ length, 0: first }: readonly Bar[]): number {
    return length < MAX_WARM_UP_BARS ? 0 : Math.round((first!.time - this.#start) / this.#intervalMs);
  }

  #setClose(close: number): void {
    this.close = close;
    const level = (this.#price + this.#perBar * this.#bars) * 10 ** this.#digits;
    this.stream.value = Math.round((toTicks(close, this.#digits) - level) * PRECISION) / PRECISION;
  }
}
