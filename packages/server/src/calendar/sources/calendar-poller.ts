// Polls calendar documents. Every event of a document is handed to the intake, which finds the changes.

import { DocumentPoller, type DocumentPollerOptions } from '../../documents/document-poller.ts';
import type { FetchedDocument } from '../../documents/fetch-document.ts';
import { PolledDocument } from '../../documents/polled-document.ts';
import type { Log } from '../../ops/log.ts';
import type { TakeCalendar } from '../raw-event.ts';
import type { CalendarParser } from './calendar-parser.ts';
import { type CalendarSource, sourceEvent } from './calendar-source.ts';

const ACCEPT = 'text/calendar, application/rss+xml, application/atom+xml, text/csv, application/xml;q=0.9, */*;q=0.5';

export interface CalendarPollerOptions extends Omit<DocumentPollerOptions, 'kind'> {
  readonly sources: readonly CalendarSource[];
  readonly take: TakeCalendar;
  readonly parser: CalendarParser;
}

export class CalendarPoller extends DocumentPoller<PolledDocument<CalendarSource>> {
  readonly #options: CalendarPollerOptions;

  constructor(options: CalendarPollerOptions) {
    super(
      options.sources.map((source) => new PolledDocument(source, 0)),
      { ...options, kind: 'calendar', request: { accept: ACCEPT, ...options.request } },
    );
    this.#options = options;
  }

  protected async read(polled: PolledDocument<CalendarSource>, fetched: FetchedDocument): Promise<string | null> {
    const { now } = this.#options;
    const result = await readDocument(polled.source, fetched, this.#options);
    if (typeof result === 'string') return result;
    polled.received(result, now());
    return null;
  }

  protected cancel(): void {
    this.#options.parser.stop();
  }
}

export interface ReadDocumentOptions {
  readonly take: TakeCalendar;
  readonly parser: CalendarParser;
  readonly now: () => number;
  readonly log: Log;
}

/** Returns the number of changes, or why the document could not be read or stored. */
export async function readDocument(
  source: CalendarSource,
  { bytes, contentType, url }: Pick<FetchedDocument, 'bytes' | 'contentType' | 'url'>,
  { take, parser, now, log }: ReadDocumentOptions,
): Promise<number | string> {
  const { format, timezone, name } = source;
  const parsed = await parser.parse({ bytes, contentType, url, format, timezone, now: now() });
  if (!parsed.ok) return `${parsed.failure}: ${parsed.detail}`;
  if (parsed.skipped.length > 0)
    log.debug('events of a calendar document were left out', {
      source: name,
      left_out: parsed.skipped.length,
      first: parsed.skipped[0]!.reason,
    });
  const events = parsed.events.flatMap((event) => sourceEvent(source, event) ?? []);
  try {
    return await take(events);
  } catch (error) {
    // Polled again later: what was not stored then arrives again.
    return `not stored: ${(error as Error).message}`;
  }
}
