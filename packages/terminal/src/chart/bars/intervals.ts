// Lengths of bars, written as in `GET /api/bars`: `7m`, `2h`, `1d`, `1w`, `1M` (a month). Bars count from 00:00 UTC; if an interval
// does not divide the day, its last bar is shorter. Weeks start on Monday. Bars of seconds (`5s`) are made of quotes; the service
// has none.

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from '@tickwire/contract/durations.ts';
import { plural } from '@tickwire/contract/plural.ts';

/** The epoch was a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
/** Usual length, for positions between and after bars. */
const MONTH_MS = 30 * DAY_MS;
const UNITS = {
  s: { ms: SECOND_MS, word: 'second' },
  m: { ms: MINUTE_MS, word: 'minute' },
  h: { ms: HOUR_MS, word: 'hour' },
  d: { ms: DAY_MS, word: 'day' },
  w: { ms: WEEK_MS, word: 'week' },
  M: { ms: MONTH_MS, word: 'month' },
} as const;
const unitOf = (interval: string) => UNITS[interval.at(-1) as keyof typeof UNITS];

/** The intervals that are offered; any other can be typed. */
export const INTERVALS = [
  ...['1m', '2m', '3m', '5m', '10m', '15m', '20m', '30m', '45m'],
  ...['1h', '2h', '3h', '4h', '6h', '8h', '12h', '1d', '1w', '1M'],
];

/** An interval in its shortest form: `60m` is `1h`, a number alone is minutes. `null` if there is no such interval. */
export function readInterval(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const [, digits, unit] = /^\s*(\d{1,4})\s*(m|min|h|d|D|w|W|M)?\s*$/.exec(text) ?? [];
  const count = Number(digits);
  if (!digits || count < 1) return null;
  if (unit === 'M') return count === 1 ? '1M' : null;
  if (unit === 'w' || unit === 'W') return count === 1 ? '1w' : null;
  const minutes = count * (unit === 'd' || unit === 'D' ? 1_440 : unit === 'h' ? 60 : 1);
  if (minutes > 1_440) return null;
  if (minutes === 1_440) return '1d';
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}

/** Length of a bar; of a month, 30 days. */
export function intervalMsOf(interval: string): number {
  return Number.parseInt(interval, 10) * unitOf(interval).ms;
}

/** Start of the bar that contains a time. */
export function barStart(interval: string, timeMs: number): number {
  if (interval === '1M') {
    const date = new Date(timeMs);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  }
  if (interval === '1w') return Math.floor((timeMs - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS;
  const day = Math.floor(timeMs / DAY_MS) * DAY_MS;
  const length = intervalMsOf(interval);
  return day + Math.floor((timeMs - day) / length) * length;
}

/** End of the bar that contains a time. */
export function barEnd(interval: string, timeMs: number): number {
  const start = barStart(interval, timeMs);
  if (interval === '1M') return Date.UTC(new Date(start).getUTCFullYear(), new Date(start).getUTCMonth() + 1);
  if (interval === '1w') return start + WEEK_MS;
  return Math.min(start + intervalMsOf(interval), Math.floor(start / DAY_MS) * DAY_MS + DAY_MS);
}

/** In words: `45 minutes`. */
export function intervalText(interval: string): string {
  const count = Number.parseInt(interval, 10);
  return plural(count, unitOf(interval).word);
}
