// A configured calendar source, and how its events become events of the calendar.
import { type CalendarImpact, MAX_EVENT_TITLE, MAX_EVENT_VALUE } from '@tickwire/contract';
import { plainText } from '../../documents/plain-text.ts';
import { countryOfCurrency, currencyOfCountry } from '../currencies.ts';
import type { RawCalendarEvent, RawValue } from '../raw-event.ts';
import type { CalendarFormat, ParsedEvent } from './parsed-calendar.ts';

export interface CalendarSource {
  readonly name: string;
  /** The URL of a document that is polled; '' for a file. */
  readonly url: string;
  /** Path of a file that is read when it changes; `null` for a URL. */
  readonly file: string | null;
  readonly format: CalendarFormat | null;
  /** Country of events that state none; `null` if every event states its own. */
  readonly country: string | null;
  readonly currency: string | null;
  /** Time zone of times that state none. */
  readonly timezone: string;
  /** Impact of events that state none and match no phrase. */
  readonly impact: CalendarImpact;
  /** Phrases of titles, in lower case, that decide the impact; the highest impact that matches counts. */
  readonly impacts: Readonly<Partial<Record<CalendarImpact, readonly string[]>>>;
  /** If it is not empty: only events whose title has one of these phrases, in lower case. */
  readonly include: readonly string[];
  /** `title`: ids of the source are ignored, because they change with every poll. */
  readonly match: 'id' | 'title';
  readonly mayBePrivate: boolean;
}

/** `null` if the event is left out: it has no visible title, no country, or is not included. */
export function sourceEvent(source: CalendarSource, event: ParsedEvent): RawCalendarEvent | null {
  const title = plainText(event.title, MAX_EVENT_TITLE);
  const words = title.toLowerCase();
  const country = event.country ?? (event.currency === null ? source.country : countryOfCurrency(event.currency));
  const currency =
    event.currency ?? (event.country === null ? source.currency : null) ?? currencyOfCountry(country ?? '');
  if (title === '' || country === null || currency === null) return null;
  if (source.include.length > 0 && !source.include.some((phrase) => words.includes(phrase))) return null;
  return {
    source: source.name,
    account: null,
    uid: source.match === 'title' ? null : event.uid,
    title,
    country,
    currency,
    impact: event.impact ?? impactOf(source, words),
    time: event.time,
    allDay: event.allDay,
    status: event.status,
    ...('actual' in event && { actual: shortText(event.actual) }),
    ...('forecast' in event && { forecast: shortText(event.forecast) }),
    ...('previous' in event && { previous: shortText(event.previous) }),
    ...('unit' in event && { unit: shortText(event.unit) }),
    ...(event.url && { url: event.url }),
    ...(event.onlyKnown && { onlyKnown: true }),
  };
}

function impactOf({ impact, impacts }: CalendarSource, words: string): CalendarImpact {
  for (const each of ['high', 'medium', 'low'] as const)
    if (impacts[each]?.some((phrase) => words.includes(phrase))) return each;
  return impact;
}

const shortText = (value: RawValue): RawValue =>
  value === undefined || value === null ? value : plainText(value, MAX_EVENT_VALUE) || null;
