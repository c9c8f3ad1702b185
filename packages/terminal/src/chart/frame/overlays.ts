// What the chart shows besides bars: active signals, headlines, economic events and alerts.

import type { ChartEvent, ChartNews, ChartSignal } from '../bars/bar-marks.ts';

/** An alert as the chart needs it. */
export interface ChartAlert {
  readonly id: string;
  readonly price: number;
  /** At the left end of its line, short. */
  readonly title: string;
}

export interface Overlays {
  /** Active signals of the instrument, newest first. */
  readonly signals: readonly ChartSignal[];
  /** News about the instrument. */
  readonly news: readonly ChartNews[];
  /** Economic events that affect the instrument. */
  readonly events: readonly ChartEvent[];
  /** Active alerts of the instrument that have a level. */
  readonly alerts: readonly ChartAlert[];
}

export const NO_OVERLAYS: Overlays = { signals: [], news: [], events: [], alerts: [] };
