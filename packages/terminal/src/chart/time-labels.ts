// Times under the chart, in the time zone that was chosen. Bars of a day are days of UTC, whatever the zone.
import { preferences } from '../preferences.ts';

const DAY = 86_400_000;

type Format = (time: number) => string;

interface Zone {
  readonly name: string;
  readonly clock: Format;
  readonly date: Format;
  readonly month: Format;
  readonly year: Format;
}

const formatOf = (timeZone: string | undefined, options: Intl.DateTimeFormatOptions): Format => {
  const format = new Intl.DateTimeFormat('en-GB', { ...options, ...(timeZone !== undefined && { timeZone }) });
  return (time) => format.format(time);
};

const zoneOf = (name: string): Zone => {
  const zone = name === '' ? undefined : name;
  return {
    name,
    clock: formatOf(zone, { hour: '2-digit', minute: '2-digit' }),
    date: formatOf(zone, { day: 'numeric', month: 'short' }),
    month: formatOf(zone, { month: 'short' }),
    year: formatOf(zone, { year: 'numeric' }),
  };
};

const UTC = zoneOf('UTC');
let chosen: Zone | null = null;

/** Made anew only when another is chosen: making a format costs more than using it. */
function zone(intervalMs: number): Zone {
  if (intervalMs >= DAY) return UTC;
  const { timeZone } = preferences.choices;
  if (chosen?.name !== timeZone) chosen = zoneOf(timeZone);
  return chosen;
}

/** The moment a bar begins, in full. */
export function fullTimeLabel(time: number, intervalMs: number): string {
  const { date, clock, year } = zone(intervalMs);
  return intervalMs >= DAY ? `${date(time)} ${year(time)}` : `${date(time)} ${clock(time)}`;
}

export type Step = 'year' | 'month' | 'day' | 'time';

/** The label of a step of the time scale. */
export function stepLabel(time: number, step: Step, intervalMs: number): string {
  const { year, month, date, clock } = zone(intervalMs);
  return { year, month, day: date, time: clock }[step](time);
}
