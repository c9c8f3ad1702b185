// Order flow of the selected instrument, one point per second of the last minutes.
import type { OrderFlowTick } from '@tickwire/client';

export interface FlowPoint {
  /** Unix seconds. */
  readonly time: number;
  /** Buying less selling volume within this second. */
  readonly delta: number;
  /** Since 00:00 UTC, at the end of this second. */
  readonly cumulative: number;
}

export const WINDOW_SECONDS = 300;

export class FlowSeries {
  readonly #points: FlowPoint[] = [];

  get points(): readonly FlowPoint[] {
    return this.#points;
  }

  add(tick: Pick<OrderFlowTick, 'time' | 'delta' | 'cumulative_delta'>): void {
    const last = this.#points.at(-1);
    // A venue's clock may step back; the volume belongs to the point at hand all the same.
    const time = Math.max(tick.time, last?.time ?? tick.time);
    const before = last?.time === time ? this.#points.pop() : undefined;
    this.#points.push({ time, delta: (before?.delta ?? 0) + tick.delta, cumulative: tick.cumulative_delta });
    while (this.#points[0]!.time < time - WINDOW_SECONDS) this.#points.shift();
  }
}
