// The code of the chart's parts that is not part of the first load. One module, because each further one would split the first load
// as well.
export { openComparePanel } from './compare-panel.ts';
export { drawingPanel } from './drawing/drawing-panel.ts';
export { DrawingTools } from './drawing/drawing-tools.ts';
export { showIndicatorPanel } from './indicators/indicator-panel.ts';
export { openFlowSettings } from './order-flow/flow-settings.ts';
export { FootprintPart } from './order-flow/footprint-part.ts';
export { ProfilePart } from './order-flow/profile-part.ts';
export { PriceDisplay } from './price-display.ts';
export { PublishTicket } from './publish/publish-ticket.ts';
export { openDatePanel, openSaveMenu } from './view-panels.ts';
