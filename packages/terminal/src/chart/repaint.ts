// Draws a chart again after one of its layers has changed.
import type { SeriesAttachedParameter, SeriesType, Time } from 'lightweight-charts';

/**
 * `rescaled`: the layer needs another range of prices or other margins. Only then is the library asked for a whole update: it
 * measures every pane anew, calculates all scales once per pane, and draws the chart a second time in the next frame.
 */
export function repaint(host: SeriesAttachedParameter<Time, SeriesType> | null, rescaled = false): void {
  if (rescaled) host?.requestUpdate();
  else host?.series.applyOptions({});
}
