// Events in words: the countdown in the head of the instrument, and the marks on the chart.

import type { CalendarEvent, EventWindow } from '@tickwire/client';
import { DAY_MS } from '@tickwire/contract/durations.ts';

export interface Countdown {
  readonly text: string;
  /** The current time is inside the window of an event. */
  readonly inside: boolean;
}

/** `12:30` below an hour, `2 h 05 min` above. Rounded up, so that it ends at the event. */
export function untilText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  const pad = (value: number): string => String(value).padStart(2, '0');
  return hours === 0 ? `${minutes}:${pad(seconds % 60)}` : `${hours} h ${pad(minutes)} min`;
}

export const eventName = ({ country, title }: Pick<CalendarEvent, 'country' | 'title'>): string =>
  title.startsWith(`${country} `) ? title : `${country} ${title}`;

/** The next event within a day; inside the window of one, that event. `null` if there is neither. */
export function countdownOf({ events, next, window }: EventWindow, now: number): Countdown | null {
  const inside = window !== null && now >= Date.parse(window.from) && now < Date.parse(window.to);
  // Of several events, the one that is nearest.
  const near = inside ? events.toSorted((one, other) => away(one, now) - away(other, now))[0] : undefined;
  const event = near ?? next;
  if (!event) return null;
  const ahead = Date.parse(event.time) - now;
  if (ahead > DAY_MS) return null;
  if (ahead > 0) return { text: `${eventName(event)} in ${untilText(ahead)}`, inside };
  return inside ? { text: `${eventName(event)} ${untilText(-ahead)} ago`, inside } : null;
}

const away = ({ time }: CalendarEvent, now: number): number => Math.abs(Date.parse(time) - now);
