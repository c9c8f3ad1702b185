// The length of the bars of a file, and where they begin.
import { plural } from '@tickwire/contract';
import {
  asEpochMs,
  type BarAlign,
  type BarInterval,
  DAY_MS,
  dayStartOf,
  HOUR_MS,
  intervalAt,
  intervalMs,
  intervalOfLength,
  MINUTE_MS,
  parseChartInterval,
} from '@tickwire/engine';
import { ImportError } from '../import-error.ts';
import { BROKER } from './timezone.ts';

/** The length is not known yet: the file is being surveyed. */
export const UNKNOWN_INTERVAL: BarInterval = '?';
export const SHORTEST_MONTH_MS = 28 * DAY_MS;
const SUPPORTED = 'any part of a minute or multiple of a minute that divides a day, 1d, 1w and 1M';

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

/** Whether bars of this length begin at the same times in both alignments: New York is whole hours from UTC. */
export const isAlignedAnywhere = (interval: BarInterval): boolean => HOUR_MS % (intervalMs(interval) || HOUR_MS) === 0;

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
