// Times below the chart, in the time zone of the preferences. Daily bars are UTC days, whatever the zone.
import { DAY_MS, MINUTE_MS } from '@tickwire/contract/durations.ts';
import { zoned } from '../../ui/relative-time.ts';

const formatsOf = (timeZone?: string) => ({
  clock: zoned({ hour: '2-digit', minute: '2-digit' }, timeZone),
  seconds: zoned({ hour: '2-digit', minute: '2-digit', second: '2-digit' }, timeZone),
  date: zoned({ day: 'numeric', month: 'short' }, timeZone),
  month: zoned({ month: 'short' }, timeZone),
  year: zoned({ year: 'numeric' }, timeZone),
});
const LOCAL = formatsOf();
const UTC = formatsOf('UTC');
const formatsFor = (intervalMs: number) => {
  const { clock, seconds, ...formats } = intervalMs >= DAY_MS ? UTC : LOCAL;
  return { ...formats, clock: intervalMs < MINUTE_MS ? seconds : clock };
};

/** Start of a bar, in full. */
export function fullTimeLabel(time: number, intervalMs: number): string {
  const { date, year, clock } = formatsFor(intervalMs);
  return `${date(time)} ${(intervalMs >= DAY_MS ? year : clock)(time)}`;
}

export type TimeLabelStep = 'year' | 'month' | 'day' | 'time';

/** Label of a step on the time scale. */
export function stepLabel(time: number, step: TimeLabelStep, intervalMs: number): string {
  const { year, month, date, clock } = formatsFor(intervalMs);
  return { year, month, day: date, time: clock }[step](time);
}
