// What draws one indicator: over the prices, or in a separate pane.
import type { IPaneApi, Time } from 'lightweight-charts';
import type { ChartCandle } from '../bars/chart-bars.ts';
import type { LevelSeries } from '../layers/level-lines.ts';
import type { IndicatorValues } from './indicator-values.ts';

export interface IndicatorLines {
  /** `null` over the prices. */
  readonly pane: IPaneApi<Time> | null;
  /** Whose scale the values in the own pane have; `null` if there is none. */
  readonly levelSeries: LevelSeries | null;
  /** Draws the bars from an index on, all of them for 0. */
  draw(candles: readonly ChartCandle[], values: IndicatorValues, from: number): void;
  /** Called for another instrument: its values are not loaded yet. */
  clear(): void;
  /** Name of the line within a few pixels of a place in the pane of the prices; `null` if there is none. */
  lineAt(x: number, y: number, reach: number): string | null;
  /** The value at a height of the own pane, in pixels from its top. */
  valueAt(y: number): number | null;
  remove(): void;
}
