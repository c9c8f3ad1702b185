// What an indicator is: an entry of the catalogue in the contract, and a run over bars in ascending order.
import type { IndicatorEntry, InputValues, PriceSource } from '@tickwire/contract';
import type { Bar } from '../events.ts';
import type { EpochMs } from '../time.ts';

export type IndicatorBar = Omit<Bar, 'basis' | 'partial'> & Partial<Pick<Bar, 'basis'>>;

export type Period = 'day' | 'week' | 'month';

/** The period that contains a time: a day, week or month of the chart. `end` is the start of the next one. */
export type PeriodAt = (time: EpochMs, period: Period) => { readonly start: EpochMs; readonly end: EpochMs };

export interface IndicatorContext {
  readonly periodAt: PeriodAt;
  /** The first bar is where the user wants totals to start, and not just where the history begins. */
  readonly startsAtAnchor: boolean;
}

/** Puts a run back to where it was, any number of times. */
export type Restore = () => void;

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
  /** Remembers the state. */
  save(): Restore;
}

/** The bars before a value on which it depends. */
export type HistoryNeed =
  /** The last `count` bars, or more if the values are not settled after them. */
  | { readonly kind: 'bars'; readonly count: number; readonly mayNeedMore?: true }
  /** All bars of the period, and of the one before it. */
  | { readonly kind: 'period'; readonly period: Period; readonly withPrevious: boolean }
  /** All bars since a time. */
  | { readonly kind: 'since'; readonly time: EpochMs }
  /** All bars. */
  | { readonly kind: 'all' };

/** How the values of an indicator are computed. */
export interface IndicatorFormula {
  /** Bars by which a chart draws a line later (earlier if negative). */
  readonly offsets?: (inputs: InputValues) => Readonly<Record<string, number>>;
  /** Number of bars after which earlier history changes values by less than a ten-billionth, as far as it is known beforehand. */
  readonly settledAfter: (inputs: InputValues) => number;
  /** Default: `settledAfter` bars. */
  readonly history?: (inputs: InputValues) => HistoryNeed;
  readonly start: (inputs: InputValues, context: IndicatorContext) => IndicatorRun;
}

export type IndicatorDefinition = IndicatorEntry & IndicatorFormula;

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

/** A part of a run that remembers its own state. */
export interface Part {
  save(): Restore;
}

/** A run made of parts that hold all of its state. */
export const runOf = (parts: readonly Part[], update: IndicatorRun['update']): IndicatorRun => ({
  update,
  save: () => saveAll(parts),
});

export function saveAll(parts: readonly Part[]): Restore {
  const restores = parts.map((part) => part.save());
  return () => {
    for (const restore of restores) restore();
  };
}
