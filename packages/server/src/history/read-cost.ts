// What a request for history reads, estimated before anything is read: in rows, which are stored bars, ticks, or what takes as long.
// A range that is too long costs nothing: its handler refuses it.
import {
  type BarsQuery,
  type CoverageQuery,
  DEFAULT_PAGE,
  type FootprintQuery,
  type IndicatorsQuery,
  MAX_COVERAGE_BARS,
  MAX_PROFILE_DAYS,
  type ProfileQuery,
  type SeveralBarsQuery,
  TIMEFRAME_MS,
  type TicksQuery,
} from '@tickwire/contract';
import { DAY_MS, MINUTE_MS } from '@tickwire/engine';
import type { HandlerCall, ReadCost } from '../http/handler.ts';
import { MAX_DETAIL_MINUTES, needsMinutes } from './bar-details.ts';
import { barPageOf } from './chart-history.ts';
import { type Chart, longest, MAX_STORED_BARS, parseChart, storedPerBar } from './chart-reader.ts';
import { MAX_FOOTPRINT_MINUTES } from './footprints.ts';
import { isFile } from './history-files.ts';
import { formatOf } from './history-format.ts';
import { specsOf } from './indicator-handlers.ts';
import { barsBefore } from './warm-up.ts';

/** The volume at price of a minute takes as long as this many bars. */
const ROWS_PER_MINUTE = 5;
/** Writing a file takes turns with other work. Its rows count against those of files per day. */
const OF_FILE: ReadCost = { rows: Number.POSITIVE_INFINITY, counted: true };

const pageOf = (rows: number): ReadCost => ({ rows, counted: false });

export function barsCost({ query: given, request, now }: HandlerCall): ReadCost {
  const query = given as BarsQuery & Partial<SeveralBarsQuery>;
  if (isFile(formatOf(query.format, request.headers.get('accept')))) return OF_FILE;
  const { symbols = [''], fields = [], limit = DEFAULT_PAGE } = query;
  const chart = parseChart(query);
  const bars = Math.min(limit, barsIn(chart, barPageOf(query), now));
  const minutes = needsMinutes(fields) ? Math.min(minutesOf(chart, bars), MAX_DETAIL_MINUTES / symbols.length) : 0;
  return pageOf(symbols.length * (storedRows(chart, bars) + minutes * ROWS_PER_MINUTE));
}

export function ticksCost({ query: given, request }: HandlerCall): ReadCost {
  const { format, limit = DEFAULT_PAGE } = given as TicksQuery;
  return isFile(formatOf(format, request.headers.get('accept'))) ? OF_FILE : pageOf(limit);
}

export function indicatorsCost({ query: given, now }: HandlerCall): ReadCost {
  const query = given as IndicatorsQuery;
  const chart = parseChart(query);
  const specs = specsOf(query);
  const before = Math.max(0, ...specs.map(barsBefore));
  const bars = Math.min(query.limit, barsIn(chart, barPageOf(query), now)) + before;
  return pageOf(storedRows(chart, bars) + bars * specs.length);
}

export function profileCost({ query: given, now }: HandlerCall): ReadCost {
  const { to = now, from = to - (to % DAY_MS) } = given as ProfileQuery;
  return pageOf(to - from > MAX_PROFILE_DAYS * DAY_MS ? 0 : ((to - from) / MINUTE_MS) * ROWS_PER_MINUTE);
}

export function footprintCost({ query: given, now }: HandlerCall): ReadCost {
  const query = given as FootprintQuery;
  const chart = parseChart(query);
  const bars = Math.min(query.limit, barsIn(chart, barPageOf(query), now));
  const minutes = Math.min(minutesOf(chart, bars), Math.max(MAX_FOOTPRINT_MINUTES, minutesOf(chart, 1)));
  return pageOf(storedRows(chart, bars) + minutes * ROWS_PER_MINUTE);
}

export function coverageCost({ query: given, now }: HandlerCall): ReadCost {
  const { timeframe, to = now, from = to - DAY_MS } = given as CoverageQuery;
  const bars = (Math.min(to, now) - from) / TIMEFRAME_MS[timeframe];
  return pageOf(bars > MAX_COVERAGE_BARS ? 0 : 2 * bars);
}

/** Stored bars that a page of this many bars is made of. */
export const storedRows = (chart: Chart, bars: number): number =>
  Math.min((bars + 1) * storedPerBar(chart), MAX_STORED_BARS);

const minutesOf = ({ interval }: Chart, bars: number): number => (bars * longest(interval)) / MINUTE_MS;

/** At most so many bars can start in a range. */
const barsIn = (
  { interval }: Chart,
  { from, to }: { readonly from: number; readonly to: number },
  now: number,
): number => Math.max(0, Math.ceil((Math.min(to, now) - from) / longest(interval))) + 1;
