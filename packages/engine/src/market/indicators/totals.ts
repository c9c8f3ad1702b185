// Running totals of volume, and levels of an earlier period. Both start again with each period of the chart.
import type { InputValues } from '@tickwire/contract';
import type { EpochMs } from '../time.ts';
import { hasSides } from '../volume-coverage.ts';
import {
  type IndicatorBar,
  type IndicatorContext,
  type IndicatorFormula,
  type IndicatorRun,
  type Period,
  type Restore,
  saveAll,
  typicalPrice,
} from './indicator.ts';
import { Previous } from './running.ts';

/** Which period a bar belongs to, and whether the run has seen that period from its start. */
class Periods {
  /** About the bar of the last step. */
  begins = false;
  whole = false;
  /** `null`: one period over all bars. */
  readonly #period: Period | null;
  /** The only period starts at this time. */
  readonly #since: number;
  readonly #context: IndicatorContext;
  #seen = false;
  #start = Number.NEGATIVE_INFINITY;
  #end = Number.NEGATIVE_INFINITY;
  /** The first period that was seen may have begun before the first bar. */
  #wholeSoFar = false;

  constructor(anchor: unknown, context: IndicatorContext) {
    this.#period = anchor === 'first' || typeof anchor === 'number' ? null : (anchor as Period);
    this.#since = typeof anchor === 'number' ? anchor : Number.NEGATIVE_INFINITY;
    this.#context = context;
  }

  /** Returns false for a bar before the first period. */
  step({ time }: IndicatorBar, final: boolean): boolean {
    if (time < this.#since) {
      this.begins = this.whole = false;
      if (final) this.#seen = true;
      return false;
    }
    if (time >= this.#start && time < this.#end) {
      this.begins = false;
      this.whole = this.#wholeSoFar;
      return true;
    }
    const { start, end } = this.#period
      ? this.#context.periodAt(time, this.#period)
      : { start: this.#since, end: Number.POSITIVE_INFINITY };
    this.begins = true;
    this.whole = this.#seen || start === time || (this.#period === null && this.#context.startsAtAnchor);
    if (final) {
      this.#seen = true;
      this.#start = start;
      this.#end = end;
      this.#wholeSoFar = this.whole;
    }
    return true;
  }

  save(): Restore {
    const [seen, start, end, whole] = [this.#seen, this.#start, this.#end, this.#wholeSoFar];
    return () => {
      this.#seen = seen;
      this.#start = start;
      this.#end = end;
      this.#wholeSoFar = whole;
    };
  }
}

/** A sum that starts again with each period. */
class Total {
  #sum = 0;

  step(term: number, begins: boolean, final: boolean): number {
    const sum = begins ? term : this.#sum + term;
    if (final) this.#sum = sum;
    return sum;
  }

  save(): Restore {
    const sum = this.#sum;
    return () => {
      this.#sum = sum;
    };
  }
}

const totalHistory = ({ anchor }: InputValues): ReturnType<NonNullable<IndicatorFormula['history']>> => {
  if (typeof anchor === 'number') return { kind: 'since', time: anchor as EpochMs };
  if (anchor === 'first') return { kind: 'all' };
  return { kind: 'period', period: anchor as Period, withPrevious: false };
};

export const VWAP: IndicatorFormula = {
  settledAfter: () => 1,
  history: totalHistory,
  start: ({ anchor }, context) => {
    const [periods, turnovers, volumes] = [new Periods(anchor, context), new Total(), new Total()];
    return {
      get settled() {
        return periods.whole;
      },
      update: (bar, final) => {
        if (!periods.step(bar, final)) return [Number.NaN];
        const price = typicalPrice(bar);
        const turnover = turnovers.step(price * bar.volume, periods.begins, final);
        const volume = volumes.step(bar.volume, periods.begins, final);
        return [volume === 0 ? price : turnover / volume];
      },
      save: () => saveAll([periods, turnovers, volumes]),
    };
  },
};

export const OBV: IndicatorFormula = {
  settledAfter: () => 1,
  history: totalHistory,
  start: ({ anchor }, context) => {
    const [periods, closes, total] = [new Periods(anchor, context), new Previous(), new Total()];
    return {
      get settled() {
        return periods.whole;
      },
      update: (bar, final) => {
        const before = closes.step(bar.close, final);
        if (!periods.step(bar, final)) return [Number.NaN];
        const sign = Number.isNaN(before) ? 1 : Math.sign(bar.close - before);
        return [total.step(sign * bar.volume, periods.begins, final)];
      },
      save: () => saveAll([periods, closes, total]),
    };
  },
};

/** A bar with volume of trades whose sides are not all known, as from a file of bars: nor is the delta since the anchor. */
const lacksSides = (bar: IndicatorBar): boolean => bar.basis === 'trade' && !hasSides(bar);

export const CVD: IndicatorFormula = {
  settledAfter: () => 1,
  history: totalHistory,
  start: ({ anchor }, context): IndicatorRun => {
    const [periods, total, unknown] = [new Periods(anchor, context), new Total(), new Total()];
    let settled = false;
    return {
      get settled() {
        return settled;
      },
      update: (bar, final) => {
        settled = false;
        if (!periods.step(bar, final)) return [Number.NaN];
        settled = unknown.step(lacksSides(bar) ? 1 : 0, periods.begins, final) === 0 && periods.whole;
        return [total.step(bar.askVolume - bar.bidVolume, periods.begins, final)];
      },
      save: () => saveAll([periods, total, unknown]),
    };
  },
};

interface PeriodRange {
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly whole: boolean;
}

const NO_LEVELS: readonly number[] = Array.from({ length: 7 }, () => Number.NaN);

export const PIVOTS: IndicatorFormula = {
  settledAfter: () => 1,
  history: ({ period }) => ({ kind: 'period', period: period as Period, withPrevious: true }),
  start: ({ period, method }, context) => {
    const periods = new Periods(period, context);
    const levelsOf = LEVELS[method as keyof typeof LEVELS];
    let [high, low, close, whole] = [Number.NaN, Number.NaN, Number.NaN, false];
    /** Of the period before, and whether it was seen from its start. */
    let [levels, known] = [NO_LEVELS, false];
    let settled = false;
    return {
      get settled() {
        return settled;
      },
      update: (bar, final) => {
        periods.step(bar, final);
        const { begins } = periods;
        const shown = begins && !Number.isNaN(close) ? levelsOf({ high, low, close, whole }) : levels;
        settled = begins ? whole : known;
        if (final) {
          levels = shown;
          known = settled;
          high = begins ? bar.high : Math.max(high, bar.high);
          low = begins ? bar.low : Math.min(low, bar.low);
          close = bar.close;
          whole = periods.whole;
        }
        return shown;
      },
      save: () => {
        const restore = periods.save();
        const before = { high, low, close, whole, levels, known };
        return () => {
          restore();
          ({ high, low, close, whole, levels, known } = before);
        };
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
