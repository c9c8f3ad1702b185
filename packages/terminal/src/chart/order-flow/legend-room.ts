// How much of the chart the legend covers. Text that is drawn below it could not be read.
import type { ChartHost } from '../frame/chart-part.ts';

/** In a lower chart, hardly anything would be left for the prices. */
const MAX_SHARE = 0.3;

export class LegendRoom {
  readonly #host: ChartHost;
  #height = 0;

  constructor(host: ChartHost) {
    const { stage, signal } = host;
    this.#host = host;
    const legend = stage.querySelector('.chart-legend');
    if (!legend) return;
    const observer = new ResizeObserver(([entry]) => {
      this.#height = entry?.contentRect.height ?? 0;
    });
    observer.observe(legend);
    signal.addEventListener('abort', () => observer.disconnect(), { once: true });
  }

  /** Pixels. */
  get height(): number {
    return Math.min(this.#height, this.#host.height * MAX_SHARE);
  }
}
