// Bars of any interval, page by page: made of stored bars, or imported with that interval.
import { type BarsPage, type BarsQuery, TIMEFRAME_MS } from '@tickwire/contract';
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
const LATEST = 8_640_000_000_000_000;

interface Page {
  readonly forward: boolean;
  /** Start times of bars, both inclusive. */
  readonly from: number;
  readonly to: number;
}

export async function chartHistory(sources: BarSources, symbol: MarketSymbol, query: BarsQuery): Promise<BarsPage> {
  const interval = intervalOf(query.interval);
  const day = dayStartOf(query.align);
  const page = pageOf(query);
  const perBar = Math.ceil(longest(interval) / TIMEFRAME_MS[storedTimeframe(interval, day)]);
  const limit = Math.min(query.limit, Math.max(1, Math.floor(MAX_STORED_BARS / perBar) - 1));
  const { made, isCut } = await madeBars(sources, symbol, interval, day, page, (limit + 1) * perBar);
  const series = importedSeries(interval, query.align);
  const range = { symbol, from: page.from, to: page.to, limit: limit + 1 } as const;
  const imported = series
    ? await sources.store.bars({ ...range, timeframe: series, first: page.forward ? 'oldest' : 'newest' })
    : [];
  // A bar of the source itself comes before one that is made of others.
  const byTime = new Map([...made, ...imported].map((bar) => [bar.time, bar]));
  const bars = [...byTime.values()].sort((a, b) => a.time - b.time);
  const items = page.forward ? bars.slice(0, limit) : bars.slice(-limit);
  const { interval: name, align } = query;
  const hasMore = items.length > 0 && (isCut || bars.length > items.length);
  const next = page.forward
    ? () => `f${intervalAt(items.at(-1)!.time, interval, day).end}`
    : () => `b${items[0]!.time}`;
  return { symbol, interval: name, align, items: items.map(itemOf), next: hasMore ? next() : null };
}

function intervalOf(text: string): ChartInterval {
  const interval = parseInterval(text);
  if (interval) return interval;
  throw invalid('interval', text, 'a number of minutes up to 1440m, of hours up to 24h, 1d, 1w or 1M');
}

function dayStartOf(align: string): DayStart {
  if (align === 'utc') return UTC_DAY;
  if (align === 'ny') return NEW_YORK_DAY;
  const zone = canonicalZone(align);
  if (zone) return { zone, beforeMidnightMs: 0 };
  throw invalid('align', align, 'utc, ny (17:00 in New York) or an IANA time zone such as Europe/London');
}

function invalid(parameter: string, value: string, allowed: string): ServiceError {
  return new ServiceError('invalid_parameter', `${parameter} must be ${allowed}`, {
    errors: [{ parameter, value, allowed }],
  });
}

/** A cursor continues in its direction: `f` from a time on, `b` before it. */
function pageOf({ cursor, from, to = LATEST }: BarsQuery): Page {
  const time = cursor === undefined ? Number.NaN : Number(cursor.slice(1));
  if (cursor?.startsWith('b')) return { forward: false, from: from ?? 0, to: Math.min(to, time - 1) };
  if (cursor) return { forward: true, from: Math.max(from ?? 0, time), to };
  return { forward: from !== undefined, from: from ?? 0, to };
}

/** A day has up to 25 hours, a month up to 31 days. */
function longest(interval: ChartInterval): number {
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
function importedSeries(interval: ChartInterval, align: string): string | null {
  if (align !== 'utc' && align !== 'ny') return null;
  const name = nameOf(interval);
  return align === 'utc' && isTimeframe(name) ? null : seriesName(name, align);
}

function nameOf(interval: ChartInterval): string {
  if (interval.unit !== 'minute') return { day: '1d', week: '1w', month: '1M' }[interval.unit];
  return interval.minutes % 60 === 0 ? `${interval.minutes / 60}h` : `${interval.minutes}m`;
}

/** Bars made of at most `count` stored ones. A bar at the end of the reading that may lack stored ones is left out. */
async function madeBars(
  { store, view }: BarSources,
  symbol: MarketSymbol,
  interval: ChartInterval,
  day: DayStart,
  { forward, from, to }: Page,
  count: number,
): Promise<{ readonly made: readonly Bar[]; readonly isCut: boolean }> {
  const timeframe = storedTimeframe(interval, day);
  const first = intervalAt(asEpochMs(from), interval, day);
  const range = {
    from: first.start === from ? from : first.end,
    to: to === LATEST ? LATEST : intervalAt(asEpochMs(to), interval, day).end - 1,
  };
  const stored = await store.bars({ symbol, timeframe, ...range, limit: count, first: forward ? 'oldest' : 'newest' });
  const isCut = stored.length === count;
  const last = forward && isCut ? stored.at(-1)!.time : range.to;
  const byTime = new Map(stored.map((bar) => [bar.time, bar]));
  for (const bar of view.recent(symbol, timeframe, range.from, last)) byTime.set(bar.time, bar);
  const chart = new ChartBars(interval, day);
  const bars: Bar[] = [];
  for (const bar of [...byTime.values()].sort((a, b) => a.time - b.time)) {
    const closed = chart.add(bar);
    if (closed) bars.push(closed);
  }
  if (chart.forming) bars.push(chart.forming);
  if (isCut && forward) bars.pop();
  else if (isCut) bars.shift();
  return { made: bars, isCut };
}

const itemOf = ({ time, open, high, low, close, volume }: Bar): BarsPage['items'][number] => ({
  time: new Date(time).toISOString(),
  open,
  high,
  low,
  close,
  volume,
});
