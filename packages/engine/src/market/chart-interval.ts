// Intervals of a chart: any number of minutes up to a day, days, weeks and months, counted from the start of the day, which
// `align` decides.
import { asEpochMs, DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS, utcDate } from './time.ts';
import { canonicalZone, zoneOffset, zoneToUtc } from './time-zone.ts';

export type ChartInterval =
  | { readonly unit: 'minute'; readonly minutes: number }
  | { readonly unit: 'day' | 'week' | 'month' };

/** The name of a start of days: `utc`, `ny` (17:00 in New York), or the canonical name of a time zone, for its midnight. */
export type BarAlign = string;

/** Where a day starts: at midnight of a zone, or some hours before it. */
export interface DayStart {
  readonly zone: string;
  /** Time from the start of the day to midnight. */
  readonly beforeMidnightMs: number;
}

export const UTC_DAY: DayStart = { zone: 'UTC', beforeMidnightMs: 0 };
/** The day of forex ends at 17:00 in New York. */
export const NEW_YORK_DAY: DayStart = { zone: 'America/New_York', beforeMidnightMs: 7 * HOUR_MS };

/** `utc`, `ny`, or a time zone in any spelling; `null` if there is no such zone. */
export function parseAlign(text: string): BarAlign | null {
  if (text === 'utc' || text === 'ny') return text;
  const zone = canonicalZone(text);
  return zone === 'UTC' ? 'utc' : zone;
}

export function dayStartOf(align: BarAlign): DayStart {
  if (align === 'utc') return UTC_DAY;
  return align === 'ny' ? NEW_YORK_DAY : { zone: align, beforeMidnightMs: 0 };
}

const MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60 };
const MINUTES_PER_DAY = 1_440;

/** `90m`, `2h`, `1d`, `1w` or `1M`; `null` if it is none of these. */
export function parseChartInterval(text: string): ChartInterval | null {
  if (text === '1w') return { unit: 'week' };
  if (text === '1M') return { unit: 'month' };
  if (text === '1d') return { unit: 'day' };
  const match = /^([1-9]\d{0,3})([mh])$/.exec(text);
  if (!match) return null;
  const minutes = Number(match[1]) * MINUTES[match[2]!]!;
  if (minutes > MINUTES_PER_DAY) return null;
  return minutes === MINUTES_PER_DAY ? { unit: 'day' } : { unit: 'minute', minutes };
}

/** `5h` for 300 minutes. */
export function chartIntervalName(interval: ChartInterval): string {
  if (interval.unit !== 'minute') return { day: '1d', week: '1w', month: '1M' }[interval.unit];
  return interval.minutes % 60 === 0 ? `${interval.minutes / 60}h` : `${interval.minutes}m`;
}

/** The interval that contains a time. `end` is the start of the next one. */
export function intervalAt(
  time: EpochMs,
  interval: ChartInterval,
  day: DayStart,
): { readonly start: EpochMs; readonly end: EpochMs } {
  const number = dayNumber(time, day);
  switch (interval.unit) {
    case 'minute': {
      // The last interval of a day is shorter if the day is not a multiple of it, or if the clocks change.
      const first = startOfDay(number, day);
      const length = interval.minutes * MINUTE_MS;
      const start = first + Math.floor((time - first) / length) * length;
      return { start: asEpochMs(start), end: asEpochMs(Math.min(start + length, startOfDay(number + 1, day))) };
    }
    case 'day':
      return { start: startOfDay(number, day), end: startOfDay(number + 1, day) };
    case 'week': {
      const monday = number - weekday(number);
      return { start: startOfDay(monday, day), end: startOfDay(monday + 7, day) };
    }
    case 'month': {
      const first = firstOfMonth(number);
      // A month after the 1st plus 31 days lies in the next month.
      return { start: startOfDay(first, day), end: startOfDay(firstOfMonth(first + 31), day) };
    }
  }
}

/** Days since 1970-01-01 in the calendar of the zone. */
function dayNumber(time: number, { zone, beforeMidnightMs }: DayStart): number {
  return Math.floor((time + offsetAt(zone, time) + beforeMidnightMs) / DAY_MS);
}

function startOfDay(number: number, day: DayStart): EpochMs {
  const { zone, beforeMidnightMs } = day;
  const local = number * DAY_MS - beforeMidnightMs;
  if (zone === 'UTC') return asEpochMs(local);
  const start = zoneToUtc(zone, local);
  if (dayNumber(start, day) === number && dayNumber(start - 1, day) === number - 1) return asEpochMs(start);
  // The clocks change at the start of the day: it begins with the change.
  const [before, after] = [zoneOffset(zone, start - DAY_MS / 2), zoneOffset(zone, start + DAY_MS / 2)];
  return asEpochMs(local - Math.min(before, after));
}

const offsetAt = (zone: string, time: number): number => (zone === 'UTC' ? 0 : zoneOffset(zone, time));

/** 0 for a Monday. 1970-01-01 was a Thursday. */
const weekday = (number: number): number => (((number + 3) % 7) + 7) % 7;

const firstOfMonth = (number: number): number => number - utcDate(asEpochMs(number * DAY_MS)).day + 1;
