// Times as people write them: relative while they are near, as a date further away.
import { DAY_MS, MINUTE_MS } from '@tickwire/contract/durations.ts';
import { preferences } from './preferences.ts';
import { spanOf } from './price-age.ts';

/** Formats milliseconds since the epoch, by default in the time zone of the preferences. */
export function zoned(options: Intl.DateTimeFormatOptions, fixedZone?: string): (ms: number) => string {
  let zone: string | null = null;
  let format = new Intl.DateTimeFormat('en-GB', options);
  return (ms) => {
    const timeZone = fixedZone ?? preferences.choices.timeZone;
    // Creating a format takes far longer than using it.
    if (timeZone !== zone) {
      zone = timeZone;
      format = new Intl.DateTimeFormat('en-GB', { ...options, ...(timeZone !== '' && { timeZone }) });
    }
    return format.format(ms);
  };
}

/** `2 Mar 2026`. */
export const dateText = zoned({ day: 'numeric', month: 'short', year: 'numeric' });
/** `14:05:09`. */
export const clockOf = zoned({ hour: '2-digit', minute: '2-digit', second: '2-digit' });
const minuteOf = zoned({ hour: '2-digit', minute: '2-digit' });
const minuteWithDay = zoned({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

/** `14:05` if it is less than half a day old, otherwise `2 Mar, 14:05`: for data that is no longer updated. */
export const timeText = (ms: number, now = Date.now()): string =>
  (now - ms < DAY_MS / 2 ? minuteOf : minuteWithDay)(ms);
/** `2 Mar 2026, 14:05:09 CET`: with the zone, because nothing else shows it. */
export const exactly = zoned({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

/** Relative within a month, then the date. The past is rounded down, the future to the nearest. */
export function moment(timestamp: string, now: number): string {
  const away = Date.parse(timestamp) - now;
  if (Math.abs(away) > 31 * DAY_MS) return dateText(Date.parse(timestamp));
  if (away > 0) return `in ${spanOf(Math.max(MINUTE_MS, away), Math.round)}`;
  return away > -MINUTE_MS ? 'just now' : `${spanOf(-away)} ago`;
}

/** Age in seconds for the first minute, for things that should keep arriving. */
export function age(timestamp: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(timestamp)) / 1_000));
  if (seconds === 0) return 'now';
  return seconds < 60 ? `${seconds} s ago` : moment(timestamp, now);
}

/** `12:30` below an hour, `2:05:09` below two days, `4 d 13 h` above. Rounded up, so that it ends at zero. */
export function untilText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const hours = Math.floor(seconds / 3_600);
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  const pad = (value: number): string => String(value % 60).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return `${hours === 0 ? minutes : `${hours}:${pad(minutes)}`}:${pad(seconds)}`;
}
