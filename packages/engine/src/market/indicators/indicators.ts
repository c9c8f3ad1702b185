// All indicators, and the one way to run them: bar by bar. A whole history is the same run over many bars.
import { type DayStart, intervalAt, UTC_DAY } from '../chart-interval.ts';
import { EMA, LINEAR_REGRESSION, SMA, STANDARD_DEVIATION, WMA } from './averages.ts';
import { ATR, BOLLINGER, DONCHIAN, ICHIMOKU, KELTNER } from './channels.ts';
import type { IndicatorBar, IndicatorContext, IndicatorDefinition, IndicatorRun, InputValues } from './indicator.ts';
import { CCI, MACD, MFI, ROC, RSI, STOCHASTIC, WILLIAMS_R } from './momentum.ts';
import { CVD, OBV, PIVOTS, VWAP } from './totals.ts';
import { ADX, PARABOLIC_SAR, SUPERTREND } from './trend.ts';

export const INDICATORS: ReadonlyMap<string, IndicatorDefinition> = new Map(
  [
    SMA,
    EMA,
    WMA,
    VWAP,
    RSI,
    MACD,
    BOLLINGER,
    ATR,
    KELTNER,
    DONCHIAN,
    SUPERTREND,
    STOCHASTIC,
    ADX,
    CCI,
    MFI,
    OBV,
    ICHIMOKU,
    PARABOLIC_SAR,
    WILLIAMS_R,
    ROC,
    STANDARD_DEVIATION,
    LINEAR_REGRESSION,
    PIVOTS,
    CVD,
  ].map((definition) => [definition.name, definition]),
);

export const defaultInputs = ({ inputs }: IndicatorDefinition): InputValues =>
  Object.fromEntries(inputs.map(({ name, default: value }) => [name, value]));

export interface IndicatorValues {
  /** In the order of the definition's lines; `NaN` where there are too few bars. */
  readonly values: readonly number[];
  /** The values are those of any longer history, except for at most a ten-billionth. */
  readonly settled: boolean;
}

export class IndicatorSeries {
  readonly #run: IndicatorRun;
  readonly #settledAfter: number;
  #count = 0;

  constructor(definition: IndicatorDefinition, inputs: InputValues, context: IndicatorContext = chartContext(UTC_DAY)) {
    this.#run = definition.start(inputs, context);
    this.#settledAfter = definition.settledAfter(inputs);
  }

  /** Adds a bar that is complete. */
  add(bar: IndicatorBar): IndicatorValues {
    this.#count++;
    return this.#values(this.#run.update(bar, true), this.#count);
  }

  /** The values if the bar that is forming closed now. Adds nothing. */
  preview(bar: IndicatorBar): IndicatorValues {
    return this.#values(this.#run.update(bar, false), this.#count + 1);
  }

  #values(values: readonly number[], count: number): IndicatorValues {
    const settled = this.#run.settled ?? count >= this.#settledAfter;
    return { values, settled: settled && !values.some(Number.isNaN) };
  }
}

/** Days, weeks and months as a chart has them. */
export const chartContext = (day: DayStart, startsAtAnchor = false): IndicatorContext => ({
  periodStart: (time, period) => intervalAt(time, { unit: period }, day).start,
  startsAtAnchor,
});
