// The cumulative R of a publisher, signal by signal. A long curve is thinned as it grows, so that neither its memory nor a request
// for it depends on the number of signals. Figures inside are units of 1e-4 R.
//
// The rule: up to 500 signals every point is kept. Beyond, the signals are cut, from the first, into stretches of 2^k, with the
// smallest k that gives at most 248 of them; of each stretch the lowest and the highest total are kept (the earliest where several
// are equal), besides the first point, the last one, and the peak and the trough of the largest drawdown.
import type { EpochMs } from './brands.ts';
import { UNITS_PER_R } from './signal-outcome.ts';

export const MAX_CURVE_POINTS = 500;
/** Two points of each stretch and four of the whole curve make 500. Even, because stretches merge in pairs. */
const MAX_STRETCHES = (MAX_CURVE_POINTS - 4) / 2;

export interface EquityPoint {
  readonly at: EpochMs;
  readonly r: number;
  readonly totalR: number;
}

interface Point {
  readonly index: number;
  readonly at: EpochMs;
  readonly units: number;
  readonly total: number;
}

interface Stretch {
  low: Point;
  high: Point;
}

/** Largest fall from a peak; the start counts as a total of 0. */
export class Drawdown<P extends { readonly total: number }> {
  #high: P | null = null;
  depth = 0;
  /** Null where it fell from the start. */
  peak: P | null = null;
  trough: P | null = null;

  add(point: P): void {
    const high = this.#high?.total ?? 0;
    if (point.total > high) this.#high = point;
    else if (high - point.total > this.depth) {
      this.depth = high - point.total;
      this.peak = this.#high;
      this.trough = point;
    }
  }
}

export class EquityCurve {
  /** All points, while they are few enough. */
  #whole: Point[] = [];
  #first: Point | null = null;
  #last: Point | null = null;
  readonly #drawdown = new Drawdown<Point>();
  #stretches: Stretch[] = [];
  #stretchLength = 1;

  add(at: EpochMs, units: number): void {
    const index = this.#last ? this.#last.index + 1 : 0;
    const point: Point = { index, at, units, total: (this.#last?.total ?? 0) + units };
    this.#first ??= point;
    this.#last = point;
    this.#drawdown.add(point);
    if (index < MAX_CURVE_POINTS) this.#whole.push(point);
    else this.#whole = [];
    if (index === MAX_STRETCHES * this.#stretchLength) this.#merge();
    if (index % this.#stretchLength === 0) this.#stretches.push({ low: point, high: point });
    else widen(this.#stretches.at(-1)!, point, point);
  }

  points(): EquityPoint[] {
    return this.#kept().map(({ at, units, total }) => ({ at, r: units / UNITS_PER_R, totalR: total / UNITS_PER_R }));
  }

  #kept(): Point[] {
    if (!this.#last || this.#last.index < MAX_CURVE_POINTS) return this.#whole;
    const ends = [this.#first, this.#last, this.#drawdown.peak, this.#drawdown.trough].filter(
      (point) => point !== null,
    );
    const kept = new Set([...ends, ...this.#stretches.flatMap(({ low, high }) => [low, high])]);
    return [...kept].sort((a, b) => a.index - b.index);
  }

  #merge(): void {
    this.#stretchLength *= 2;
    const pairs: Stretch[] = [];
    for (let i = 0; i < this.#stretches.length; i += 2) {
      const stretch = this.#stretches[i]!;
      const next = this.#stretches[i + 1]!;
      widen(stretch, next.low, next.high);
      pairs.push(stretch);
    }
    this.#stretches = pairs;
  }
}

/** Takes in later points. */
function widen(stretch: Stretch, low: Point, high: Point): void {
  if (low.total < stretch.low.total) stretch.low = low;
  if (high.total > stretch.high.total) stretch.high = high;
}
