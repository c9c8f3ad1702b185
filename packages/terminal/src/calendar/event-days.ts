// Groups events by day. A day is one of the user's time zone; an all-day event belongs to its date, whatever the zone.
import type { CalendarEvent } from '@tickwire/client';
import { zoned } from '../ui/relative-time.ts';

const TITLE = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
const [localTitle, utcTitle] = [zoned(TITLE), zoned(TITLE, 'UTC')];
const DAY = { day: '2-digit', month: '2-digit', year: 'numeric' } as const;
const [localDay, utcDay] = [zoned(DAY), zoned(DAY, 'UTC')];
const utcDate = zoned({ day: 'numeric', month: 'short' }, 'UTC');
const clock = zoned({ hour: '2-digit', minute: '2-digit' });
const dateAndClock = zoned({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

/** A value that changes later than this after the event was revised. */
const RELEASED_WITHIN_MS = 3_600_000;

export interface EventDay {
  /** `Monday 2 March 2026`. */
  readonly title: string;
  readonly events: readonly CalendarEvent[];
}

/** Days in order; within a day, all-day events come first. */
export function eventDays(events: readonly CalendarEvent[]): readonly EventDay[] {
  const days = new Map<string, { readonly title: string; readonly events: CalendarEvent[] }>();
  for (const event of events) {
    const time = Date.parse(event.time);
    const [key, title] = event.all_day
      ? [sortable(utcDay(time)), utcTitle(time)]
      : [sortable(localDay(time)), localTitle(time)];
    const day = days.get(key) ?? { title, events: [] };
    days.set(key, day);
    day.events.push(event);
  }
  // An all-day event starts at 00:00 UTC, which can be the evening before for the user.
  return [...days]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { title, events: all }]) => ({
      title,
      events: [...all.filter(({ all_day }) => all_day), ...all.filter(({ all_day }) => !all_day)],
    }));
}

/** `12/03/2026` → `2026/03/12`. */
const sortable = (day: string): string => day.split('/').reverse().join('/');

export const eventClock = ({ time, all_day }: Pick<CalendarEvent, 'time' | 'all_day'>): string =>
  all_day ? 'All day' : clock(Date.parse(time));

/** What has changed since the event was announced; '' if nothing. */
export function changeText({ status, moved_from, time, all_day, updated_at }: CalendarEvent): string {
  if (status === 'cancelled') return 'cancelled';
  if (moved_from !== null) {
    const before = Date.parse(moved_from);
    return `moved from ${all_day ? utcDate(before) : dateAndClock(before)}`;
  }
  const revised = status === 'released' && Date.parse(updated_at) - Date.parse(time) > RELEASED_WITHIN_MS;
  return revised ? 'revised' : '';
}

/** A value with its unit, unless the value has one already. */
export function valueText(value: string | null, unit: string | null): string {
  if (value === null || value === '') return '–';
  const shown = value.replace(/^-/, '−');
  return unit === null || value.endsWith(unit) ? shown : `${shown}${/^[A-Za-z]{2}/.test(unit) ? ' ' : ''}${unit}`;
}
