// Lengths of bars: seconds that divide a minute, minutes that divide a day, days, weeks and months. `1m` is a minute, `1M` a
// month.
//
// Bars are stored without loss as a series of their length: `30m`, `1w`. Bars whose day ends at 17:00 in New York, as those
// of most MetaTrader servers, begin at other times than those of UTC days, and are a series of their own: `1d@ny`, `4h@ny`.
// Bars shorter than a minute are folded into minutes.
//
// Files of `tickwire export` tell length and alignment in their names. Those may be of any minutes up to a day, counted from
// its start, which may be the midnight of any time zone: `7m`, `1d@Europe/London`.
import { TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import {
  asEpochMs,
  canonicalZone,
  DAY_MS,
  type DayStart,
  HOUR_MS,
  intervalAt,
  MINUTE_MS,
  NEW_YORK_DAY,
  parseInterval as parseChartInterval,
  SECOND_MS,
  UTC_DAY,
} from '@tickwire/engine';
import { ImportError } from './import-error.ts';
import { BROKER } from './timezone.ts';

/** A number and a unit: s, m, h, d, w or M. */
export type BarInterval = string;
/** Where the day of a bar begins: `utc`, 00:00 UTC; `ny`, 17:00 in New York; or the midnight of a time zone. */
export type BarAlign = string;

/** The length is not known yet: the file is being surveyed. */
export const UNKNOWN_INTERVAL: BarInterval = '?';
export const WEEK_MS = 7 * DAY_MS;
const UNITS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: WEEK_MS,
};
const SUPPORTED = 'any part of a minute or multiple of a minute that divides a day, 1d, 1w and 1M';
/** The longest month. */
const MONTH_MS = 31 * DAY_MS;

/** Length in milliseconds; a month counts as its longest. 0 if the length is unknown. */
export function intervalMs(interval: BarInterval): number {
  if (interval === '1M') return MONTH_MS;
  return (UNITS[interval.at(-1)!] ?? 0) * Number.parseInt(interval, 10) || 0;
}

/** The interval of a length; `null` if bars of this length cannot be stored. */
export function intervalOfLength(ms: number): BarInterval | null {
  if (ms === WEEK_MS) return '1w';
  if (!(ms >= SECOND_MS && ms <= DAY_MS) || ms % SECOND_MS !== 0) return null;
  if (DAY_MS % ms !== 0 || (ms < MINUTE_MS ? MINUTE_MS % ms : ms % MINUTE_MS) !== 0) return null;
  const unit = ['d', 'h', 'm', 's'].find((letter) => ms % UNITS[letter]! === 0)!;
  return `${ms / UNITS[unit]!}${unit}`;
}

/** Like intervalOfLength, but throws. */
export function timeframeOfLength(ms: number): BarInterval {
  const interval = intervalOfLength(ms);
  if (interval) return interval;
  throw new ImportError('unsupported_timeframe', `the bars are ${durationText(ms)} long; supported are ${SUPPORTED}`);
}

export const durationText = (ms: number): string =>
  ms % DAY_MS === 0
    ? plural(ms / DAY_MS, 'day')
    : ms % HOUR_MS === 0
      ? plural(ms / HOUR_MS, 'hour')
      : ms % MINUTE_MS === 0
        ? plural(ms / MINUTE_MS, 'minute')
        : `${ms / 1000} seconds`;
const plural = (value: number, unit: string): string => `${value} ${unit}${value === 1 ? '' : 's'}`;

/** The interval of a text such as 5m, 1h, 1M or 60s; `null` if it is none. */
export function parseInterval(text: string): BarInterval | null {
  if (text === '1M') return text;
  const match = /^(\d{1,5})([smhdw])$/.exec(text);
  return match ? intervalOfLength(Number(match[1]) * UNITS[match[2]!]!) : null;
}

export const isTimeframe = (interval: string): interval is Timeframe =>
  (TIMEFRAMES as readonly string[]).includes(interval);

/**
 * XAUUSDh1.csv · EURUSD_M15_2019.csv · eurusd-m1-bid-2019.csv · BTCUSDT-1h-2024-01.csv · EURUSD_Candlestick_1_M_BID.csv
 * M before a number counts minutes, and so does Dukascopy's 1_M. Elsewhere 1M is a month; MN1 always is.
 */
export function timeframeOfName(name: string): BarInterval | null {
  const candle = /_(\d+)_(S|Sec|M|Min|Hour|h|D|Day|W|Week|Month)_/i.exec(name);
  if (candle) {
    if (/^month$/i.test(candle[2]!)) return Number(candle[1]) === 1 ? '1M' : null;
    return parseInterval(`${candle[1]}${candle[2]![0]!.toLowerCase()}`);
  }
  const match = /(?:^|[^a-z0-9]|[A-Za-z]{6})(?:(\d{1,3})(mo|min|[smhdw])|(mn|[smhdw])(\d{1,3}))(?=[^a-z0-9]|$)/i.exec(
    name,
  );
  if (!match) return null;
  const count = Number(match[1] ?? match[4]);
  const unit = match[2] ?? match[3]!;
  const isMonth = /^(mn|mo)$/i.test(unit) || (match[2] === 'M' && count === 1);
  if (isMonth) return count === 1 ? '1M' : null;
  return parseInterval(`${count}${unit[0]!.toLowerCase()}`);
}

/** Whether bars of this length begin at the same times in both alignments: New York is whole hours from UTC. */
export const isAlignedAnywhere = (interval: BarInterval): boolean => HOUR_MS % (intervalMs(interval) || HOUR_MS) === 0;

/** Zones are a multiple of this away from UTC. */
const ZONE_STEP_MS = 15 * MINUTE_MS;
/** EURUSD-1d@ny-2024-03.csv · BTCUSDT-7m-2024-03-01.parquet · EURUSD-1w@Europe.London.ndjson.gz; a point is a slash. */
const EXPORTED_NAME =
  /-([1-9]\d{0,3}[mh]|1d|1w|1M)(?:@([A-Za-z][\w+.-]*?))?(?:-\d{4}(?:-\d\d){0,2})?\.(?:csv|ndjson|parquet)(?:\.gz)?$/;

export interface NamedBars {
  readonly interval: BarInterval;
  readonly align: BarAlign;
}

/**
 * Length and alignment in a name of `tickwire export`, if they need the name to be told: the name has an alignment, or a length
 * that does not divide a day. `null` for other names.
 */
export function exportedBars(name: string): NamedBars | null {
  const [, text, mark] = EXPORTED_NAME.exec(name) ?? [];
  if (text === undefined || !parseChartInterval(text)) return null;
  const minutes = intervalMs(text) / MINUTE_MS;
  const interval = parseInterval(text) ?? (minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`);
  if (mark === undefined) return parseInterval(text) ? null : { interval, align: 'utc' };
  const align = mark === 'utc' || mark === 'ny' ? mark : canonicalZone(mark.replaceAll('.', '/'));
  if (align === null) return null;
  const step = align === 'ny' ? HOUR_MS : ZONE_STEP_MS;
  return { interval, align: step % intervalMs(interval) === 0 ? 'utc' : align };
}

/** How the name of a file has an alignment; empty for days of UTC. */
export const alignMark = (align: BarAlign): string => (align === 'utc' ? '' : `@${align.replaceAll('/', '.')}`);

function dayStartOf(align: BarAlign): DayStart {
  if (align === 'utc') return UTC_DAY;
  return align === 'ny' ? NEW_YORK_DAY : { zone: align, beforeMidnightMs: 0 };
}

/** Start of the bar with this time in its row; NaN if no bar of this interval starts then. */
export function barStart(interval: BarInterval, align: BarAlign, time: number): number {
  if (interval === UNKNOWN_INTERVAL) return time;
  const start = align === 'utc' || align === 'ny' ? regularStart(interval, align, time) : Number.NaN;
  if (!Number.isNaN(start)) return start;
  // Lengths that do not divide a day, days on which the clocks change, and other zones.
  const chart = parseChartInterval(interval);
  return chart && intervalAt(asEpochMs(time), chart, dayStartOf(align)).start === time ? time : Number.NaN;
}

function regularStart(interval: BarInterval, align: 'utc' | 'ny', time: number): number {
  const local = align === 'ny' ? BROKER.toLocal(time) : time;
  if (interval === '1w') {
    if (local % DAY_MS !== 0) return Number.NaN;
    // 1970-01-01 was a Thursday.
    const weekday = (local / DAY_MS + 4) % 7;
    // MetaTrader dates a week by its Sunday, on which its server has no prices.
    if (weekday === 0 && align === 'ny') return BROKER.toUtc(local + DAY_MS);
    return weekday === 1 ? time : Number.NaN;
  }
  if (interval === '1M') return local % DAY_MS === 0 && new Date(local).getUTCDate() === 1 ? time : Number.NaN;
  return local % intervalMs(interval) === 0 ? time : Number.NaN;
}

/** The name of the series in the store. */
export const seriesName = (interval: BarInterval, align: BarAlign): string =>
  align === 'utc' ? interval : `${interval}@${align}`;
