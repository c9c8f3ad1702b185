// Bars for TradingView charts: `from` is inclusive, `to` exclusive, and `countback` counts bars before `to`, wherever they start.
// An empty range names the bar before it in `nextTime`; without such a bar the history ends, and the chart stops asking.
import { MAX_CHART_BARS, type UdfHistory, type UdfHistoryQuery, type UdfResolution } from '@tickwire/contract';
import type { Bar, MarketSymbol } from '@tickwire/engine';
import { invalidParameter } from '../errors/service-error.ts';
import { type Chart, LATEST, longest, parseChart, readChartBars, storedPerBar } from '../history/chart-reader.ts';
import type { BarSources } from '../history/recorded-history.ts';

const LONG_INTERVALS: Readonly<Record<string, string>> = { '1D': '1d', '1W': '1w', '1M': '1M' };

/** Aligned to UTC. A bar of a day then starts at 00:00, as the protocol wants it. */
export const chartOf = (resolution: UdfResolution): Chart =>
  parseChart({ interval: LONG_INTERVALS[resolution] ?? `${resolution}m`, align: 'utc' });

/** Milliseconds, within what a date can be. */
export const fromUnixSeconds = (seconds: number): number => Math.min(Math.max(0, seconds * 1000), LATEST);

export async function udfHistory(
  sources: BarSources,
  symbol: MarketSymbol,
  { resolution, from, to, countback }: UdfHistoryQuery,
): Promise<UdfHistory> {
  if (from === undefined && countback === undefined)
    throw invalidParameter('from', '', 'a Unix time in whole seconds, unless countback is given');
  const chart = chartOf(resolution);
  const start = countback === undefined ? fromUnixSeconds(from!) : 0;
  const bars = await newestBars(sources, chart, symbol, start, fromUnixSeconds(to) - 1, countback ?? MAX_CHART_BARS);
  if (bars.length === 0) {
    const [before] = start === 0 ? [] : await newestBars(sources, chart, symbol, 0, start - 1, 1);
    return { s: 'no_data', ...(before && { nextTime: secondsOf(before) }) };
  }
  return {
    s: 'ok',
    t: bars.map(secondsOf),
    o: bars.map(({ open }) => open),
    h: bars.map(({ high }) => high),
    l: bars.map(({ low }) => low),
    c: bars.map(({ close }) => close),
    v: bars.map(({ volume }) => volume),
  };
}

/** Stored bars that a request reads, about. */
export function udfHistoryRows({
  resolution,
  from = 0,
  to,
  countback,
}: Pick<UdfHistoryQuery, 'resolution' | 'from' | 'to' | 'countback'>): number {
  const chart = chartOf(resolution);
  const inRange = Math.ceil((fromUnixSeconds(to) - fromUnixSeconds(from)) / longest(chart.interval));
  return Math.min(countback ?? inRange, MAX_CHART_BARS) * storedPerBar(chart);
}

/** The newest bars that start from `from` to `to`, both inclusive and in milliseconds; ascending. */
export async function newestBars(
  sources: BarSources,
  chart: Chart,
  symbol: MarketSymbol,
  from: number,
  to: number,
  count: number,
): Promise<readonly Bar[]> {
  const most = Math.min(count, MAX_CHART_BARS);
  let bars: readonly Bar[] = [];
  // A reading of long bars may be shorter than asked for.
  for (let [end, hasMore] = [to, to >= from]; hasMore && bars.length < most; ) {
    const page = await readChartBars(sources, chart, {
      symbol,
      from,
      to: end,
      limit: most - bars.length,
      first: 'newest',
    });
    bars = [...page.bars, ...bars];
    hasMore = page.hasMore;
    end = (bars[0]?.time ?? 0) - 1;
  }
  return bars;
}

export const secondsOf = ({ time }: Bar): number => Math.floor(time / 1000);
