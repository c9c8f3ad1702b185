// Averages, sums and extremes of a series that grows at its end. `step` gives the figure with one more value; only a final
// value is kept, so that a forming bar can be replaced. `NaN` until there are enough values.

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

  get isFull(): boolean {
    return this.#count === this.length;
  }

  /** Number of values kept. */
  get count(): number {
    return this.#count;
  }

  /** The oldest value, which the next one replaces. Only if the window is full. */
  get oldest(): number {
    return this.#values[this.#next]!;
  }

  push(value: number): void {
    this.#values[this.#next] = value;
    this.#next = this.#next + 1 === this.length ? 0 : this.#next + 1;
    if (this.#count < this.length) this.#count++;
  }

  /** Highest of the newest `length − 1` values and `value`. */
  highestWith(value: number): number {
    let most = value;
    const values = this.#values;
    // A place that was never written is the one that `value` would take.
    for (let at = 0; at < values.length; at++) if (values[at]! > most && at !== this.#next) most = values[at]!;
    return most;
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
}

/** Sum of the last values. */
export class Sum {
  readonly #window: Window;
  #sum = 0;
  #sinceExact = 0;
  readonly #values: Float64Array;

  constructor(length: number) {
    this.#window = new Window(length);
    this.#values = new Float64Array(length);
  }

  step(value: number, final: boolean): number {
    const window = this.#window;
    const sum = this.#sum + value - (window.isFull ? window.oldest : 0);
    const enough = window.count >= window.length - 1;
    if (final) this.#keep(value, sum);
    return enough ? sum : Number.NaN;
  }

  /** Adds up the window anew once in a while, because the errors of rounding would grow with the number of values. */
  #keep(value: number, sum: number): void {
    const window = this.#window;
    this.#sum = sum;
    if (++this.#sinceExact >= window.length && window.isFull) {
      this.#sinceExact = 0;
      this.#sum = 0;
      for (const each of window.with(value, this.#values)) this.#sum += each;
    }
    window.push(value);
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
}

/** Exponential moving average. */
export const ema = (length: number): Smoothed => new Smoothed(length, 2 / (length + 1));
/** Wilder's average. */
export const wilder = (length: number): Smoothed => new Smoothed(length, 1 / length);

/** A series that starts when its first value is known. */
export class AfterStart {
  readonly #series: { step(value: number, final: boolean): number };

  constructor(series: { step(value: number, final: boolean): number }) {
    this.#series = series;
  }

  step(value: number, final: boolean): number {
    return Number.isNaN(value) ? Number.NaN : this.#series.step(value, final);
  }
}

/** Highest of the last values. For the lowest, negate the values. */
export class Highest {
  readonly #window: Window;

  constructor(length: number) {
    this.#window = new Window(length);
  }

  step(value: number, final: boolean): number {
    const highest = this.#window.count >= this.#window.length - 1 ? this.#window.highestWith(value) : Number.NaN;
    if (final) this.#window.push(value);
    return highest;
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
export function deviation(values: Float64Array): number {
  const middle = mean(values);
  let squares = 0;
  for (let at = 0; at < values.length; at++) squares += (values[at]! - middle) ** 2;
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
}
