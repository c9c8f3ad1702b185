// What an indicator is: a definition with inputs and lines, and a run over bars in ascending order.
import type { Bar } from '../events.ts';
import type { EpochMs } from '../time.ts';

export type IndicatorBar = Omit<Bar, 'basis' | 'partial'>;

export type PriceSource = 'open' | 'high' | 'low' | 'close' | 'hl2' | 'hlc3' | 'ohlc4';

/** Values of the inputs by name. Every input of the definition is present. */
export type InputValues = Readonly<Record<string, number | string>>;

export interface NumberInput {
  readonly name: string;
  readonly kind: 'integer' | 'number';
  readonly description: string;
  readonly default: number;
  readonly least: number;
  readonly most: number;
}

export interface ChoiceInput {
  readonly name: string;
  readonly kind: 'choice';
  readonly description: string;
  readonly default: string;
  readonly choices: readonly string[];
}

export type IndicatorInput = NumberInput | ChoiceInput;

/** Start of the period that contains a time: a day, week or month of the chart. */
export type PeriodStart = (time: EpochMs, period: Period) => EpochMs;
export type Period = 'day' | 'week' | 'month';

export interface IndicatorContext {
  readonly periodStart: PeriodStart;
  /** The first bar is where the user wants totals to start, and not just where the history begins. */
  readonly startsAtAnchor: boolean;
}

export interface IndicatorRun {
  /**
   * Values of the lines after this bar; `NaN` where there are too few bars. If the bar is still forming (`final` is false),
   * the next call replaces it.
   */
  update(bar: IndicatorBar, final: boolean): readonly number[];
  /**
   * Whether the values of the last call are those of any longer history. Absent: it depends on the number of bars alone, see
   * `settledAfter`.
   */
  readonly settled?: boolean;
}

export interface IndicatorDefinition {
  readonly name: string;
  readonly title: string;
  readonly inputs: readonly IndicatorInput[];
  readonly lines: readonly string[];
  /** Drawn over the price, or in a pane of its own. */
  readonly pane: 'price' | 'own';
  /** Bars ahead (or behind, if negative) at which a line is drawn. */
  readonly offsets?: (inputs: InputValues) => Readonly<Record<string, number>>;
  /** Needs volumes by side, which only instruments with trades have. */
  readonly needsTrades?: boolean;
  /** Number of bars after which earlier history changes values by less than a ten-billionth, as far as it is known beforehand. */
  readonly settledAfter: (inputs: InputValues) => number;
  readonly start: (inputs: InputValues, context: IndicatorContext) => IndicatorRun;
}

export const LONGEST = 1_000;

export const lengthInput = (
  value: number,
  name = 'length',
  description = 'Number of bars',
  least = 1,
): NumberInput => ({
  name,
  kind: 'integer',
  description,
  default: value,
  least,
  most: LONGEST,
});

export const factorInput = (name: string, value: number, description: string): NumberInput => ({
  name,
  kind: 'number',
  description,
  default: value,
  least: 0.01,
  most: 100,
});

export const SOURCES: readonly PriceSource[] = ['open', 'high', 'low', 'close', 'hl2', 'hlc3', 'ohlc4'];

export const SOURCE_INPUT: ChoiceInput = {
  name: 'source',
  kind: 'choice',
  description: 'Price of a bar: hl2, hlc3 and ohlc4 are means',
  default: 'close',
  choices: SOURCES,
};

export const int = (inputs: InputValues, name = 'length'): number => inputs[name] as number;

const PRICES: Readonly<Record<PriceSource, (bar: IndicatorBar) => number>> = {
  open: ({ open }) => open,
  high: ({ high }) => high,
  low: ({ low }) => low,
  close: ({ close }) => close,
  hl2: ({ high, low }) => (high + low) / 2,
  hlc3: ({ high, low, close }) => (high + low + close) / 3,
  ohlc4: ({ open, high, low, close }) => (open + high + low + close) / 4,
};

export const priceOf = (inputs: InputValues): ((bar: IndicatorBar) => number) => PRICES[inputs.source as PriceSource];

export const typicalPrice = PRICES.hlc3;

/** Bars after which the start of an average with this weight of the newest value counts for less than a ten-billionth. */
export const forgottenAfter = (weight: number): number =>
  weight >= 1 ? 1 : Math.ceil(Math.log(1e-10) / Math.log1p(-weight));

export const emaSettledAfter = (length: number): number => length + forgottenAfter(2 / (length + 1));
export const wilderSettledAfter = (length: number): number => length + 1 + forgottenAfter(1 / length);
