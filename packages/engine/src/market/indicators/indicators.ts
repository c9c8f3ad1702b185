// All indicators, and the one way to run them: bar by bar. A whole history is the same run over many bars.
import {
  INDICATOR_CATALOGUE,
  type IndicatorEntry,
  type IndicatorName,
  type IndicatorSpec,
  type InputValues,
} from '@tickwire/contract';
import { type DayStart, intervalAt, UTC_DAY } from '../chart-interval.ts';
import { EMA, LINEAR_REGRESSION, SMA, STANDARD_DEVIATION, WMA } from './averages.ts';
import { ATR, BOLLINGER, DONCHIAN, ICHIMOKU, KELTNER } from './channels.ts';
import type {
  HistoryNeed,
  IndicatorBar,
  IndicatorContext,
  IndicatorDefinition,
  IndicatorFormula,
  IndicatorRun,
  Restore,
} from './indicator.ts';
import { CCI, MACD, MFI, ROC, RSI, STOCHASTIC, WILLIAMS_R } from './momentum.ts';
import { CVD, OBV, PIVOTS, VWAP } from './totals.ts';
import { ADX, PARABOLIC_SAR, SUPERTREND } from './trend.ts';

const FORMULAS: Readonly<Record<IndicatorName, IndicatorFormula>> = {
  sma: SMA,
  ema: EMA,
  wma: WMA,
  vwap: VWAP,
  rsi: RSI,
  macd: MACD,
  bollinger: BOLLINGER,
  atr: ATR,
  keltner: KELTNER,
  donchian: DONCHIAN,
  supertrend: SUPERTREND,
  stochastic: STOCHASTIC,
  adx: ADX,
  cci: CCI,
  mfi: MFI,
  obv: OBV,
  ichimoku: ICHIMOKU,
  psar: PARABOLIC_SAR,
  williams: WILLIAMS_R,
  roc: ROC,
  stddev: STANDARD_DEVIATION,
  linreg: LINEAR_REGRESSION,
  pivots: PIVOTS,
  cvd: CVD,
};

export const INDICATORS: ReadonlyMap<string, IndicatorDefinition> = new Map(
  (INDICATOR_CATALOGUE as readonly (IndicatorEntry & { readonly name: IndicatorName })[]).map((entry) => [
    entry.name,
    { ...entry, ...FORMULAS[entry.name] },
  ]),
);

export const definitionOf = ({ name }: Pick<IndicatorSpec, 'name'>): IndicatorDefinition => INDICATORS.get(name)!;

/** The bars before a value on which it depends. */
export function historyNeed({ name, inputs }: IndicatorSpec): HistoryNeed {
  const { history, settledAfter } = definitionOf({ name });
  return history?.(inputs) ?? { kind: 'bars', count: settledAfter(inputs) };
}

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

  constructor(definition: IndicatorFormula, inputs: InputValues, context: IndicatorContext = chartContext(UTC_DAY)) {
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

  /** Remembers the state, so that bars added from now on can be replaced. */
  save(): Restore {
    const [restore, count] = [this.#run.save(), this.#count];
    return () => {
      restore();
      this.#count = count;
    };
  }

  #values(values: readonly number[], count: number): IndicatorValues {
    const settled = this.#run.settled ?? count >= this.#settledAfter;
    return { values, settled: settled && !hasNaN(values) };
  }
}

function hasNaN(values: readonly number[]): boolean {
  for (let at = 0; at < values.length; at++) if (Number.isNaN(values[at])) return true;
  return false;
}

/** Days, weeks and months as a chart has them. */
export const chartContext = (day: DayStart, startsAtAnchor = false): IndicatorContext => ({
  periodAt: (time, period) => intervalAt(time, { unit: period }, day),
  startsAtAnchor,
});
