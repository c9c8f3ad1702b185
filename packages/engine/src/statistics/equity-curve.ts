// The cumulative R of a publisher after each ranked signal. A long curve is thinned as it grows, so that neither its memory nor
// the cost of reading it depends on the number of signals. Internal figures are in units of 1e-4 R.
//
// Up to 500 signals, every point is kept. Beyond that, the signals are divided from the first one into segments of 2^k, with
// the smallest k that gives at most 248 segments. Kept are the lowest and the highest total of each segment (the earliest if
// several are equal), the first and the last point, and the peak and the trough of the largest drawdown.
import type { EpochMs } from '../market/time.ts';
import { UNITS_PER_R } from './ranking-signal.ts';

export const MAX_CURVE_POINTS = 500;
/** Two points of each segment and four of the whole curve make 500. Even, because segments merge in pairs. */
const MAX_SEGMENTS = (MAX_CURVE_POINTS - 4) / 2;

export interface EquityPoint {
  readonly at: EpochMs;
  readonly r: number;
  readonly totalR: number;
  /** Other signals that were open at this closing. */
  readonly open: number;
}

interface Point {
  readonly index: number;
  readonly at: EpochMs;
  readonly units: number;
  readonly total: number;
  readonly open: number;
}

interface Segment {
  low: Point;
  high: Point;
}

/** Largest fall from a peak. The curve starts at a total of 0. */
export class Drawdown<P extends { readonly total: number }> {
  #high: P | null = null;
  depth = 0;
  /** `null` if it fell from the start. */
  peak: P | null = null;
  trough: P | null = null;

  /** Highest total so far, at least 0. */
  get high(): number {
    return this.#high?.total ?? 0;
  }

  add(point: P): void {
    const { high } = this;
    if (point.total > high) this.#high = point;
    else if (high - point.total > this.depth) {
      this.depth = high - point.total;
      this.peak = this.#high;
      this.trough = point;
    }
  }
}

export class EquityCurve {
  /** All points, up to MAX_CURVE_POINTS. */
  #all: Point[] = [];
  #first: Point | null = null;
  #last: Point | null = null;
  readonly #drawdown = new Drawdown<Point>();
  #segments: Segment[] = [];
  #segmentLength = 1;

  add(at: EpochMs, units: number, open: number): void {
    const index = this.#last ? this.#last.index + 1 : 0;
    const point: Point = { index, at, units, total: (this.#last?.total ?? 0) + units, open };
    this.#first ??= point;
    this.#last = point;
    this.#drawdown.add(point);
    if (index < MAX_CURVE_POINTS) this.#all.push(point);
    else this.#all = [];
    if (index === MAX_SEGMENTS * this.#segmentLength) this.#merge();
    if (index % this.#segmentLength === 0) this.#segments.push({ low: point, high: point });
    else widen(this.#segments.at(-1)!, point, point);
  }

  points(): EquityPoint[] {
    return this.#kept().map(({ at, units, total, open }) => ({
      at,
      r: units / UNITS_PER_R,
      totalR: total / UNITS_PER_R,
      open,
    }));
  }

  #kept(): Point[] {
    if (!this.#last || this.#last.index < MAX_CURVE_POINTS) return this.#all;
    const ends = [this.#first, this.#last, this.#drawdown.peak, this.#drawdown.trough].filter(
      (point) => point !== null,
    );
    const kept = new Set([...ends, ...this.#segments.flatMap(({ low, high }) => [low, high])]);
    return [...kept].sort((a, b) => a.index - b.index);
  }

  #merge(): void {
    this.#segmentLength *= 2;
    const pairs: Segment[] = [];
    for (let i = 0; i < this.#segments.length; i += 2) {
      const segment = this.#segments[i]!;
      const next = this.#segments[i + 1]!;
      widen(segment, next.low, next.high);
      pairs.push(segment);
    }
    this.#segments = pairs;
  }
}

/** Extends a segment by later points. */
function widen(segment: Segment, low: Point, high: Point): void {
  if (low.total < segment.low.total) segment.low = low;
  if (high.total > segment.high.total) segment.high = high;
}
