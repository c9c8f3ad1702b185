// The economic calendar, and the windows around its events.
import type {
  CalendarIngestAnswer,
  CalendarLine,
  CalendarPage,
  CalendarSourceList,
  EventWindow,
} from '../common/contract.ts';
import type { CalendarOptions, EventWindowOptions } from './calendar-options.ts';
import { NewsApi } from './news-api.ts';
import { type CallOptions, get, ndjsonBody, type PostOptions, postIdempotent } from './request.ts';

/** The economic calendar; part of {@link TickwireClient}. */
export class CalendarApi extends NewsApi {
  /**
   * Calendar events by ascending time. To get the next page, pass `next` as `cursor`.
   * @example const { items } = await client.calendar({ impact: 'high', symbol: 'EURUSD' });
   */
  calendar(options: CalendarOptions = {}, call?: CallOptions): Promise<CalendarPage> {
    return get(this.rest, '/api/calendar', { ...options }, call);
  }

  /**
   * Whether a time is inside the window of a calendar event that affects an instrument, which events these are, and the next one.
   * @example const { inside, events, next } = await client.eventWindow('EURUSD', { before: 2, after: 2 });
   */
  eventWindow(symbol: string, options: EventWindowOptions = {}, call?: CallOptions): Promise<EventWindow> {
    return get(this.rest, `/api/market/${encodeURIComponent(symbol)}/window`, { ...options }, call);
  }

  /**
   * State of the calendar sources. Needs the scope `admin`.
   * @example const { items } = await client.calendarSources();
   */
  calendarSources(call?: CallOptions): Promise<CalendarSourceList> {
    return get(this.rest, '/api/calendar/sources', {}, call);
  }

  /**
   * Pushes your own calendar events. Each line is accepted or rejected on its own. Needs the scope `ingest`.
   * @example await client.ingestCalendar([{ id: 'cpi-2', title: 'CPI', country: 'US', impact: 'high', time: '2026-03-11T12:30:00Z' }]);
   */
  ingestCalendar(lines: Iterable<CalendarLine>, options?: PostOptions): Promise<CalendarIngestAnswer> {
    return postIdempotent(this.rest, '/ingest/calendar', ndjsonBody(lines), options);
  }
}
