// Names of the lengths of bars: seconds that divide a minute, minutes that divide a day, days, weeks and months. `1m` is a
// minute, `1M` a month.
//
// Bars are stored without loss as a series of their length: `30m`, `1w`. Bars whose day ends at 17:00 in New York, as those
// of most MetaTrader servers, begin at other times than those of UTC days, and are a separate series: `1d@ny`, `4h@ny`.
// Files of an export may have bars of any minutes up to a day, and of the days of any time zone: `7m`, `1d@Europe/London`.
import type { BarAlign } from './chart-interval.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from './time.ts';

/** A number and a unit: s, m, h, d, w or M. */
export type BarInterval = string;

const UNITS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: WEEK_MS,
};
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

/** The interval of a text such as 5m, 60m, 1M or 60s; `null` if it is none, or bars of this length cannot be stored. */
export function parseBarInterval(text: string): BarInterval | null {
  if (text === '1M') return text;
  const match = /^(\d{1,5})([smhdw])$/.exec(text);
  return match ? intervalOfLength(Number(match[1]) * UNITS[match[2]!]!) : null;
}

/** The name of the series in the store. */
export const seriesName = (interval: BarInterval, align: BarAlign): string =>
  align === 'utc' ? interval : `${interval}@${align}`;

/** How the name of a file has an alignment; empty for days of UTC. */
export const alignMark = (align: BarAlign): string => (align === 'utc' ? '' : `@${align.replaceAll('/', '.')}`);
