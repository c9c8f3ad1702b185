// The code of the chart's parts that is not part of the first load. One module, because each further one would split the first load
// as well.
export { showPerpetual } from '../order-flow/perpetual-figures.ts';
export { openTypePanel } from './chart-type-panel.ts';
export { ComparedInstruments } from './compared-instruments.ts';
export { drawingPanel } from './drawing/drawing-panel.ts';
export { DrawingTools } from './drawing/drawing-tools.ts';
export { openIntervalMenu } from './frame/interval-menu.ts';
export { showIndicatorPanel } from './indicators/indicator-panel.ts';
export { LiquidationsPart } from './liquidations-part.ts';
export { openFlowSettings } from './order-flow/flow-settings.ts';
export { FootprintPart } from './order-flow/footprint-part.ts';
export { ProfilePart } from './order-flow/profile-part.ts';
export { PriceDisplay } from './price-display.ts';
export { PublishTicket, startOf } from './publish/publish-ticket.ts';
export { openScalePanel } from './scale-panel.ts';
export { AlertTicket } from './ticket/alert-ticket.ts';
export { openDatePanel, openSaveMenu } from './view-panels.ts';
