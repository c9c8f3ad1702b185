// One pane of a chart as high as the chart. The library cannot hide the others: they keep a trace of their height. The style sheet
// hides the legend of the prices over a pane below them.
import type { IChartApi, IPaneApi, Time } from 'lightweight-charts';

type Pane = Pick<IPaneApi<Time>, 'getStretchFactor' | 'setStretchFactor'>;
interface Chart extends Pick<IChartApi, 'chartElement'> {
  panes(): readonly Pane[];
}

const TRACE = 1e-6;
/** Of a pane that was added meanwhile, relative to the prices. */
const NEW_SHARE = 0.25;

/** Heights before. */
const heights = new WeakMap<Chart, ReadonlyMap<Pane, number>>();

/** Gives the panes their heights back. False if none is maximised. */
export function restorePanes(chart: Chart): boolean {
  const before = heights.get(chart);
  if (!before) return false;
  heights.delete(chart);
  markHidden(chart, false);
  const panes = chart.panes();
  const usual = (before.get(panes[0]!) ?? 1) * NEW_SHARE;
  for (const pane of panes) pane.setStretchFactor(before.get(pane) ?? usual);
  return true;
}

/** Maximises a pane, or restores all panes if one is maximised. */
export function toggleMaximised(chart: Chart, pane: Pane): void {
  const panes = chart.panes();
  if (restorePanes(chart) || panes.length < 2) return;
  heights.set(chart, new Map(panes.map((each) => [each, each.getStretchFactor()])));
  for (const each of panes) each.setStretchFactor(each === pane ? 1 : TRACE);
  markHidden(chart, pane !== panes[0]);
}

const markHidden = (chart: Chart, areHidden: boolean): unknown =>
  chart.chartElement().parentElement?.toggleAttribute('data-prices-hidden', areHidden);
