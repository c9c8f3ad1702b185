// Running totals of volume, and levels of an earlier period. Both start again with each period of the chart.
import type { EpochMs } from '../time.ts';
import {
  type ChoiceInput,
  type IndicatorBar,
  type IndicatorContext,
  type IndicatorDefinition,
  type InputValues,
  type Period,
  typicalPrice,
} from './indicator.ts';
import { Previous } from './running.ts';

/** `first`: a total over all bars. */
const anchorInput = (value: Period | 'first'): ChoiceInput => ({
  name: 'anchor',
  kind: 'choice',
  description: 'Where the total starts: with each day, week or month, or at the first bar',
  default: value,
  choices: ['day', 'week', 'month', 'first'],
});

/** Which period a bar belongs to, and whether the run has seen that period from its start. */
class Periods {
  readonly #period: Period | null;
  readonly #context: IndicatorContext;
  #start = Number.NaN as EpochMs;
  /** The first period that was seen may have begun before the first bar. */
  #whole = false;

  constructor(anchor: unknown, context: IndicatorContext) {
    this.#period = anchor === 'first' ? null : (anchor as Period);
    this.#context = context;
  }

  step({ time }: IndicatorBar, final: boolean): { readonly begins: boolean; readonly whole: boolean } {
    const { periodStart, startsAtAnchor } = this.#context;
    const start = this.#period ? periodStart(time, this.#period) : (0 as EpochMs);
    const begins = start !== this.#start;
    const isFirst = Number.isNaN(this.#start);
    const whole = begins ? !isFirst || (this.#period ? start === time : startsAtAnchor) : this.#whole;
    if (final) {
      this.#start = start;
      this.#whole = whole;
    }
    return { begins, whole };
  }
}

/** Sums that start again with each period. */
class Totals {
  settled = false;
  readonly #periods: Periods;
  #sums: readonly number[] = [];

  constructor({ anchor }: InputValues, context: IndicatorContext) {
    this.#periods = new Periods(anchor, context);
  }

  step(bar: IndicatorBar, terms: readonly number[], final: boolean): readonly number[] {
    const { begins, whole } = this.#periods.step(bar, final);
    this.settled = whole;
    const sums = begins ? terms : terms.map((term, at) => this.#sums[at]! + term);
    if (final) this.#sums = sums;
    return sums;
  }
}

/** An indicator of one line that adds up the bars of each period. */
const ofTotals = (
  definition: Pick<IndicatorDefinition, 'name' | 'title' | 'pane' | 'needsTrades'>,
  anchor: Period | 'first',
  begin: () => (bar: IndicatorBar, final: boolean, totals: Totals) => number,
): IndicatorDefinition => ({
  ...definition,
  inputs: [anchorInput(anchor)],
  lines: ['value'],
  settledAfter: () => 1,
  start: (inputs, context) => {
    const [totals, next] = [new Totals(inputs, context), begin()];
    return {
      get settled() {
        return totals.settled;
      },
      update: (bar, final) => [next(bar, final, totals)],
    };
  },
});

export const VWAP = ofTotals(
  { name: 'vwap', title: 'Volume-weighted average price', pane: 'price' },
  'day',
  () => (bar, final, totals) => {
    const price = typicalPrice(bar);
    const [turnover, volume] = totals.step(bar, [price * bar.volume, bar.volume], final) as [number, number];
    return volume === 0 ? price : turnover / volume;
  },
);

export const OBV = ofTotals({ name: 'obv', title: 'On-balance volume', pane: 'own' }, 'first', () => {
  const closes = new Previous();
  return (bar, final, totals) => {
    const before = closes.step(bar.close, final);
    const sign = Number.isNaN(before) ? 1 : Math.sign(bar.close - before);
    return totals.step(bar, [sign * bar.volume], final)[0]!;
  };
});

export const CVD = ofTotals(
  { name: 'cvd', title: 'Cumulative volume delta', pane: 'own', needsTrades: true },
  'day',
  () => (bar, final, totals) => totals.step(bar, [bar.askVolume - bar.bidVolume], final)[0]!,
);

interface PeriodRange {
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly whole: boolean;
}

export const PIVOTS: IndicatorDefinition = {
  name: 'pivots',
  title: 'Pivot points',
  inputs: [
    {
      name: 'period',
      kind: 'choice',
      description: 'Period whose high, low and close give the levels of the next one',
      default: 'day',
      choices: ['day', 'week', 'month'],
    },
    {
      name: 'method',
      kind: 'choice',
      description: 'Formula of the levels',
      default: 'classic',
      choices: ['classic', 'fibonacci', 'camarilla'],
    },
  ],
  lines: ['pivot', 'r1', 'r2', 'r3', 's1', 's2', 's3'],
  pane: 'price',
  settledAfter: () => 1,
  start: (inputs, context) => {
    const periods = new Periods(inputs.period, context);
    const levels = LEVELS[inputs.method as keyof typeof LEVELS];
    let current: PeriodRange | null = null;
    let before: PeriodRange | null = null;
    let settled = false;
    return {
      get settled() {
        return settled;
      },
      update: ({ time, high, low, close, ...rest }, final) => {
        const { begins, whole } = periods.step({ time, high, low, close, ...rest }, final);
        const last: PeriodRange | null = begins ? current : before;
        settled = last?.whole ?? false;
        if (final) {
          before = last;
          current =
            begins || !current
              ? { high, low, close, whole }
              : { high: Math.max(current.high, high), low: Math.min(current.low, low), close, whole };
        }
        return last ? levels(last) : Array.from({ length: 7 }, () => Number.NaN);
      },
    };
  },
};

const LEVELS = {
  classic: ({ high, low, close }: PeriodRange): readonly number[] => {
    const [pivot, range] = [(high + low + close) / 3, high - low];
    return [
      pivot,
      2 * pivot - low,
      pivot + range,
      high + 2 * (pivot - low),
      2 * pivot - high,
      pivot - range,
      low - 2 * (high - pivot),
    ];
  },
  fibonacci: ({ high, low, close }: PeriodRange): readonly number[] =>
    symmetric((high + low + close) / 3, (high + low + close) / 3, [0.382, 0.618, 1], high - low),
  camarilla: ({ high, low, close }: PeriodRange): readonly number[] =>
    symmetric((high + low + close) / 3, close, [1.1 / 12, 1.1 / 6, 1.1 / 4], high - low),
};

/** Levels at the same distances above and below a middle. */
const symmetric = (pivot: number, middle: number, parts: readonly number[], range: number): readonly number[] => [
  pivot,
  ...parts.map((part) => middle + part * range),
  ...parts.map((part) => middle - part * range),
];
