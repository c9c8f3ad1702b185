// Parameters of the calls for the economic calendar.
import type { CalendarImpact } from '../common/contract.ts';
import type { Instant } from '../common/instant.ts';

/**
 * Which calendar events to return, at most 366 days.
 * @example await client.calendar({ impact: 'high', symbol: 'EURUSD', from: '2026-03-02', to: '2026-03-09' });
 */
export interface CalendarOptions {
  /** Start of the range, inclusive. Default: one day ago. */
  readonly from?: Instant;
  /** End of the range, exclusive. Default: seven days ahead. */
  readonly to?: Instant;
  /** Only events of these countries: ISO 3166 codes, or `EU` for the euro area. Default: all. */
  readonly country?: string | readonly string[];
  /** Only events of these impacts. Default: all. */
  readonly impact?: CalendarImpact | readonly CalendarImpact[];
  /** Only events that affect this instrument. */
  readonly symbol?: string;
  /** Most events to return, 1 to 1,000. Default 200. */
  readonly limit?: number;
  /** `next` of the previous page. */
  readonly cursor?: string;
}

/**
 * The window around calendar events.
 * @example await client.eventWindow('EURUSD', { before: 5, after: 5, impact: 'high' });
 */
export interface EventWindowOptions {
  /** Minutes before an event, 0 to 1,440. Default 2. */
  readonly before?: number;
  /** Minutes after an event, 0 to 1,440. Default 2. */
  readonly after?: number;
  /** Only events of these impacts. Default: all. */
  readonly impact?: CalendarImpact | readonly CalendarImpact[];
  /** Time to judge. Default: now. */
  readonly at?: Instant;
}
