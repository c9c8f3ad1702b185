// Reads a calendar document of any format: iCalendar, RSS or Atom, CSV.
import { SECOND_MS } from '@tickwire/engine';
import { decodeText } from '../../documents/decode-text.ts';
import { parseFeed } from '../../documents/parse-feed.ts';
import { parseCsv } from './parse-csv.ts';
import { parseIcal } from './parse-ical.ts';
import {
  type CalendarDocument,
  type CalendarFormat,
  calendarFailure,
  type ParsedCalendar,
  type ParsedEvent,
  type SkippedPart,
} from './parsed-calendar.ts';
import { statedValues } from './stated-values.ts';

export function parseCalendar(document: CalendarDocument): ParsedCalendar {
  const { bytes, contentType, timezone, now } = document;
  if (bytes.length === 0) return calendarFailure('empty', 'the document is empty');
  const { text } = decodeText(bytes, contentType);
  const format = document.format ?? formatOf(text);
  if (format === 'ical') return parseIcal(text, timezone, now);
  if (format === 'csv') return parseCsv(text, timezone);
  if (format === 'feed') return eventsOfFeed(document);
  return calendarFailure('not_a_calendar', 'neither iCalendar, RSS, Atom nor CSV');
}

function formatOf(text: string): CalendarFormat | null {
  const start = text
    .slice(0, 2_000)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (/^BEGIN:VCALENDAR/i.test(start)) return 'ical';
  if (/<!doctype html|<html[\s>]/i.test(start)) return null;
  if (start.startsWith('<') || start.startsWith('{')) return 'feed';
  return /^[^\r\n]*\b(title|event|name)\b[^\r\n]*$/im.test(start.slice(0, start.search(/[\r\n]|$/))) ? 'csv' : null;
}

/** An item of a feed is an event at its publication time, which release calendars set to that of the release. */
function eventsOfFeed(document: CalendarDocument): ParsedCalendar {
  const parsed = parseFeed(document);
  if (!parsed.ok) return calendarFailure(parsed.failure, parsed.detail);
  const events: ParsedEvent[] = [];
  const skipped: SkippedPart[] = [];
  for (const [index, { guid, url, title, summary, publishedAt }] of parsed.items.entries()) {
    if (publishedAt === null || title.trim() === '') {
      skipped.push({
        line: index + 1,
        reason: publishedAt === null ? 'the item has no date' : 'the item has no title',
      });
      continue;
    }
    events.push({
      uid: guid ?? url,
      title,
      country: null,
      currency: null,
      impact: null,
      time: Math.floor(publishedAt / SECOND_MS) * SECOND_MS,
      allDay: false,
      status: null,
      ...statedValues(summary),
      ...(url !== null && { url }),
    });
  }
  return { ok: true, format: 'feed', events, skipped };
}
