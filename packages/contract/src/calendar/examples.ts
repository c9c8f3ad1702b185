// Examples of the economic calendar.
import type { EndpointExamples } from '../common/endpoint.ts';
import type { CALENDAR_ENDPOINTS } from './endpoints.ts';
import type { CalendarEvent } from './schemas.ts';

const CALENDAR_EVENT_EXAMPLE: CalendarEvent = {
  id: 'cal_5f2c8e1a9b3d4076',
  title: 'Consumer price index, flash estimate',
  country: 'EU',
  currency: 'EUR',
  impact: 'high',
  time: '2026-03-03T10:00:00.000Z',
  all_day: false,
  status: 'scheduled',
  actual: null,
  forecast: '2.1%',
  previous: '2.0%',
  unit: null,
  source: 'example-statistics',
  url: 'https://statistics.example.com/releases/cpi-2026-02',
  symbols: ['EURUSD', 'EURGBP'],
  moved_from: null,
  revision: 1,
  updated_at: '2026-02-24T08:00:04.120Z',
};

const jobs: CalendarEvent = {
  id: 'cal_0b7d44c2e8f16a35',
  title: 'Employment situation',
  country: 'US',
  currency: 'USD',
  impact: 'high',
  time: '2026-03-06T13:30:00.000Z',
  all_day: false,
  status: 'moved',
  actual: null,
  forecast: '160',
  previous: '143',
  unit: 'K',
  source: 'example-statistics',
  url: null,
  symbols: ['EURUSD', 'XAUUSD'],
  moved_from: '2026-03-05T13:30:00.000Z',
  revision: 2,
  updated_at: '2026-02-27T15:00:09.482Z',
};

export const CALENDAR_EXAMPLES: EndpointExamples<typeof CALENDAR_ENDPOINTS> = {
  calendar: {
    request: '/api/calendar?from=2026-03-02&to=2026-03-09&impact=high&symbol=EURUSD',
    response: {
      items: [CALENDAR_EVENT_EXAMPLE, jobs],
      count: 2,
      from: '2026-03-02T00:00:00.000Z',
      to: '2026-03-09T00:00:00.000Z',
      next: null,
    },
  },
  eventWindow: {
    request: '/api/market/EURUSD/window?before=2&after=2&at=2026-03-03T09:58:30Z',
    response: {
      symbol: 'EURUSD',
      at: '2026-03-03T09:58:30.000Z',
      before: 2,
      after: 2,
      inside: true,
      events: [CALENDAR_EVENT_EXAMPLE],
      next: CALENDAR_EVENT_EXAMPLE,
      window: { from: '2026-03-03T09:58:00.000Z', to: '2026-03-03T10:02:00.000Z' },
      all_day: [],
    },
  },
  calendarSources: {
    request: '/api/calendar/sources',
    response: {
      items: [
        {
          name: 'example-statistics',
          url: 'https://statistics.example.com/calendar.ics',
          state: 'ok',
          last_item_at: '2026-02-27T15:00:09.482Z',
          last_poll_at: '2026-03-02T11:23:41.006Z',
          items: 214,
          unchanged: 310,
          failures: 0,
          last_error: null,
        },
      ],
      count: 1,
    },
  },
  ingestCalendar: {
    request: '/ingest/calendar',
    // The last line has no country.
    lines: [
      '{"id":"cpi-2026-02","title":"Consumer price index, flash estimate","country":"EU","impact":"high","time":"2026-03-03T10:00:00Z","forecast":"2.1%","previous":"2.0%"}',
      '{"title":"Bank holiday","country":"JP","impact":"low","time":"2026-03-20"}',
      '{"title":"Employment situation","time":"2026-03-06T13:30:00Z"}',
    ],
    response: {
      accepted: 2,
      rejected: [{ line: 3, code: 'malformed_line', detail: 'country must be an ISO 3166 code of two letters, or EU' }],
      rejected_count: 1,
    },
  },
};
