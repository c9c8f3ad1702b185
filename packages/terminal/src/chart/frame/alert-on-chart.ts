// What an alert that is set or changed on the chart starts with.
import type { IPaneApi, Time } from 'lightweight-charts';
import type { LevelSeries } from '../layers/level-lines.ts';

/** The pane of an indicator, and the series whose values it shows. */
export interface ValuePane {
  readonly pane: IPaneApi<Time>;
  readonly series: LevelSeries;
  readonly round: (value: number) => number;
  /** False once the indicator was removed or hidden. */
  readonly isShown: () => boolean;
}

export interface AlertOnChart {
  /** The alert to change; without it, a new one. */
  readonly id?: string;
  /** Texts of the fields of a new one, by the names that the form has: `type`, `level`, `indicator`. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Levels to choose from, such as those of a retracement. */
  readonly levels?: readonly { readonly name: string; readonly price: number }[];
  /** Where the value of a condition on an indicator is a line to drag. */
  readonly values?: ValuePane;
}
