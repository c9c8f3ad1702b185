// A page of bars of any interval.
import { type BarsPage, type BarsQuery, DEFAULT_PAGE, MAX_CHART_BARS, type StreamPosition } from '@tickwire/contract';
import { type Bar, intervalAt, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import type { BarDetailReader } from './bar-details.ts';
import { type Chart, lastBefore, longest, parseChart, readChartBars } from './chart-reader.ts';
import type { BarSources } from './recorded-history.ts';
import { barColumns } from './tables/bar-columns.ts';
import { itemsOf } from './tables/json-items.ts';

export interface BarPage {
  readonly first: 'oldest' | 'newest';
  /** Start times of bars, both inclusive. */
  readonly from: number;
  readonly to: number;
}

export interface ChartAnswer {
  readonly page: BarsPage;
  readonly position: StreamPosition | null;
}

export interface BarFieldSources {
  /** That of all bars; `null` if unknown. */
  readonly source: string | null;
  /** `null` if no field needs it. */
  readonly details: BarDetailReader | null;
  /** Minutes that may be read for details. */
  readonly maxMinutes: number;
}

export async function chartHistory(
  sources: BarSources,
  symbol: MarketSymbol,
  query: BarsQuery,
  { source, details, maxMinutes }: BarFieldSources = { source: null, details: null, maxMinutes: 0 },
): Promise<ChartAnswer> {
  const chart = parseChart(query);
  const range = barPageOf(query);
  const { interval, align, fields = [] } = query;
  // Details are read minute by minute, so a page of long bars has fewer of them.
  const most = details?.readsMinutes ? Math.ceil((maxMinutes * MINUTE_MS) / longest(chart.interval)) : MAX_CHART_BARS;
  const limit = Math.min(query.limit ?? DEFAULT_PAGE, most);
  const { bars, hasMore, position } = await readChartBars(sources, chart, { symbol, ...range, limit });
  const detailed = details ? await details.read(bars) : bars;
  const items = (await itemsOf(barColumns(fields, source), detailed)) as BarsPage['items'];
  const next = hasMore ? nextCursor(chart, range, bars) : null;
  return { page: { symbol, interval, align, items, next }, position };
}

/** The cursor after a page, which has at least one bar. */
export const nextCursor = ({ interval, day }: Chart, { first }: BarPage, bars: readonly Bar[]): string =>
  first === 'oldest' ? `f${intervalAt(bars.at(-1)!.time, interval, day).end}` : `b${bars[0]!.time}`;

/** A cursor continues in its direction: `f` from a time on, `b` before it. */
export function barPageOf({ cursor, from, to: end }: Pick<BarsQuery, 'cursor' | 'from' | 'to'>): BarPage {
  const to = lastBefore(end);
  const time = cursor === undefined ? Number.NaN : Number(cursor.slice(1));
  if (cursor?.startsWith('b')) return { first: 'newest', from: from ?? 0, to: Math.min(to, time - 1) };
  if (cursor) return { first: 'oldest', from: Math.max(from ?? 0, time), to };
  return { first: from === undefined ? 'newest' : 'oldest', from: from ?? 0, to };
}
