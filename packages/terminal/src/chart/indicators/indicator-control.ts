// What the panel of the toolbar needs of the indicators of a chart.
import type { IndicatorList } from '@tickwire/client';
import type { IndicatorChoice } from './indicator-choice.ts';

export interface IndicatorsControl {
  readonly choices: () => readonly IndicatorChoice[];
  /** Replaces the list, as one step that can be undone. */
  readonly change: (next: readonly IndicatorChoice[]) => void;
  readonly catalogue: () => Promise<IndicatorList>;
  readonly problemOf: (choice: IndicatorChoice) => string;
  readonly alert: (choice: IndicatorChoice) => void;
  readonly undo: () => void;
  /** Called after each change, until the signal is aborted. */
  readonly onChange: (signal: AbortSignal, listener: () => void) => void;
}
