// Times of the past and future as a person says them; the exact one is a hover away.
import { make } from './elements.ts';
import { NOTHING } from './format.ts';
import { preferences } from './preferences.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Writes milliseconds since the epoch in the time zone of the preferences, whichever that is by then. */
export function zoned(options: Omit<Intl.DateTimeFormatOptions, 'timeZone'>): (ms: number) => string {
  let zone: string | null = null;
  let format = new Intl.DateTimeFormat('en-GB', options);
  return (ms) => {
    const { timeZone } = preferences.choices;
    // Making one takes far longer than using it.
    if (timeZone !== zone) {
      zone = timeZone;
      format = new Intl.DateTimeFormat('en-GB', { ...options, ...(timeZone !== '' && { timeZone }) });
    }
    return format.format(ms);
  };
}

/** `2 Mar 2026`. */
export const dayOf = zoned({ day: 'numeric', month: 'short', year: 'numeric' });
/** `14:05:09`. */
export const clockOf = zoned({ hour: '2-digit', minute: '2-digit', second: '2-digit' });
/** `2 Mar 2026, 14:05:09 CET`: with the zone, as nobody else says which it is. */
export const exactly = zoned({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

/** What is past has passed in full; what is to come is about so far off. */
const span = (ms: number, whole: (value: number) => number): string => {
  if (ms < HOUR) return `${Math.max(1, whole(ms / MINUTE))} min`;
  if (ms < DAY) return `${whole(ms / HOUR)} h`;
  const days = whole(ms / DAY);
  return days === 1 ? '1 day' : `${days} days`;
};

/** Days up to a month off; then the date. */
export function moment(timestamp: string, now: number): string {
  const away = Date.parse(timestamp) - now;
  if (Math.abs(away) > 31 * DAY) return dayOf(Date.parse(timestamp));
  if (away > 0) return `in ${span(away, Math.round)}`;
  return away > -MINUTE ? 'just now' : `${span(-away, Math.floor)} ago`;
}

/** `never` is said where there is none. */
export function momentElement(timestamp: string | null, never = NOTHING): HTMLElement {
  if (timestamp === null) return make('span', 'muted', never);
  const made = make('time', '', moment(timestamp, Date.now()));
  made.dateTime = timestamp;
  made.title = exactly(Date.parse(timestamp));
  return made;
}

/** How old it is, to the second while it is young: for what should keep coming. */
export function age(timestamp: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(timestamp)) / 1_000));
  if (seconds === 0) return 'now';
  return seconds < 60 ? `${seconds} s ago` : moment(timestamp, now);
}

export function ageElement(timestamp: string | null, never = NOTHING): HTMLElement {
  const made = momentElement(timestamp, never);
  if (timestamp !== null) made.textContent = age(timestamp, Date.now());
  return made;
}
