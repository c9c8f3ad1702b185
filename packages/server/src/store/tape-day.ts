// UTC days as text, by which the tape and its seals are named.
import { iso } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';

/** The UTC day of a time as 2014-05-01. The tape is stored by day. */
export const dayOf = (time: number): string => iso(time).slice(0, 10);

/** The UTC days from one time to another, both inclusive, ascending; empty if `from` is later than `to`. */
export function daysBetween(from: number, to: number): string[] {
  const days: string[] = [];
  for (let start = from - (from % DAY_MS); start <= to; start += DAY_MS) days.push(dayOf(start));
  return days;
}
