// The recent prices of an instrument in a few dozen points, enough for a sparkline. The points get coarser as the trail gets
// longer, until it spans a day; then the oldest ones are dropped. Times are milliseconds since the epoch.

export interface TrailPoint {
  readonly time: number;
  readonly price: number;
}

export const MOST_POINTS = 64;
const FINEST_MS = 5_000;
export const SPAN_MS = 24 * 3_600_000;
const COARSEST_MS = SPAN_MS / MOST_POINTS;

export class PriceTrail {
  #points: TrailPoint[] = [];
  /** Minimum distance between two points. */
  #stepMs = FINEST_MS;

  get points(): readonly TrailPoint[] {
    return this.#points;
  }

  /** The last point moves with the price until it is a step away from the previous one. */
  add(time: number, price: number): void {
    const before = this.#points.at(-2);
    const last = this.#points.at(-1);
    if (last && time < last.time) return;
    if (before && last && last.time - before.time < this.#stepMs) this.#points.pop();
    this.#points.push({ time, price });
    while (this.#points[0] && this.#points[0].time < time - SPAN_MS) this.#points.shift();
    if (this.#points.length > MOST_POINTS) this.#coarsen();
  }

  /** Inserts points from the service before the live ones. */
  seed(points: readonly TrailPoint[]): void {
    const seen = this.#points;
    this.#points = [];
    this.#stepMs = FINEST_MS;
    const from = seen[0]?.time ?? Number.POSITIVE_INFINITY;
    for (const { time, price } of points) if (time < from) this.add(time, price);
    for (const { time, price } of seen) this.add(time, price);
  }

  #coarsen(): void {
    if (this.#stepMs >= COARSEST_MS) {
      this.#points.shift();
      return;
    }
    this.#stepMs = Math.min(COARSEST_MS, this.#stepMs * 2);
    const points = this.#points;
    this.#points = [];
    const last = points.pop();
    for (const point of points) {
      const kept = this.#points.at(-1);
      if (!kept || point.time - kept.time >= this.#stepMs) this.#points.push(point);
    }
    // The current price always stays.
    if (last) this.#points.push(last);
    if (this.#points.length > MOST_POINTS) this.#coarsen();
  }
}
