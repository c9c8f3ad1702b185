// A page of bars of any interval.
import { type BarsPage, type BarsQuery, DEFAULT_PAGE, type StreamPosition } from '@tickwire/contract';
import { type Bar, intervalAt, type MarketSymbol } from '@tickwire/engine';
import { barColumns } from '../export/bar-columns.ts';
import { type Chart, LATEST, parseChart, readChartBars } from '../history/chart-reader.ts';
import type { BarSources } from '../history/recorded-history.ts';
import { itemsOf } from './history-items.ts';

export interface BarPage {
  readonly first: 'oldest' | 'newest';
  readonly from: number;
  readonly to: number;
}

export interface ChartAnswer {
  readonly page: BarsPage;
  readonly position: StreamPosition | null;
}

/** `source`: that of all bars; `null` if unknown. */
export async function chartHistory(
  sources: BarSources,
  symbol: MarketSymbol,
  query: BarsQuery,
  source: string | null = null,
): Promise<ChartAnswer> {
  const chart = parseChart(query);
  const range = barPageOf(query);
  const { interval, align, limit = DEFAULT_PAGE, fields = [] } = query;
  const { bars, hasMore, position } = await readChartBars(sources, chart, { symbol, ...range, limit });
  const items = itemsOf(barColumns(fields, source), bars) as BarsPage['items'];
  const next = hasMore ? nextCursor(chart, range, bars) : null;
  return { page: { symbol, interval, align, items, next }, position };
}

/** The cursor after a page, which has at least one bar. */
export const nextCursor = ({ interval, day }: Chart, { first }: BarPage, bars: readonly Bar[]): string =>
  first === 'oldest' ? `f${intervalAt(bars.at(-1)!.time, interval, day).end}` : `b${bars[0]!.time}`;

/** A cursor continues in its direction: `f` from a time on, `b` before it. */
export function barPageOf({ cursor, from, to = LATEST }: Pick<BarsQuery, 'cursor' | 'from' | 'to'>): BarPage {
  const time = cursor === undefined ? Number.NaN : Number(cursor.slice(1));
  if (cursor?.startsWith('b')) return { first: 'newest', from: from ?? 0, to: Math.min(to, time - 1) };
  if (cursor) return { first: 'oldest', from: Math.max(from ?? 0, time), to };
  return { first: from === undefined ? 'newest' : 'oldest', from: from ?? 0, to };
}
