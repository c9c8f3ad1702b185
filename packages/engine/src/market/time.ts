// Time in the engine is integer milliseconds since 1970-01-01 UTC.
import { DAY_MS } from '@tickwire/contract';

export { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from '@tickwire/contract';

declare const brand: unique symbol;

/** Integer milliseconds since 1970-01-01 UTC. */
export type EpochMs = number & { readonly [brand]: 'EpochMs' };

export const asEpochMs = (ms: number): EpochMs => Math.floor(ms) as EpochMs;

/** Days of 400 years, after which the calendar repeats. */
const ERA_DAYS = 146_097;
/** From 0000-03-01 to 1970-01-01. Years that begin in March end with the leap day. */
const DAYS_TO_1970 = 719_468;

/** The calendar date of a time in UTC. Months and days count from 1. */
export function utcDate(time: EpochMs): { readonly year: number; readonly month: number; readonly day: number } {
  const days = Math.floor(time / DAY_MS) + DAYS_TO_1970;
  const era = Math.floor(days / ERA_DAYS);
  const day = days - era * ERA_DAYS;
  const year = Math.floor((day - Math.floor(day / 1_460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365);
  const dayOfYear = day - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const sinceMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = sinceMarch < 10 ? sinceMarch + 3 : sinceMarch - 9;
  const dayOfMonth = dayOfYear - Math.floor((153 * sinceMarch + 2) / 5) + 1;
  return { year: year + era * 400 + (month <= 2 ? 1 : 0), month, day: dayOfMonth };
}

/** Days from 1970-01-01 to a date, written `yyyy-mm-dd`. */
export function dayOfDate(date: string): number {
  return daysSinceEpoch(...(date.split('-').map(Number) as [year: number, month: number, day: number]));
}

/** Days from 1970-01-01 to a date. Months and days count from 1. */
export function daysSinceEpoch(year: number, month: number, day: number): number {
  // The leap day is the last day of a year that begins in March.
  const shifted = month > 2 ? year : year - 1;
  const leaps = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day;
  return shifted * 365 + leaps + dayOfYear - DAYS_TO_1970 - 1;
}
