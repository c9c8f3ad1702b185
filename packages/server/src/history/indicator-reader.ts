// Values of indicators over a page of bars. Bars before the page are read first, as many as the values depend on: by their
// number, back to the start of a period, or all. The work of a request is bounded; values that would need more are not settled.
import { IndicatorFault, type IndicatorSpec } from '@tickwire/contract';
import {
  type Bar,
  chartContext,
  definitionOf,
  historyNeed,
  IndicatorSeries,
  intervalAt,
  storedTimeframe,
} from '@tickwire/engine';
import { pauses } from '../ops/pauses.ts';
import { type Chart, type ChartRange, LATEST, readChartBars } from './chart-reader.ts';
import type { BarSources } from './recorded-history.ts';
import { type Before, invalidIndicator, requireTrades, WarmUp } from './warm-up.ts';

/** Numbers in one page. */
const MAX_VALUES = 100_000;
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
  await warmUp.read(specs.map(historyNeed));
  const known = new Map<string, IndicatorColumn['rows']>();
  for (const spec of specs) {
    if (known.has(spec.text)) continue;
    known.set(spec.text, await valuesOf(sources, spec, chart, warmUp, bars, isForming));
  }
  const columns = specs.map((spec) => ({ spec, rows: known.get(spec.text)! }));
  return { bars, isForming, hasMore, columns };
}

async function valuesOf(
  sources: BarSources,
  spec: IndicatorSpec,
  chart: Chart,
  warmUp: WarmUp,
  bars: readonly Bar[],
  isForming: boolean,
): Promise<IndicatorColumn['rows']> {
  let rows: IndicatorColumn['rows'] = [];
  await warmUp.until(historyNeed(spec), async (before) => {
    requireTrades(sources, spec, warmUp.symbol, before.bars, bars);
    rows = await run(spec, chart, before, bars, isForming);
    return rows[0]!.settled;
  });
  return rows;
}

async function run(
  spec: IndicatorSpec,
  { day }: Chart,
  before: Before,
  bars: readonly Bar[],
  isForming: boolean,
): Promise<IndicatorColumn['rows']> {
  const series = new IndicatorSeries(definitionOf(spec), spec.inputs, chartContext(day, before.isWhole));
  const pause = pauses();
  for (const bar of before.bars) {
    series.add(bar);
    await pause();
  }
  const last = bars.length - 1;
  const rows: IndicatorColumn['rows'][number][] = [];
  for (const [at, bar] of bars.entries()) {
    rows.push(isForming && at === last ? series.preview(bar) : series.add(bar));
    await pause();
  }
  return rows;
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
