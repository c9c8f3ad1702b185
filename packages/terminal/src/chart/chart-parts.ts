// The parts of a chart, in the order of their controls in the toolbar.

import { ChartTypePart } from './chart-type-part.ts';
import { ComparePart } from './compare-part.ts';
import { newDrawings } from './drawing/drawing-part.ts';
import type { NewChartPart } from './frame/chart-part.ts';
import { IndicatorsPart } from './indicators/indicators-part.ts';
import { OrderFlowPart } from './order-flow/order-flow-part.ts';
import { newPublishing } from './publish/publish-part.ts';
import { ScalePart } from './scale-part.ts';
import { SignalsPart } from './signals-part.ts';
import { newUndo } from './undo-part.ts';
import { newViewTools } from './view-tools-part.ts';

export const CHART_PARTS: readonly NewChartPart[] = [
  (host) => new ChartTypePart(host),
  (host) => new IndicatorsPart(host),
  newDrawings,
  (host) => new OrderFlowPart(host),
  (host) => new ComparePart(host),
  (host) => new SignalsPart(host),
  newPublishing,
];

/** Parts whose controls are at the right end. */
export const VIEW_PARTS: readonly NewChartPart[] = [newUndo, (host) => new ScalePart(host), newViewTools];
