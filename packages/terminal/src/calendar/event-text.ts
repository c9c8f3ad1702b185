// Events in words: the countdown in the head of the instrument, and the marks on the chart.

import type { CalendarEvent, EventWindow } from '@tickwire/client';
import { DAY_MS } from '@tickwire/contract/durations.ts';
import { untilText } from '../ui/relative-time.ts';

export interface Countdown {
  readonly text: string;
  /** The current time is inside the window of an event. */
  readonly inside: boolean;
}

export const eventName = ({ country, title }: Pick<CalendarEvent, 'country' | 'title'>): string =>
  title.startsWith(`${country} `) ? title : `${country} ${title}`;

/** The next event within a day, its time first: a long name is cut off. Inside the window of one, that event. `null` if there is neither. */
export function countdownOf({ events, next, window }: EventWindow, now: number): Countdown | null {
  const inside = window !== null && now >= Date.parse(window.from) && now < Date.parse(window.to);
  // Of several events, the one that is nearest.
  const near = inside ? events.toSorted((one, other) => away(one, now) - away(other, now))[0] : undefined;
  const event = near ?? next;
  if (!event) return null;
  const ahead = Date.parse(event.time) - now;
  if (ahead > DAY_MS) return null;
  if (ahead > 0) return { text: `in ${untilText(ahead)} · ${eventName(event)}`, inside };
  return inside ? { text: `${untilText(-ahead)} ago · ${eventName(event)}`, inside } : null;
}

const away = ({ time }: CalendarEvent, now: number): number => Math.abs(Date.parse(time) - now);
