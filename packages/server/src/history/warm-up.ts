// The bars before a bar on which the values of indicators depend: by their number, back to the start of a period, or all. How
// many are read is bounded; values that would need more are not settled.
import { IndicatorFault, type IndicatorSpec, iso } from '@tickwire/contract';
import {
  type Bar,
  definitionOf,
  type EpochMs,
  type HistoryNeed,
  historyNeed,
  intervalAt,
  type MarketSymbol,
} from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import { type Chart, readChartBars } from './chart-reader.ts';
import type { BarSources } from './recorded-history.ts';

/** Bars that one reading returns at most. */
const MAX_WARM_UP = 50_000;
/** Bars of a total over the whole history, which is asked for by default. */
const MAX_TOTAL = 20_000;
/**
 * If the history is too short to settle a total, its start moves in steps of this many bars. Within a step, new bars do not
 * change earlier values.
 */
const START_STEP = 4_096;
/**
 * Twice the bars that a value needs to be settled: what is left of the start is then below the last digit of a number, so
 * that values are the same whatever the page.
 */
const MARGIN = 2;

/** The text of a fault as a response: 400 with the allowed values. */
export const invalidIndicator = ({ input, value, allowed, message }: IndicatorFault): ServiceError =>
  new ServiceError('invalid_parameter', message, { errors: [{ parameter: input, value, allowed }] });

/** Refuses an indicator of volumes by side if the instrument has bars but no trade is known. */
export function requireTrades(
  { view }: BarSources,
  spec: IndicatorSpec,
  symbol: MarketSymbol,
  ...lists: readonly (readonly Bar[])[]
): void {
  if (!definitionOf(spec).needsTrades || view.flow(symbol) || lists.every(({ length }) => length === 0)) return;
  for (const bars of lists) if (bars.some(({ askVolume, bidVolume }) => askVolume + bidVolume > 0)) return;
  throw new ServiceError('no_trades', `${spec.name} is not available: no trades of ${symbol} are known.`);
}

/** Bars that a value depends on, about. */
export function barsBefore(spec: IndicatorSpec): number {
  const need = historyNeed(spec);
  return need.kind === 'bars' ? MARGIN * need.count : MAX_TOTAL;
}

/** Bars before a bar. `isWhole`: totals that start at the first of them are those of the whole history. */
export interface Before {
  readonly bars: readonly Bar[];
  readonly isWhole: boolean;
}

/** Reads bars before a page, each kind of need once. */
export class WarmUp {
  readonly symbol: MarketSymbol;
  /** Bars that were read. */
  rows = 0;
  readonly #sources: BarSources;
  readonly #chart: Chart;
  readonly #first: EpochMs;
  /** The newest bars before the page. */
  #newest: Before = { bars: [], isWhole: false };
  /** How many of them were asked for: a reading may be shorter without being whole. */
  #asked = 0;
  /** The longest reading back to an anchor. */
  #longest: { readonly from: EpochMs; readonly bars: readonly Bar[] } | null = null;
  readonly #known = new Map<string, Promise<Before>>();

  constructor(sources: BarSources, chart: Chart, symbol: MarketSymbol, first: EpochMs) {
    this.#sources = sources;
    this.#chart = chart;
    this.symbol = symbol;
    this.#first = first;
  }

  /** Reads the bars of all needs by number, and those back to the earliest anchor, at once. */
  async read(needs: readonly HistoryNeed[]): Promise<void> {
    const anchors = needs.flatMap((need) => (need.kind === 'since' ? [need.time] : []));
    // An anchor that is too far back is reported when its own indicator is read.
    if (anchors.length > 1) await this.#since(Math.min(...anchors) as EpochMs).catch(() => {});
    const most = Math.max(0, ...needs.map((need) => (need.kind === 'bars' ? need.count : 0)));
    if (most > 0) await this.#before({ kind: 'bars', count: most }, MARGIN);
  }

  /** Reads more bars until the values are settled, if it cannot be known beforehand how many they need. */
  async until(need: HistoryNeed, isSettled: (before: Before) => Promise<boolean>): Promise<void> {
    for (let factor = MARGIN; ; factor *= 4) {
      const before = await this.#before(need, factor);
      if ((await isSettled(before)) || before.isWhole) return;
      if (need.kind !== 'bars' || !need.mayNeedMore || need.count * factor >= MAX_WARM_UP) return;
    }
  }

  #before(need: HistoryNeed, factor: number): Promise<Before> {
    if (need.kind === 'bars') return this.#count(Math.min(MAX_WARM_UP, need.count * factor));
    const key = JSON.stringify(need);
    const known = this.#known.get(key) ?? this.#read(need);
    this.#known.set(key, known);
    return known;
  }

  #read(need: Exclude<HistoryNeed, { readonly kind: 'bars' }>): Promise<Before> {
    switch (need.kind) {
      case 'all':
        return this.#all();
      case 'since':
        return this.#since(need.time);
      case 'period':
        return this.#period(need);
    }
  }

  async #count(count: number): Promise<Before> {
    if (count > this.#asked && !this.#newest.isWhole) {
      this.#newest = await this.#range(0, count);
      this.#asked = count;
    }
    const newest = this.#newest;
    return newest.bars.length <= count ? newest : { bars: newest.bars.slice(-count), isWhole: false };
  }

  async #all(): Promise<Before> {
    const all = await this.#range(0, MAX_TOTAL);
    const [oldest] = all.bars;
    if (all.isWhole || !oldest) return all;
    const { start, end } = intervalAt(oldest.time, this.#chart.interval, this.#chart.day);
    const step = START_STEP * (end - start);
    const from = Math.ceil(oldest.time / step) * step;
    return { bars: all.bars.filter(({ time }) => time >= from), isWhole: false };
  }

  async #since(time: EpochMs): Promise<Before> {
    if (time >= this.#first) return { bars: [], isWhole: true };
    const known = this.#longest;
    if (known && known.from <= time) {
      const start = known.bars.findIndex((bar) => bar.time >= time);
      return { bars: start < 0 ? [] : known.bars.slice(start), isWhole: true };
    }
    const since = await this.#range(time, MAX_WARM_UP);
    if (since.isWhole) {
      this.#longest = { from: time, bars: since.bars };
      return since;
    }
    const earliest = iso(since.bars[0]!.time);
    const allowed = `a time within ${since.bars.length} bars before the page: at or after ${earliest}`;
    throw invalidIndicator(new IndicatorFault('anchor', iso(time), allowed));
  }

  /** The period of the first bar, and one bar before it, which proves that the period was seen from its start. */
  async #period({ period, withPrevious }: Extract<HistoryNeed, { kind: 'period' }>): Promise<Before> {
    const { interval, day } = this.#chart;
    const startOf = (time: EpochMs): EpochMs => intervalAt(time, { unit: period }, day).start;
    const current = startOf(this.#first);
    if (!withPrevious)
      return {
        bars: [...(await this.#last(current)), ...(await this.#range(current, MAX_WARM_UP)).bars],
        isWhole: false,
      };
    // The high, low and close of earlier periods are those of their days: fewer bars than those of the chart.
    const days: Chart = { ...this.#chart, interval: { unit: 'day' } };
    const today = intervalAt(this.#first, days.interval, day).start;
    const last = (await this.#last(current)).at(-1);
    if (!last) return this.#range(current, MAX_WARM_UP);
    const previous = startOf(last.time);
    if (interval.unit !== 'minute')
      return {
        bars: [...(await this.#last(previous)), ...(await this.#range(previous, MAX_WARM_UP)).bars],
        isWhole: false,
      };
    const earlier = await this.#range(previous, MAX_WARM_UP, today - 1, days);
    const bars = [...(await this.#last(previous)), ...earlier.bars, ...(await this.#range(today, MAX_WARM_UP)).bars];
    return { bars, isWhole: false };
  }

  /** The last bar before a time; none if the history begins there. */
  async #last(before: EpochMs): Promise<readonly Bar[]> {
    return (await this.#range(0, 1, before - 1)).bars;
  }

  async #range(from: number, limit: number, to = this.#first - 1, chart = this.#chart): Promise<Before> {
    if (to < from) return { bars: [], isWhole: true };
    const page = await readChartBars(this.#sources, chart, { symbol: this.symbol, from, to, limit, first: 'newest' });
    this.rows += page.bars.length;
    return { bars: page.bars, isWhole: !page.hasMore };
  }
}
