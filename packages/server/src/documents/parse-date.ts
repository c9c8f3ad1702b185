// Parses the dates of feeds: RFC 822 and its variants, ISO 8601, asctime and the forms of common publishing systems. Lenient
// in form, strict in content: a date that cannot be understood, or understood in two ways, is `null`, never a guess.
import { asEpochMs, type EpochMs, MINUTE_MS } from '@tickwire/engine';
import { monthNumber } from './month-names.ts';
import { feedZoneOffset } from './zone-offset.ts';

// Ignored: it is often wrong or in another language.
const WEEKDAY = String.raw`(?:\p{L}[\p{L}\p{M}-]*\.?(?:\s*,\s*|\s+))?`;
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th|\.)?`;
const MONTH = String.raw`(?<month>\p{L}[\p{L}\p{M}]*)\.?`;
const CLOCK = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?(?:\s*(?<half>[ap])\.?m\b\.?)?`;
// A name after a numeric offset repeats it: "+0100 CET".
const OFFSET = String.raw`(?:gmt|utc|z)?\s?[+-]\d{1,2}(?::?\d{1,2})?(?![\d:])`;
const ZONE = String.raw`(?:(?<zone>${OFFSET})(?:\s+(?![ap]m\b)[a-z]{1,5})?|(?<name>[a-z]{1,5}))`;
const CLOCK_AND_ZONE = String.raw`(?:(?:t|\s*,\s*|\s+(?:at\s+|-\s+)?)${CLOCK})?(?:\s*${ZONE})?`;

const FORMS = [
  // 2026-03-02T15:04:05Z, 2026/03/02 15:04
  String.raw`(?<year>\d{4})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})${CLOCK_AND_ZONE}`,
  // 20260302T150405Z
  String.raw`(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})t(?<hour>\d{2})(?<minute>\d{2})(?<second>\d{2})?(?:${ZONE})?`,
  // Mon, 02 Mar 2026 15:04:05 +0000
  String.raw`${WEEKDAY}${DAY}[\s-]+(?:de\s+)?${MONTH}\s*,?[\s-]+(?:de\s+)?(?<year>\d{4}|\d{2})${CLOCK_AND_ZONE}`,
  // Mon, Mar 2, 2026 3:04 PM ET
  String.raw`${WEEKDAY}${MONTH}\s+${DAY}(?:\s*,\s*|\s+)(?<year>\d{4})${CLOCK_AND_ZONE}`,
  // Mon Mar  2 15:04:05 2026 (asctime), also with a zone before the year
  String.raw`${WEEKDAY}${MONTH}\s+${DAY}\s+${CLOCK}(?:\s+${ZONE})?\s+(?<year>\d{4})`,
  // 24/11/2023 10:00
  String.raw`${WEEKDAY}(?<first>\d{1,2})(?<mark>[-/.])(?<other>\d{1,2})\k<mark>(?<year>\d{4})${CLOCK_AND_ZONE}`,
].map((form) => new RegExp(`^${form}$`, 'iu'));

/** A longer text is not a date; the patterns are not run on it. */
const MAX_LENGTH = 100;
/** Publishing systems write year 1, 1900 or 1970 if they have no date. */
const FIRST_YEAR = 1990;
const LAST_YEAR = 2100;

export function parseDate(raw: string | null | undefined): EpochMs | null {
  if (!raw || raw.length > MAX_LENGTH * 2) return null;
  // Invisible marks, such as those of text direction, and the minus sign of typography.
  const text = raw
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .replaceAll('\u2212', '-')
    .trim();
  if (text.length > MAX_LENGTH) return null;
  // "+0000 (UTC)", "+01:00[Europe/Berlin]"
  const [, written = '', comment] = /^([^([]*?)\s*(?:[([]([^)\]]*)[)\]])?$/.exec(text) ?? [];
  for (const form of FORMS) {
    const groups = form.exec(written)?.groups;
    if (groups) return instant(groups, comment);
  }
  return null;
}

/** A time without a zone is UTC; a date without a time is its midnight. */
function instant(parts: Partial<Record<string, string>>, comment: string | undefined): EpochMs | null {
  const day = dayOf(parts);
  const time = timeOf(parts);
  if (day === null || time === null) return null;
  // A comment repeats the zone, or is the only one.
  const offset = feedZoneOffset(parts.zone ?? parts.name ?? comment?.trim() ?? 'utc', day + time);
  return offset === null ? null : asEpochMs(day + time - offset * MINUTE_MS);
}

/** Midnight of the date, as if it were UTC. */
function dayOf({ year: written, month, day, first, other }: Partial<Record<string, string>>): number | null {
  const year = written!.length === 2 ? Number(written) + (Number(written) < 70 ? 2_000 : 1_900) : Number(written);
  if (year < FIRST_YEAR || year > LAST_YEAR) return null;
  if (month === undefined) {
    // The order of day and month differs between countries.
    const dates = new Set([midnight(year, Number(first), Number(other)), midnight(year, Number(other), Number(first))]);
    dates.delete(null);
    return dates.size === 1 ? [...dates][0]! : null;
  }
  return midnight(year, /^\d/.test(month) ? Number(month) : monthNumber(month), Number(day));
}

/** `null` if the calendar has no such day. */
function midnight(year: number, month: number | null, day: number): number | null {
  if (month === null) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  return month >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : null;
}

/** Milliseconds since midnight. */
function timeOf({ hour, minute, second, fraction, half }: Partial<Record<string, string>>): number | null {
  let hours = Number(hour ?? 0);
  const minutes = Number(minute ?? 0);
  const seconds = Number(second ?? 0);
  if (half !== undefined) {
    if (hours < 1 || hours > 12) return null;
    hours = (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  }
  // Second 60 is a leap second, 24:00 the end of a day.
  if (hours > 24 || minutes > 59 || seconds > 60 || (hours === 24 && minutes + seconds > 0)) return null;
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000 + Math.floor(Number(`0.${fraction ?? 0}`) * 1_000);
}
