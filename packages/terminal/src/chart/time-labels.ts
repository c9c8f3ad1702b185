// Times below the chart, in the time zone of the preferences. Daily bars are UTC days, whatever the zone.
import { zoned } from '../ui/relative-time.ts';

const DAY_MS = 86_400_000;

const formatsOf = (timeZone?: string) => ({
  clock: zoned({ hour: '2-digit', minute: '2-digit' }, timeZone),
  date: zoned({ day: 'numeric', month: 'short' }, timeZone),
  month: zoned({ month: 'short' }, timeZone),
  year: zoned({ year: 'numeric' }, timeZone),
});
const LOCAL = formatsOf();
const UTC = formatsOf('UTC');

/** Start of a bar, in full. */
export function fullTimeLabel(time: number, intervalMs: number): string {
  return intervalMs >= DAY_MS ? `${UTC.date(time)} ${UTC.year(time)}` : `${LOCAL.date(time)} ${LOCAL.clock(time)}`;
}

export type TimeLabelStep = 'year' | 'month' | 'day' | 'time';

/** Label of a step on the time scale. */
export function stepLabel(time: number, step: TimeLabelStep, intervalMs: number): string {
  const { year, month, date, clock } = intervalMs >= DAY_MS ? UTC : LOCAL;
  return { year, month, day: date, time: clock }[step](time);
}
