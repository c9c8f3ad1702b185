// Endpoints of the economic calendar: events, windows around them, sources and pushed events.
import { ADMIN, endpoint, READ } from '../common/endpoint.ts';
import { CalendarIngestAnswer, CalendarLine } from './ingest.ts';
import { CalendarPage, CalendarQuery, EventWindow, WindowQuery } from './schemas.ts';
import { CalendarSourceList } from './sources.ts';

export const CALENDAR_ENDPOINTS = {
  calendar: endpoint({
    ...READ,
    replay: true,
    path: '/api/calendar',
    tag: 'Calendar',
    summary: 'List calendar events',
    description:
      'Returns the events of the economic calendar in a range of up to 366 days, by ascending time. A revision keeps the `id` of its event.',
    query: CalendarQuery,
    response: CalendarPage,
  }),
  eventWindow: endpoint({
    ...READ,
    replay: true,
    path: '/api/market/{symbol}/window',
    tag: 'Calendar',
    summary: 'Tell whether a time is near a calendar event',
    description:
      'Returns whether a time is inside the window of an event that affects the instrument, which events these are, and the ' +
      'next one. The window of an event starts `before` minutes before its time (inclusive) and ends `after` minutes after it ' +
      '(exclusive). All-day and cancelled events open no window.',
    query: WindowQuery,
    response: EventWindow,
  }),
  calendarSources: endpoint({
    ...ADMIN,
    method: 'GET',
    path: '/api/calendar/sources',
    tag: 'Calendar',
    summary: 'Get the status of the calendar sources',
    description: 'Returns the state and counters of each source.',
    response: CalendarSourceList,
  }),
  ingestCalendar: endpoint({
    method: 'POST',
    path: '/ingest/calendar',
    tag: 'Ingest',
    summary: 'Push calendar events',
    description:
      'Accepts calendar events from your own sources. Each line is accepted or rejected separately. All accepted events are ' +
      'stored when the response is sent. An account revises only its own events. The rate limit counts lines, not requests.',
    auth: 'key',
    scope: 'ingest',
    lines: CalendarLine,
    idempotent: true,
    response: CalendarIngestAnswer,
  }),
} as const;
