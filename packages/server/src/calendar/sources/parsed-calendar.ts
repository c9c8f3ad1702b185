// Input and result of parsing a calendar document. Separate from the parser, which loads ical.js and runs on a worker thread.
import type { CalendarImpact } from '@tickwire/contract';
import type { RawCalendarEvent } from '../raw-event.ts';

export const CALENDAR_FORMATS = ['ical', 'feed', 'csv'] as const;
export type CalendarFormat = (typeof CALENDAR_FORMATS)[number];

/** Maximum number of events of one document, with the occurrences of recurring ones. */
export const MAX_DOCUMENT_EVENTS = 5_000;
/** Recurring events are expanded from this many days before the current time to this many after it. */
export const DAYS_BACK = 35;
export const DAYS_AHEAD = 400;

export interface CalendarDocument {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  readonly url: string;
  /** `null`: recognized by its content. */
  readonly format: CalendarFormat | null;
  /** IANA name of the time zone of times that state none. */
  readonly timezone: string;
  readonly now: number;
}

/** An event as a document has it. Country, currency and impact can be left to the configuration of the source. */
export type ParsedEvent = Pick<
  RawCalendarEvent,
  'uid' | 'title' | 'time' | 'allDay' | 'status' | 'actual' | 'forecast' | 'previous' | 'unit' | 'url' | 'onlyKnown'
> & {
  readonly country: string | null;
  readonly currency: string | null;
  readonly impact: CalendarImpact | null;
};

/** A part of a document that was left out. */
export interface SkippedPart {
  /** Line of a CSV file, starting at 1; number of the event in other formats. */
  readonly line: number;
  readonly reason: string;
}

export type ParsedCalendar =
  | {
      readonly ok: true;
      readonly format: CalendarFormat;
      readonly events: readonly ParsedEvent[];
      readonly skipped: readonly SkippedPart[];
    }
  | { readonly ok: false; readonly failure: string; readonly detail: string };

export const calendarFailure = (failure: string, detail: string): ParsedCalendar => ({ ok: false, failure, detail });
