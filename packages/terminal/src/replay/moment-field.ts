// Date and time as a field of the browser has them (`2026-03-02T14:05`), in the time zone of the preferences.
import { preferences } from '../ui/preferences.ts';
import { zoned } from '../ui/relative-time.ts';

const FIELD_LENGTH = '2026-03-02T14:05'.length;

/** How far a time zone is ahead of UTC at a time, in milliseconds. '' is the zone of this device. */
function aheadOfUtc(zone: string, ms: number): number {
  const options = { hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const clock = { hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en-GB', { ...options, ...clock, ...(zone !== '' && { timeZone: zone }) });
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return shown - Math.floor(ms / 1_000) * 1_000;
}

export const fieldOf = (ms: number, zone = preferences.choices.timeZone): string =>
  new Date(ms + aheadOfUtc(zone, ms)).toISOString().slice(0, FIELD_LENGTH);

/** Epoch milliseconds; `null` if the field is empty. A time that a change of clocks skips is an hour later. */
export function readField(text: string, zone = preferences.choices.timeZone): number | null {
  const shown = Date.parse(`${text}Z`);
  if (Number.isNaN(shown)) return null;
  // The offset is that of the time, which is known with its offset only.
  const near = shown - aheadOfUtc(zone, shown);
  return shown - aheadOfUtc(zone, near);
}

/** `CET`, for the label of a field. */
const zoneOf = zoned({ timeZoneName: 'short' });
export const zoneName = (ms: number): string => zoneOf(ms).split(', ').at(-1)!;
