// Values of indicators over a page of bars. Bars before the page are read first, as many as the values depend on: by their
// number, back to the start of a period, or all. The work of a request is bounded; values that would need more are not settled.
import { IndicatorFault, type IndicatorSpec } from '@tickwire/contract';
import {
  type Bar,
  chartContext,
  definitionOf,
  type EpochMs,
  type HistoryNeed,
  historyOf,
  IndicatorSeries,
  intervalAt,
  type MarketSymbol,
  storedTimeframe,
} from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import { type Chart, type ChartRange, LATEST, readChartBars } from './chart-reader.ts';
import type { BarSources } from './recorded-history.ts';

/** Bars before a page that one request reads. */
export const MAX_WARM_UP = 50_000;
/** Numbers in one page. */
const MAX_VALUES = 250_000;
/** A start that the history cannot settle is the same for so many bars, so that later bars do not change values. */
const START_STEP = 4_096;
/**
 * Twice the bars that a value needs to be settled: what is left of the start is then below the last digit of a number, so
 * that values are the same whatever the page.
 */
const MARGIN = 2;

export interface IndicatorColumn {
  readonly spec: IndicatorSpec;
  /** Values by bar, one number per line; `NaN` where there are too few bars. */
  readonly rows: readonly { readonly values: readonly number[]; readonly settled: boolean }[];
}

export interface IndicatorTable {
  readonly bars: readonly Bar[];
  /** The newest bar is still forming. */
  readonly isForming: boolean;
  readonly hasMore: boolean;
  readonly columns: readonly IndicatorColumn[];
}

/** Bars of the range with the values of each indicator. Throws a `ServiceError` if one is not available for the instrument. */
export async function readIndicators(
  sources: BarSources,
  chart: Chart,
  specs: readonly IndicatorSpec[],
  range: ChartRange,
): Promise<IndicatorTable> {
  for (const spec of specs) checkPeriod(chart, spec);
  const lines = specs.reduce((sum, spec) => sum + definitionOf(spec).lines.length, 0);
  const limit = Math.min(range.limit, Math.max(1, Math.floor(MAX_VALUES / lines)));
  const { bars, hasMore } = await readChartBars(sources, chart, { ...range, limit });
  const [first] = bars;
  if (!first) return { bars, isForming: false, hasMore, columns: specs.map((spec) => ({ spec, rows: [] })) };
  const isForming = await isFormingBar(sources, chart, range, bars.at(-1)!);
  const warmUp = new WarmUp(sources, chart, range.symbol, first.time);
  await warmUp.read(specs.map(historyOf));
  const columns: IndicatorColumn[] = [];
  for (const spec of specs) columns.push({ spec, rows: await valuesOf(spec, chart, warmUp, bars, isForming) });
  return { bars, isForming, hasMore, columns };
}

/** The text of a fault as a response: 400 with the allowed values. */
export const invalidIndicator = ({ input, value, allowed, message }: IndicatorFault): ServiceError =>
  new ServiceError('invalid_parameter', message, { errors: [{ parameter: input, value, allowed }] });

/** Bars of an indicator before a page. `isWhole`: totals that start at the first of them are those of the whole history. */
interface Before {
  readonly bars: readonly Bar[];
  readonly isWhole: boolean;
}

async function valuesOf(
  spec: IndicatorSpec,
  chart: Chart,
  warmUp: WarmUp,
  bars: readonly Bar[],
  isForming: boolean,
): Promise<IndicatorColumn['rows']> {
  const need = historyOf(spec);
  for (let factor = MARGIN; ; factor *= 4) {
    const before = await warmUp.before(need, factor);
    if (definitionOf(spec).needsTrades) requireTrades(spec, warmUp.symbol, before.bars, bars);
    const rows = run(spec, chart, before, bars, isForming);
    const canImprove = need.kind === 'bars' && need.mayNeedMore && !before.isWhole && need.count * factor < MAX_WARM_UP;
    if (rows[0]!.settled || !canImprove) return rows;
  }
}

function run(
  spec: IndicatorSpec,
  { day }: Chart,
  before: Before,
  bars: readonly Bar[],
  isForming: boolean,
): IndicatorColumn['rows'] {
  const series = new IndicatorSeries(definitionOf(spec), spec.inputs, chartContext(day, before.isWhole));
  for (const bar of before.bars) series.add(bar);
  const last = bars.length - 1;
  return bars.map((bar, at) => (isForming && at === last ? series.preview(bar) : series.add(bar)));
}

/** Reads bars before a page, each kind of need once. */
class WarmUp {
  readonly symbol: MarketSymbol;
  readonly #sources: BarSources;
  readonly #chart: Chart;
  readonly #first: EpochMs;
  /** The newest bars before the page. */
  #newest: Before = { bars: [], isWhole: false };
  readonly #known = new Map<string, Promise<Before>>();

  constructor(sources: BarSources, chart: Chart, symbol: MarketSymbol, first: EpochMs) {
    this.#sources = sources;
    this.#chart = chart;
    this.symbol = symbol;
    this.#first = first;
  }

  /** Reads the bars of all needs by number at once. */
  async read(needs: readonly HistoryNeed[]): Promise<void> {
    const most = Math.max(0, ...needs.map((need) => (need.kind === 'bars' ? need.count : 0)));
    if (most > 0) await this.before({ kind: 'bars', count: most }, MARGIN);
  }

  before(need: HistoryNeed, factor: number): Promise<Before> {
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
    const { bars, isWhole } = this.#newest;
    if (bars.length < count && !isWhole) this.#newest = await this.#range(0, count);
    const newest = this.#newest;
    return newest.bars.length <= count ? newest : { bars: newest.bars.slice(-count), isWhole: false };
  }

  async #all(): Promise<Before> {
    const all = await this.#range(0, MAX_WARM_UP);
    const [oldest] = all.bars;
    if (all.isWhole || !oldest) return all;
    const { start, end } = intervalAt(oldest.time, this.#chart.interval, this.#chart.day);
    const step = START_STEP * (end - start);
    const from = Math.ceil(oldest.time / step) * step;
    return { bars: all.bars.filter(({ time }) => time >= from), isWhole: false };
  }

  async #since(time: EpochMs): Promise<Before> {
    if (time >= this.#first) return { bars: [], isWhole: true };
    const since = await this.#range(time, MAX_WARM_UP);
    if (since.isWhole) return since;
    const earliest = new Date(since.bars[0]!.time).toISOString();
    const allowed = `a time within ${since.bars.length} bars before the page: at or after ${earliest}`;
    throw invalidIndicator(new IndicatorFault('anchor', new Date(time).toISOString(), allowed));
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
    return { bars: page.bars, isWhole: !page.hasMore };
  }
}

/** Only the newest bar of an instrument can be forming, until its interval has ended. */
async function isFormingBar(sources: BarSources, chart: Chart, range: ChartRange, { time }: Bar): Promise<boolean> {
  const { view } = sources;
  const { symbol } = range;
  const { end } = intervalAt(time, chart.interval, chart.day);
  if (view.time >= end) return false;
  const mayBeLater = range.to !== LATEST || range.first === 'oldest';
  const later = { symbol, from: end, to: LATEST, limit: 1, first: 'oldest' } as const;
  if (mayBeLater && (await readChartBars(sources, chart, later)).bars.length > 0) return false;
  if (view.time > 0) return true;
  const forming = view.forming(symbol, storedTimeframe(chart.interval, chart.day));
  return forming !== null && forming.time >= time;
}

function requireTrades(spec: IndicatorSpec, symbol: MarketSymbol, ...lists: readonly (readonly Bar[])[]): void {
  for (const bars of lists) if (bars.some(({ askVolume, bidVolume }) => askVolume + bidVolume > 0)) return;
  throw new ServiceError('no_trades', `${spec.name} is not available: no trades of ${symbol} are known in this range.`);
}

/** Levels and totals of a period need bars that are not longer than it. */
function checkPeriod({ interval }: Chart, { name, inputs }: IndicatorSpec): void {
  const order = ['minute', 'day', 'week', 'month'];
  for (const input of ['period', 'anchor']) {
    const at = order.indexOf(String(inputs[input]));
    if (at < 0 || at >= order.indexOf(interval.unit)) continue;
    const allowed = `at least as long as the interval: ${order.slice(order.indexOf(interval.unit)).join(' or ')}`;
    throw invalidIndicator(
      new IndicatorFault(input, String(inputs[input]), allowed, `${input} of ${name} must be ${allowed}`),
    );
  }
}
