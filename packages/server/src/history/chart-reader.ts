// Bars of any interval: made of stored bars, or imported with that interval.
import { isTimeframe, type StreamPosition, TIMEFRAME_MS } from '@tickwire/contract';
import {
  asEpochMs,
  type Bar,
  type BarAlign,
  ChartBars,
  type ChartInterval,
  chartIntervalName,
  DAY_MS,
  type DayStart,
  dayStartOf,
  HOUR_MS,
  intervalAt,
  type MarketSymbol,
  MINUTE_MS,
  parseAlign,
  parseChartInterval,
  seriesName,
  storedTimeframe,
} from '@tickwire/engine';
import { invalidParameter } from '../errors/service-error.ts';
import { pauses } from '../ops/pauses.ts';
import type { BarSources } from './recorded-history.ts';

/** Bounds the work of one request: a page of long bars may have fewer than asked for. */
export const MAX_STORED_BARS = 50_000;
/** The latest time that a date can have. */
export const LATEST = 8_640_000_000_000_000;
/** The last time of a range of a request, whose end does not belong to it. */
export const lastBefore = (end: number | undefined): number => (end === undefined ? LATEST : end - 1);

/** What a chart shows, as in the parameters `interval` and `align`. */
export interface Chart {
  readonly interval: ChartInterval;
  /** When a day starts. */
  readonly day: DayStart;
  readonly align: BarAlign;
}

export interface ChartRange {
  readonly symbol: MarketSymbol;
  /** Start times of bars, both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  /** Which bars to return if there are more than `limit`. */
  readonly first: 'oldest' | 'newest';
}

export interface ChartPage {
  /** Ascending; the newest one may still be forming. */
  readonly bars: readonly Bar[];
  /** The range has more bars: there were more than `limit`, or a reading was too long. */
  readonly hasMore: boolean;
  /** Position in the journal up to which the bars include everything; `null` if it is not known. */
  readonly position: StreamPosition | null;
}

/** Throws a `ServiceError` with the allowed values. */
export function parseChart({ interval, align }: { readonly interval: string; readonly align: string }): Chart {
  const parsed = { interval: intervalOf(interval), align: alignOf(align) };
  return { ...parsed, day: dayStartOf(parsed.align) };
}

export async function readChartBars(sources: BarSources, chart: Chart, range: ChartRange): Promise<ChartPage> {
  const perBar = storedPerBar(chart);
  const limit = Math.min(range.limit, Math.max(1, Math.floor(MAX_STORED_BARS / perBar) - 1));
  const { made, isCut, position } = await madeBars(sources, chart, range, (limit + 1) * perBar);
  const series = importedSeries(chart);
  const imported = series ? await sources.store.bars({ ...range, limit: limit + 1, timeframe: series }) : [];
  // A bar of the source itself comes before one that is made of others.
  const all = mergeBars(made, imported);
  const bars = range.first === 'oldest' ? all.slice(0, limit) : all.slice(-limit);
  return { bars, hasMore: bars.length > 0 && (isCut || all.length > bars.length), position };
}

/** How many stored bars a bar is made of, at most. */
export const storedPerBar = ({ interval, day }: Chart): number =>
  Math.ceil(longest(interval) / TIMEFRAME_MS[storedTimeframe(interval, day)]);

function intervalOf(text: string): ChartInterval {
  const interval = parseChartInterval(text);
  if (interval) return interval;
  throw invalidParameter('interval', text, 'a number of minutes up to 1440m, of hours up to 24h, 1d, 1w or 1M');
}

function alignOf(text: string): BarAlign {
  const align = parseAlign(text);
  if (align) return align;
  throw invalidParameter('align', text, 'utc, ny (17:00 in New York) or an IANA time zone such as Europe/London');
}

/** A day has up to 25 hours, a month up to 31 days. */
export function longest(interval: ChartInterval): number {
  switch (interval.unit) {
    case 'minute':
      return interval.minutes * MINUTE_MS;
    case 'day':
      return DAY_MS + HOUR_MS;
    case 'week':
      return 7 * DAY_MS + HOUR_MS;
    case 'month':
      return 31 * DAY_MS + HOUR_MS;
  }
}

/** Imported bars of another interval or alignment than those of the service are a series of their own; `null` for its own. */
export function importedSeries({ interval, align }: Chart): string | null {
  const series = seriesName(chartIntervalName(interval), align);
  return isTimeframe(series) ? null : series;
}

/** Bars of two ascending lists, ascending. One of the second list replaces that of the first with the same time. */
export function mergeBars(bars: readonly Bar[], better: readonly Bar[]): readonly Bar[] {
  if (better.length === 0) return bars;
  const known = bars.findLastIndex(({ time }) => time < better[0]!.time) + 1;
  const times = new Set(better.map(({ time }) => time));
  const rest = bars.slice(known).filter(({ time }) => !times.has(time));
  return [...bars.slice(0, known), ...[...rest, ...better].sort((a, b) => a.time - b.time)];
}

/** Bars made of at most `count` stored ones. A bar at the end of the reading that may lack stored ones is left out. */
async function madeBars(
  { store, view, position: positionNow }: BarSources,
  { interval, day }: Chart,
  { symbol, from, to, first }: ChartRange,
  count: number,
): Promise<{ readonly made: readonly Bar[]; readonly isCut: boolean; readonly position: StreamPosition | null }> {
  const timeframe = storedTimeframe(interval, day);
  const start = intervalAt(asEpochMs(from), interval, day);
  const range = {
    from: start.start === from ? from : start.end,
    to: to === LATEST ? LATEST : intervalAt(asEpochMs(to), interval, day).end - 1,
  };
  const stored = await store.bars({ symbol, timeframe, ...range, limit: count, first });
  // From here on nothing waits: the bars in memory are those of this position.
  const position = positionNow?.() ?? null;
  const isCut = stored.length === count;
  const last = first === 'oldest' && isCut ? stored.at(-1)!.time : range.to;
  const all = mergeBars(stored, view.recent(symbol, timeframe, range.from, last));
  const chart = new ChartBars(interval, day);
  const bars: Bar[] = [];
  const pause = pauses();
  for (const bar of all) {
    const closed = chart.add(bar);
    if (closed) bars.push(closed);
    await pause();
  }
  if (chart.forming) bars.push(chart.forming);
  if (isCut && first === 'oldest') bars.pop();
  else if (isCut) bars.shift();
  return { made: bars, isCut, position };
}
