// Averages, sums and extremes of a series that grows at its end. `step` gives the figure with one more value; only a final
// value is kept, so that a forming bar can be replaced. `NaN` until there are enough values. `save` remembers the state.
import { type Restore, saveAll } from './indicator.ts';

/** The last values of a series. */
export class Window {
  readonly length: number;
  readonly #values: Float64Array;
  #count = 0;
  #next = 0;

  constructor(length: number) {
    this.length = length;
    this.#values = new Float64Array(length);
  }

  /** Number of values kept. */
  get count(): number {
    return this.#count;
  }

  push(value: number): void {
    this.#values[this.#next] = value;
    this.#next = this.#next + 1 === this.length ? 0 : this.#next + 1;
    if (this.#count < this.length) this.#count++;
  }

  save(): Restore {
    const [values, count, next] = [this.#values.slice(), this.#count, this.#next];
    return () => {
      this.#values.set(values);
      this.#count = count;
      this.#next = next;
    };
  }

  /** Sum of the newest `length − 1` values, oldest first, and `value`. */
  sumWith(value: number): number {
    const values = this.#values;
    let sum = 0;
    for (let at = this.#next + 1; at < values.length; at++) sum += values[at]!;
    for (let at = 0; at < this.#next; at++) sum += values[at]!;
    return sum + value;
  }

  /** The newest `length − 1` values, oldest first, then `value`: what the window would hold after pushing it. */
  with(value: number, into: Float64Array): Float64Array {
    let at = this.#next + 1;
    for (let index = 0; index < this.length - 1; index++, at++) {
      if (at >= this.length) at -= this.length;
      into[index] = this.#values[at]!;
    }
    into[this.length - 1] = value;
    return into;
  }
}

/** The values of a window including the one of the current step, oldest first. */
export class Recent {
  readonly #window: Window;
  readonly #values: Float64Array;

  constructor(length: number) {
    this.#window = new Window(length);
    this.#values = new Float64Array(length);
  }

  /** `null` until there are enough values. The array is reused by the next step. */
  step(value: number, final: boolean): Float64Array | null {
    const isFull = this.#window.count >= this.#window.length - 1;
    const values = isFull ? this.#window.with(value, this.#values) : null;
    if (final) this.#window.push(value);
    return values;
  }

  save(): Restore {
    return this.#window.save();
  }
}

/** Sum of the last values. Added up again each time: the result depends on these values alone, to the last digit. */
export class Sum {
  readonly #window: Window;

  constructor(length: number) {
    this.#window = new Window(length);
  }

  step(value: number, final: boolean): number {
    const window = this.#window;
    const sum = window.count >= window.length - 1 ? window.sumWith(value) : Number.NaN;
    if (final) window.push(value);
    return sum;
  }

  save(): Restore {
    return this.#window.save();
  }
}

/** Simple moving average. */
export class Mean {
  readonly #sum: Sum;
  readonly #length: number;

  constructor(length: number) {
    this.#sum = new Sum(length);
    this.#length = length;
  }

  step(value: number, final: boolean): number {
    return this.#sum.step(value, final) / this.#length;
  }

  save(): Restore {
    return this.#sum.save();
  }
}

/** An average that gives the newest value a fixed weight and starts with the mean of the first values. */
export class Smoothed {
  readonly #length: number;
  readonly #weight: number;
  #count = 0;
  #sum = 0;
  #value = Number.NaN;

  constructor(length: number, weight: number) {
    this.#length = length;
    this.#weight = weight;
  }

  step(value: number, final: boolean): number {
    if (this.#count >= this.#length) {
      const next = this.#value + this.#weight * (value - this.#value);
      if (final) this.#value = next;
      return next;
    }
    const sum = this.#sum + value;
    const next = this.#count + 1 === this.#length ? sum / this.#length : Number.NaN;
    if (final) {
      this.#sum = sum;
      this.#count++;
      this.#value = next;
    }
    return next;
  }

  save(): Restore {
    const [count, sum, value] = [this.#count, this.#sum, this.#value];
    return () => {
      this.#count = count;
      this.#sum = sum;
      this.#value = value;
    };
  }
}

/** Exponential moving average. */
export const ema = (length: number): Smoothed => new Smoothed(length, 2 / (length + 1));
/** Wilder's average. */
export const wilder = (length: number): Smoothed => new Smoothed(length, 1 / length);

interface Series {
  step(value: number, final: boolean): number;
  save(): Restore;
}

/** A series that starts when its first value is known. */
export class AfterStart {
  readonly #series: Series;

  constructor(series: Series) {
    this.#series = series;
  }

  step(value: number, final: boolean): number {
    return Number.isNaN(value) ? Number.NaN : this.#series.step(value, final);
  }

  save(): Restore {
    return this.#series.save();
  }
}

/** Highest of the last values. For the lowest, negate the values. */
export class Highest {
  /** The newest `length − 1` values. */
  readonly #kept: Float64Array;
  #count = 0;
  #next = 0;
  /** The highest of them, and its place. */
  #best = Number.NEGATIVE_INFINITY;
  #bestAt = -1;

  constructor(length: number) {
    this.#kept = new Float64Array(length - 1).fill(Number.NEGATIVE_INFINITY);
  }

  step(value: number, final: boolean): number {
    const highest = this.#count < this.#kept.length ? Number.NaN : value > this.#best ? value : this.#best;
    if (final) this.#keep(value);
    return highest;
  }

  save(): Restore {
    const [kept, count, next, best, bestAt] = [this.#kept.slice(), this.#count, this.#next, this.#best, this.#bestAt];
    return () => {
      this.#kept.set(kept);
      this.#count = count;
      this.#next = next;
      this.#best = best;
      this.#bestAt = bestAt;
    };
  }

  #keep(value: number): void {
    const kept = this.#kept;
    if (kept.length === 0) return;
    const at = this.#next;
    kept[at] = value;
    this.#next = at + 1 === kept.length ? 0 : at + 1;
    if (this.#count < kept.length) this.#count++;
    if (value >= this.#best) {
      this.#best = value;
      this.#bestAt = at;
    } else if (at === this.#bestAt) this.#findBest();
  }

  /** The highest value has left. */
  #findBest(): void {
    const kept = this.#kept;
    this.#bestAt = 0;
    for (let at = 1; at < kept.length; at++) if (kept[at]! > kept[this.#bestAt]!) this.#bestAt = at;
    this.#best = kept[this.#bestAt]!;
  }
}

/** Highest high and lowest low of the last bars. */
export class PriceRange {
  low = Number.NaN;
  high = Number.NaN;
  readonly #highs: Highest;
  readonly #lows: Highest;

  constructor(length: number) {
    this.#highs = new Highest(length);
    this.#lows = new Highest(length);
  }

  step({ high, low }: { readonly high: number; readonly low: number }, final: boolean): this {
    this.high = this.#highs.step(high, final);
    this.low = -this.#lows.step(-low, final);
    return this;
  }

  save(): Restore {
    return saveAll([this.#highs, this.#lows]);
  }

  get middle(): number {
    return (this.high + this.low) / 2;
  }
}

export function mean(values: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at]!;
  return sum / values.length;
}

/** Standard deviation of the values as a whole population. */
export const deviation = (values: Float64Array): number => spread(values, mean(values));

/** Root of the mean squared distance from `middle`. */
export function spread(values: Float64Array, middle: number): number {
  let squares = 0;
  for (let at = 0; at < values.length; at++) {
    const distance = values[at]! - middle;
    squares += distance * distance;
  }
  return Math.sqrt(squares / values.length);
}

/** The value of a series before the current step. */
export class Previous {
  #value = Number.NaN;

  step(value: number, final: boolean): number {
    const previous = this.#value;
    if (final) this.#value = value;
    return previous;
  }

  save(): Restore {
    const value = this.#value;
    return () => {
      this.#value = value;
    };
  }
}

interface HighLowClose {
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** True range: the range of a bar, extended to the close before it. `NaN` for the first bar. */
export class TrueRange {
  readonly #close = new Previous();

  step({ high, low, close }: HighLowClose, final: boolean): number {
    const before = this.#close.step(close, final);
    return Math.max(high - low, Math.abs(high - before), Math.abs(low - before));
  }

  save(): Restore {
    return this.#close.save();
  }
}

/** Average true range. */
export class AverageTrueRange {
  readonly #range = new TrueRange();
  readonly #average: AfterStart;

  constructor(length: number) {
    this.#average = new AfterStart(wilder(length));
  }

  step(bar: HighLowClose, final: boolean): number {
    return this.#average.step(this.#range.step(bar, final), final);
  }

  save(): Restore {
    return saveAll([this.#range, this.#average]);
  }
}
