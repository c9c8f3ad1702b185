// Sample calendar events.
import type { CalendarEvent } from '@tickwire/contract';
import { MINUTE_MS } from '@tickwire/engine';
import type { RawCalendarEvent } from '../src/calendar/raw-event.ts';

/** Monday, 2026-03-02, 00:00 UTC. */
export const CALENDAR_MONDAY = Date.UTC(2026, 2, 2);

/** An event this many minutes into Monday. */
export const calendarEvent = (id: string, minute: number, changes: Partial<CalendarEvent> = {}): CalendarEvent => ({
  id,
  title: `Event ${id}`,
  country: 'US',
  currency: 'USD',
  impact: 'high',
  time: new Date(CALENDAR_MONDAY + minute * MINUTE_MS).toISOString(),
  all_day: false,
  status: 'scheduled',
  actual: null,
  forecast: null,
  previous: null,
  unit: null,
  source: 'test',
  url: null,
  symbols: ['EURUSD', 'XAUUSD'],
  moved_from: null,
  revision: 1,
  updated_at: new Date(CALENDAR_MONDAY).toISOString(),
  ...changes,
});

/** An event as a source delivers it, at 13:30 on Monday. */
export const rawEvent = (changes: Partial<RawCalendarEvent> = {}): RawCalendarEvent => ({
  source: 'test',
  account: null,
  uid: 'cpi',
  title: 'CPI',
  country: 'US',
  currency: 'USD',
  impact: null,
  time: CALENDAR_MONDAY + 810 * MINUTE_MS,
  allDay: false,
  status: null,
  ...changes,
});
