// The parts of the order flow in the chart.
import type { ChartHost, ChartPart } from '../frame/chart-part.ts';
import type { FlowSettings } from './flow-choices.ts';

/** What a part sees. */
export interface FlowContext {
  readonly host: ChartHost;
  readonly settings: FlowSettings;
  /** Shows why something cannot be drawn; '' removes it. */
  readonly note: (of: string, text: string) => void;
}

/** A part that can be switched on and off. */
export interface FlowPart extends ChartPart {
  /** The choices have changed. */
  apply(): void;
}
