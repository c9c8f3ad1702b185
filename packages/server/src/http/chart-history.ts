// `GET /api/bars/{symbol}`: bars of any interval, page by page.
import type { BarsPage, BarsQuery, StreamPosition } from '@tickwire/contract';
import { type Bar, intervalAt, type MarketSymbol } from '@tickwire/engine';
import { type Chart, LATEST, parseChart, readChartBars } from '../history/chart-reader.ts';
import type { BarSources } from '../history/recorded-history.ts';

/** A part of the history in one direction. */
export interface Page {
  readonly first: 'oldest' | 'newest';
  readonly from: number;
  readonly to: number;
}

export interface ChartAnswer {
  readonly page: BarsPage;
  readonly position: StreamPosition | null;
}

export async function chartHistory(sources: BarSources, symbol: MarketSymbol, query: BarsQuery): Promise<ChartAnswer> {
  const chart = parseChart(query);
  const page = pageOf(query);
  const { bars, hasMore, position } = await readChartBars(sources, chart, { symbol, ...page, limit: query.limit });
  const next = hasMore ? nextCursor(chart, page, bars) : null;
  const { interval, align } = query;
  return { page: { symbol, interval, align, items: bars.map(itemOf), next }, position };
}

/** The cursor after a page, which has at least one bar. */
export const nextCursor = ({ interval, day }: Chart, { first }: Page, bars: readonly Bar[]): string =>
  first === 'oldest' ? `f${intervalAt(bars.at(-1)!.time, interval, day).end}` : `b${bars[0]!.time}`;

/** A cursor continues in its direction: `f` from a time on, `b` before it. */
export function pageOf({ cursor, from, to = LATEST }: Pick<BarsQuery, 'cursor' | 'from' | 'to'>): Page {
  const time = cursor === undefined ? Number.NaN : Number(cursor.slice(1));
  if (cursor?.startsWith('b')) return { first: 'newest', from: from ?? 0, to: Math.min(to, time - 1) };
  if (cursor) return { first: 'oldest', from: Math.max(from ?? 0, time), to };
  return { first: from === undefined ? 'newest' : 'oldest', from: from ?? 0, to };
}

const itemOf = ({ time, open, high, low, close, volume }: Bar): BarsPage['items'][number] => ({
  time: new Date(time).toISOString(),
  open,
  high,
  low,
  close,
  volume,
});
