// `get_bars`: prices of several instruments over any range in one answer, with statistics. The interval is chosen so that the
// whole range fits the budget, unless the caller asks for one; then the newest bars come first, page by page.
import { type BarsPage, iso, TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import { asEpochMs, ChartBars, DAY_MS, HOUR_MS, intervalAt } from '@tickwire/engine';
import { z } from 'zod';
import { type Chart, parseChart } from '../../history/chart-reader.ts';
import { pauses } from '../../ops/pauses.ts';
import { type Answer, boundedGaps, type Envelope, fit, shortTime, summaryOf, tokensOf } from '../answer.ts';
import { barAt, readGaps } from '../gaps.ts';
import type { DetailedInstrument } from '../instruments.ts';
import { invalidArgument, invalidCursor, type ServiceReader, ToolError } from '../service.ts';
import { correlations, type PriceBar, statisticsOf } from '../statistics.ts';
import { ageOf, alignArg, cursorArg, defineTool, intervalArg, symbolsArg, timeArg, tokensArg } from '../tool.ts';

const MAX_SYMBOLS = 10;
/** Intervals to choose from, shortest first. */
const INTERVALS = ['1m', '5m', '15m', '30m', '1h', '2h', '4h', '8h', '1d', '1w', '1M'] as const;
const DEFAULT_RANGE_MS = 30 * DAY_MS;
/** Bars of the default range if an interval is given. */
const DEFAULT_BARS = 100;
const PAGE_BARS = 10_000;
const MAX_PAGES = 10;
/** A row costs at least this many tokens. */
const MIN_ROW_TOKENS = 8;

const Arguments = z.object({
  symbols: symbolsArg(MAX_SYMBOLS),
  from: timeArg('default: 30 days before to'),
  to: timeArg(),
  interval: intervalArg('such as 5m, 4h, 1d, 1w, 1M; default: fits the range').optional(),
  align: alignArg('start of a day: utc, ny or IANA zone'),
  cursor: cursorArg,
  max_tokens: tokensArg,
});
type Arguments = z.output<typeof Arguments>;

/** Bars of each symbol, ascending. */
type Series = ReadonlyMap<string, readonly PriceBar[]>;

interface Page {
  readonly interval: string;
  /** Show bars that start before this time. */
  readonly before: number;
}

export const barsTool = defineTool({
  name: 'get_bars',
  description:
    'Price history of 1–10 symbols over any range in one call: per symbol return, annualized volatility, max drawdown, high and ' +
    'low with dates; correlations; and rows of bars (OHLCV of one symbol, closes of several).',
  input: Arguments,
  replays: true,
  output: {
    statistics: { type: 'object' },
    columns: { type: 'array' },
    rows: { type: 'array' },
  },
  async run(args, { reader, instruments }) {
    const items = await instruments.resolve(args.symbols);
    const fresh = await instruments.freshness(items);
    const { now } = reader;
    const to = Math.min(args.to ?? now, now);
    const page = args.cursor === undefined ? null : readCursor(args.cursor);
    const from = args.from ?? to - defaultRange(args);
    if (from >= to) throw invalidArgument('from must be before to and the current time');
    const base: Base = { reader, args, items, from, to };
    const basis = statisticsInterval(to - from);
    const series = page ? null : await readAll(base, basis);
    const symbols = items.map(({ symbol }) => symbol);
    const lengthMs = basis === '1w' ? 7 * DAY_MS : TIMEFRAME_MS[basis];
    const gaps = page ? [] : await readGaps(reader, symbols, { from, to, lengthMs });
    const pause = pauses();
    await pause();
    const statistics: Record<string, ReturnType<typeof statisticsOf>> = {};
    for (const [symbol, bars] of series ?? []) {
      statistics[symbol] = statisticsOf(bars);
      await pause();
    }
    const lastEnd = series && lastEndOf(series, parseChart({ interval: basis, align: args.align }));
    const envelope = {
      ...ageOf(reader, fresh, args.to, lastEnd ?? undefined),
      ...boundedGaps([...gaps, ...fresh.missing]),
    };
    const head: Head = {
      envelope,
      from,
      to,
      now,
      statistics: series && {
        interval: basis,
        symbols: statistics,
        ...(items.length > 1 && { correlation: await correlations(series) }),
      },
    };
    await pause();
    if (args.interval === undefined && series) return overview(base, head, series, basis);
    return newestFirst(base, head, page ?? { interval: args.interval!, before: to });
  },
});

interface Base {
  readonly reader: ServiceReader;
  readonly args: Arguments;
  readonly items: readonly DetailedInstrument[];
  readonly from: number;
  readonly to: number;
}

interface Head {
  readonly envelope: Envelope;
  readonly from: number;
  readonly to: number;
  readonly now: number;
  /** `null` on later pages. */
  readonly statistics: {
    readonly interval: string;
    readonly symbols: Record<string, ReturnType<typeof statisticsOf>>;
  } | null;
}

/** The whole range, in the shortest interval that fits the budget. */
async function overview(base: Base, head: Head, series: Series, basis: Timeframe | '1w'): Promise<Answer> {
  const { args } = base;
  const pause = pauses();
  const fits = async (interval: string): Promise<boolean> => {
    const chart = parseChart({ interval, align: args.align });
    const longer = new Map<string, PriceBar[]>();
    for (const [symbol, bars] of series) {
      longer.set(symbol, await aggregate(bars, chart));
      await pause();
    }
    const most = Math.max(...[...longer.values()].map((bars) => bars.length));
    if (most * MIN_ROW_TOKENS > args.max_tokens) return false;
    const rows = rowsOf(longer);
    await pause();
    if (rows.length * MIN_ROW_TOKENS > args.max_tokens) return false;
    return tokensOf(answerOf(head, chart, rows, rows.length, interval, args)) <= args.max_tokens;
  };
  let interval = '1M';
  for (const longer of INTERVALS.slice(INTERVALS.indexOf(basis))) {
    if (!(await fits(longer))) continue;
    interval = longer;
    break;
  }
  const rows = rowsOf(interval === basis ? series : await readAll(base, interval));
  await pause();
  const chart = parseChart({ interval, align: args.align });
  return fit(rows.length, (count) => answerOf(head, chart, rows, count, interval, args), args.max_tokens);
}

/** The newest bars of the range in a given interval. */
async function newestFirst(base: Base, head: Head, { interval, before }: Page): Promise<Answer> {
  const { args, from } = base;
  const chart = parseChart({ interval, align: args.align });
  const { lengthMs } = barAt(chart, before - 1);
  const inRange = Math.ceil((before - from) / lengthMs) + 1;
  const limit = Math.min(inRange, Math.ceil(args.max_tokens / MIN_ROW_TOKENS));
  const series = await readAll({ ...base, to: before }, interval, limit);
  const rows = rowsOf(series);
  // As many as asked for: there may be older ones.
  const hasMore = limit < inRange && [...series.values()].some((bars) => bars.length === limit);
  return fit(rows.length, (count) => answerOf(head, chart, rows, count, interval, args, hasMore), args.max_tokens);
}

type Row = readonly (string | number | null)[];
interface TimedRow {
  readonly time: number;
  readonly row: Row;
}

/** OHLCV of one symbol; closes of several, at all times that one of them has. */
function rowsOf(series: Series): TimedRow[] {
  const [only] = [...series.values()];
  if (series.size === 1)
    return only!.map(({ time, open, high, low, close, volume }) => ({
      time,
      row: [shortTime(time), open, high, low, close, volume],
    }));
  const closes = [...series.values()].map((bars) => new Map(bars.map((bar) => [bar.time, bar.close])));
  const times = [...new Set(closes.flatMap((byTime) => [...byTime.keys()]))].sort((a, b) => a - b);
  return times.map((time) => ({ time, row: [shortTime(time), ...closes.map((byTime) => byTime.get(time) ?? null)] }));
}

/** With the newest `count` rows. */
function answerOf(
  { envelope, statistics, from, to, now }: Head,
  { interval: parsed, day }: Chart,
  rows: readonly TimedRow[],
  count: number,
  interval: string,
  { align }: Arguments,
  hasMore = false,
): Answer {
  const shown = rows.slice(rows.length - count);
  const oldest = shown[0];
  const next = (count < rows.length || hasMore) && oldest ? `${interval}:${shortTime(oldest.time)}` : null;
  const last = shown.at(-1);
  const isForming = last !== undefined && intervalAt(asEpochMs(last.time), parsed, day).end > now;
  const symbols = Object.keys(envelope.market);
  const columns =
    symbols.length === 1
      ? ['time', 'open', 'high', 'low', 'close', 'volume']
      : ['time', ...symbols.map((symbol) => `${symbol} close`)];
  const results = Object.entries(statistics?.symbols ?? {}).map(
    ([symbol, own]) => `${symbol} ${own ? `${own.return_percent > 0 ? '+' : ''}${own.return_percent}%` : 'no bars'}`,
  );
  const summary = summaryOf(
    `${shortTime(from)} to ${shortTime(to)}`,
    results.join(', '),
    `${shown.length} bars of ${interval}${next ? ', older ones with cursor' : ''}`,
    envelope.stale && 'STALE',
  );
  return {
    summary,
    ...envelope,
    from: shortTime(from),
    to: shortTime(to),
    interval,
    ...(align !== 'utc' && { align }),
    ...(statistics && { statistics }),
    columns,
    rows: shown.map(({ row }) => row),
    ...(isForming && { last_bar: 'forming' }),
    next,
  };
}

/** Bars as a longer interval would have them, to see how many there are. */
async function aggregate(bars: readonly PriceBar[], { interval, day }: Chart): Promise<PriceBar[]> {
  const chart = new ChartBars(interval, day);
  const longer: PriceBar[] = [];
  const pause = pauses();
  for (const bar of bars) {
    const closed = chart.add({ ...bar, time: asEpochMs(bar.time), bidVolume: 0, askVolume: 0, basis: 'trade' });
    if (closed) longer.push(closed);
    await pause();
  }
  return chart.forming ? [...longer, chart.forming] : longer;
}

async function readAll(base: Base, interval: string, limit?: number): Promise<Series> {
  const bars = await Promise.all(base.items.map(({ symbol }) => readBars(base, symbol, interval, limit)));
  return new Map(base.items.map(({ symbol }, i) => [symbol, bars[i]!]));
}

/** Bars that start within the range: all of them, or the newest `limit`. */
async function readBars(
  { reader, args, from, to }: Base,
  symbol: string,
  interval: string,
  limit?: number,
): Promise<PriceBar[]> {
  const read = async (query: { from?: string; limit: number; cursor?: string | undefined }) => {
    const { items, next } = await reader.get<BarsPage>(`/api/bars/${symbol}`, {
      interval,
      align: args.align,
      to: iso(to),
      ...query,
    });
    return { bars: items.map((bar) => ({ ...bar, time: Date.parse(bar.time) })), next };
  };
  // Without `from`, the response has the newest bars.
  if (limit !== undefined) return (await read({ limit })).bars.filter(({ time }) => time >= from);
  const found: PriceBar[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { bars, next } = await read({ from: iso(from), limit: PAGE_BARS, cursor });
    found.push(...bars);
    if (next === null) return found;
    cursor = next;
  }
  throw new ToolError(`The range has too many bars of ${symbol}. Choose a shorter one.`);
}

/** What statistics are computed from: about 100 to 2,000 bars. */
function statisticsInterval(rangeMs: number): Timeframe | '1w' {
  if (rangeMs > 20 * 365 * DAY_MS) return '1w';
  if (rangeMs >= 60 * DAY_MS) return '1d';
  if (rangeMs >= 5 * DAY_MS) return '1h';
  return rangeMs >= 6 * HOUR_MS ? '5m' : '1m';
}

/** End of the last bar of the symbol whose bars end first; `null` if one has none. */
function lastEndOf(series: Series, { interval, day }: Chart): number | null {
  const ends = [...series.values()].map((bars) => {
    const last = bars.at(-1);
    return last ? intervalAt(asEpochMs(last.time), interval, day).end : null;
  });
  return ends.includes(null) ? null : Math.min(...(ends as number[]));
}

function defaultRange({ interval, align }: Arguments): number {
  if (interval === undefined) return DEFAULT_RANGE_MS;
  const chart = parseChart({ interval, align });
  const { start, end } = intervalAt(asEpochMs(0), chart.interval, chart.day);
  return DEFAULT_BARS * (end - start);
}

function readCursor(cursor: string): Page {
  const [, interval, time] = /^(\d{1,4}[mhdwM]):(\d{4}-.+)$/.exec(cursor) ?? [];
  const before = time === undefined ? Number.NaN : Date.parse(time);
  if (interval === undefined || Number.isNaN(before)) throw invalidCursor();
  return { interval, before };
}
