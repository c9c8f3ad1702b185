// The parts of a chart, in the order of their controls in the toolbar. Those that do not fit are in its menu: the last ones first.

import { ChartTypePart } from './chart-type-part.ts';
import { newCompare } from './compare-part.ts';
import { newDrawings } from './drawing/drawing-part.ts';
import type { NewChartPart } from './frame/chart-part.ts';
import { IndicatorsPart } from './indicators/indicators-part.ts';
import { newLiquidations } from './liquidations.ts';
import { OrderFlowPart } from './order-flow/order-flow-part.ts';
import { newReplay } from './replay-part.ts';
import { ScalePart } from './scale-part.ts';
import { SignalsPart } from './signals-part.ts';
import { newUndo } from './undo-part.ts';
import { newViewTools } from './view-tools-part.ts';

/** Before the buttons of alerts and of publishing. */
export const FIRST_PARTS: readonly NewChartPart[] = [
  (host) => new ChartTypePart(host),
  (host) => new IndicatorsPart(host),
  newDrawings,
];

export const CHART_PARTS: readonly NewChartPart[] = [
  newReplay,
  (host) => new OrderFlowPart(host),
  newLiquidations,
  newCompare,
  (host) => new SignalsPart(host),
];

/** Parts whose controls are at the right end or in the menu. */
export const VIEW_PARTS: readonly NewChartPart[] = [newUndo, (host) => new ScalePart(host), newViewTools];
