// Bars of any interval: made of stored bars, or imported with that interval.
import { type StreamPosition, TIMEFRAME_MS } from '@tickwire/contract';
import {
  asEpochMs,
  type Bar,
  ChartBars,
  type ChartInterval,
  canonicalZone,
  DAY_MS,
  type DayStart,
  HOUR_MS,
  intervalAt,
  type MarketSymbol,
  MINUTE_MS,
  NEW_YORK_DAY,
  parseInterval,
  storedTimeframe,
  UTC_DAY,
} from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import { isTimeframe, seriesName } from '../import/bar-interval.ts';
import type { BarSources } from './recorded-history.ts';

/** Bounds the work of one request: a page of long bars may have fewer than asked for. */
const MAX_STORED_BARS = 50_000;
/** The latest time that a date can have. */
export const LATEST = 8_640_000_000_000_000;

/** What a chart shows, as in the parameters `interval` and `align`. */
export interface Chart {
  readonly interval: ChartInterval;
  /** When a day starts. */
  readonly day: DayStart;
  /** The name of `day`: `utc`, `ny` or a time zone. */
  readonly align: string;
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
  return { interval: intervalOf(interval), day: dayStartOf(align), align };
}

export async function readChartBars(sources: BarSources, chart: Chart, range: ChartRange): Promise<ChartPage> {
  const { interval, day, align } = chart;
  const perBar = Math.ceil(longest(interval) / TIMEFRAME_MS[storedTimeframe(interval, day)]);
  const limit = Math.min(range.limit, Math.max(1, Math.floor(MAX_STORED_BARS / perBar) - 1));
  const { made, isCut, position } = await madeBars(sources, chart, range, (limit + 1) * perBar);
  const series = importedSeries(interval, align);
  const imported = series ? await sources.store.bars({ ...range, limit: limit + 1, timeframe: series }) : [];
  // A bar of the source itself comes before one that is made of others.
  const byTime = new Map([...made, ...imported].map((bar) => [bar.time, bar]));
  const all = [...byTime.values()].sort((a, b) => a.time - b.time);
  const bars = range.first === 'oldest' ? all.slice(0, limit) : all.slice(-limit);
  return { bars, hasMore: bars.length > 0 && (isCut || all.length > bars.length), position };
}

function intervalOf(text: string): ChartInterval {
  const interval = parseInterval(text);
  if (interval) return interval;
  throw invalidParameter('interval', text, 'a number of minutes up to 1440m, of hours up to 24h, 1d, 1w or 1M');
}

function dayStartOf(align: string): DayStart {
  if (align === 'utc') return UTC_DAY;
  if (align === 'ny') return NEW_YORK_DAY;
  const zone = canonicalZone(align);
  if (zone) return { zone, beforeMidnightMs: 0 };
  throw invalidParameter('align', align, 'utc, ny (17:00 in New York) or an IANA time zone such as Europe/London');
}

/** A 400 that names the allowed values. */
export function invalidParameter(parameter: string, value: string, allowed: string): ServiceError {
  return new ServiceError('invalid_parameter', `${parameter} must be ${allowed}`, {
    errors: [{ parameter, value, allowed }],
  });
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
export function importedSeries(interval: ChartInterval, align: string): string | null {
  const name = nameOf(interval);
  const { zone } = dayStartOf(align);
  const own = align === 'ny' ? align : zone === 'UTC' ? 'utc' : zone;
  return own === 'utc' && isTimeframe(name) ? null : seriesName(name, own);
}

/** `5h` for 300 minutes. */
export function nameOf(interval: ChartInterval): string {
  if (interval.unit !== 'minute') return { day: '1d', week: '1w', month: '1M' }[interval.unit];
  return interval.minutes % 60 === 0 ? `${interval.minutes / 60}h` : `${interval.minutes}m`;
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
  const byTime = new Map(stored.map((bar) => [bar.time, bar]));
  for (const bar of view.recent(symbol, timeframe, range.from, last)) byTime.set(bar.time, bar);
  const chart = new ChartBars(interval, day);
  const bars: Bar[] = [];
  for (const bar of [...byTime.values()].sort((a, b) => a.time - b.time)) {
    const closed = chart.add(bar);
    if (closed) bars.push(closed);
  }
  if (chart.forming) bars.push(chart.forming);
  if (isCut && first === 'oldest') bars.pop();
  else if (isCut) bars.shift();
  return { made: bars, isCut, position };
}
