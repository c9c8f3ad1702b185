// Endpoints of the economic calendar: events, windows around them, sources and pushed events.
import { endpoint } from '../common/endpoint.ts';
import { CalendarIngestAnswer, CalendarLine } from './ingest.ts';
import { CalendarPage, CalendarQuery, EventWindow, WindowQuery } from './schemas.ts';
import { CalendarSourceList } from './sources.ts';

export const CALENDAR_ENDPOINTS = {
  calendar: endpoint({
    method: 'GET',
    path: '/api/calendar',
    tag: 'Calendar',
    summary: 'List calendar events',
    description:
      'Returns the events of the economic calendar in a time range, by ascending time. A revised value or a new time is a ' +
      'revision of its event, which keeps its `id`. The range may cover up to 366 days.',
    auth: 'key',
    scope: 'read',
    query: CalendarQuery,
    response: CalendarPage,
    errors: ['invalid_parameter', 'store_unavailable'],
  }),
  eventWindow: endpoint({
    method: 'GET',
    path: '/api/market/{symbol}/window',
    tag: 'Calendar',
    summary: 'Tell whether a time is near a calendar event',
    description:
      'Returns whether a time is inside the window of an event that affects the instrument, which events these are, and the ' +
      'next one. The window of an event starts `before` minutes before its time (inclusive) and ends `after` minutes after it ' +
      '(exclusive). All-day and cancelled events open no window.',
    auth: 'key',
    scope: 'read',
    query: WindowQuery,
    response: EventWindow,
    errors: ['invalid_parameter', 'malformed_path', 'symbol_not_found', 'store_unavailable'],
  }),
  calendarSources: endpoint({
    method: 'GET',
    path: '/api/calendar/sources',
    tag: 'Calendar',
    summary: 'Get the status of the calendar sources',
    description: 'Returns the state and counters of each source.',
    auth: 'key',
    scope: 'admin',
    response: CalendarSourceList,
    errors: [],
  }),
  ingestCalendar: endpoint({
    method: 'POST',
    path: '/ingest/calendar',
    tag: 'Ingest',
    summary: 'Push calendar events',
    description:
      'Accepts calendar events from your own sources as NDJSON, plain or compressed with gzip. Each line is accepted or ' +
      'rejected on its own: the response counts the accepted lines and lists the rejected ones. All accepted events are ' +
      'stored when the response is sent. An account revises only its own events, and the names of configured sources are ' +
      'reserved. The rate limit counts lines, not requests.',
    auth: 'key',
    scope: 'ingest',
    lines: CalendarLine,
    idempotent: true,
    response: CalendarIngestAnswer,
    errors: [
      'idempotency_conflict',
      'invalid_parameter',
      'malformed_body',
      'payload_too_large',
      'unsupported_encoding',
      'store_unavailable',
    ],
  }),
} as const;
