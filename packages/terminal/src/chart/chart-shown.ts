// What the chart shows besides bars: active signals, headlines, economic events and alerts.

import type { ChartAlert } from './alert-lines.ts';
import type { ChartEvent, ChartNews, ChartSignal } from './bar-marks.ts';

export interface Shown {
  /** Active signals of the instrument, newest first. */
  readonly signals: readonly ChartSignal[];
  /** News about the instrument. */
  readonly news: readonly ChartNews[];
  /** Economic events that affect the instrument. */
  readonly events: readonly ChartEvent[];
  /** Active alerts of the instrument that have a level. */
  readonly alerts: readonly ChartAlert[];
}

export const NOTHING_SHOWN: Shown = { signals: [], news: [], events: [], alerts: [] };
