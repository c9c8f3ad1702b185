// Whether a time is inside the window of a calendar event: time − before ≤ at < time + after. Pure.
import { type CalendarEvent, type CalendarImpact, type EventWindow, iso } from '@tickwire/contract';
import { DAY_MS, MINUTE_MS } from '@tickwire/engine';

export interface WindowSpan {
  /** Minutes. */
  readonly before: number;
  readonly after: number;
}

/** Whether an event can open a window. Its date alone does not. */
export const opensWindow = ({ all_day, status }: Pick<CalendarEvent, 'all_day' | 'status'>): boolean =>
  !all_day && status !== 'cancelled';

/** Whether `at` is inside the window of an event at `time`, in epoch milliseconds: half-open. */
export const isInside = (at: number, time: number, { before, after }: WindowSpan): boolean =>
  at >= time - before * MINUTE_MS && at < time + after * MINUTE_MS;

export const affects = (
  { symbols, impact }: Pick<CalendarEvent, 'symbols' | 'impact'>,
  symbol: string,
  impacts: readonly CalendarImpact[] | undefined,
): boolean => symbols.includes(symbol) && (impacts === undefined || impacts.includes(impact));

/** `events`: those that affect the instrument, by ascending time. Further ones than a day from `at` only extend the window. */
export function windowAt(symbol: string, at: number, span: WindowSpan, events: readonly CalendarEvent[]): EventWindow {
  const timed = events.filter(opensWindow);
  const inside = timed.filter(({ time }) => isInside(at, Date.parse(time), span));
  const midnight = at - (at % DAY_MS);
  return {
    symbol,
    at: iso(at),
    before: span.before,
    after: span.after,
    inside: inside.length > 0,
    events: inside,
    next: timed.find(({ time }) => Date.parse(time) > at) ?? null,
    window: inside.length > 0 ? unbroken(at, span, timed) : null,
    all_day: events.filter(
      ({ all_day, status, time }) => all_day && status !== 'cancelled' && Date.parse(time) === midnight,
    ),
  };
}

/** The union of the windows that overlap or touch, around `at`. */
function unbroken(at: number, { before, after }: WindowSpan, events: readonly CalendarEvent[]): EventWindow['window'] {
  let current: { from: number; to: number } | null = null;
  for (const { time } of events) {
    const from = Date.parse(time) - before * MINUTE_MS;
    const to = Date.parse(time) + after * MINUTE_MS;
    if (from === to) continue;
    if (current && from <= current.to) current = { from: current.from, to: Math.max(current.to, to) };
    else if (current && at < current.to) break;
    else current = { from, to };
  }
  return current && { from: iso(current.from), to: iso(current.to) };
}
