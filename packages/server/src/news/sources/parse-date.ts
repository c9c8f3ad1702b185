// Parses the dates of feeds: RFC 822 and its variants, ISO 8601 and its web profile. Lenient in form, strict in content: a
// date that cannot be understood is `null`, never a guess.
import { asEpochMs, type EpochMs } from '@tickwire/engine';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Hours ahead of UTC. Ambiguous abbreviations have the meaning of RFC 822 (CST), or are missing here (IST). */
const ZONES: Readonly<Record<string, number>> = {
  ...{ z: 0, ut: 0, utc: 0, gmt: 0, wet: 0, west: 1, cet: 1, cest: 2, eet: 2, eest: 3, bst: 1, msk: 3 },
  ...{ est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 },
  ...{ jst: 9, kst: 9, hkt: 8, sgt: 8, aest: 10, aedt: 11, nzst: 12, nzdt: 13 },
};

// Mon, 02 Sep 2024 15:04:05 +0000 — the weekday is ignored: it is often wrong or in another language.
const RFC_822 =
  /^(?:\p{L}+\.?,?\s+)?(\d{1,2})[\s-]+(\p{L}{3,9})\.?,?[\s-]+(\d{4}|\d{2})(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*([a-z]{1,4}|(?:gmt|utc)?[+-]\d{1,2}:?\d{2})?(?:\s*\([^)]*\))?$/iu;
const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[t\s]+(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(z|utc|gmt|[+-]\d{2}(?::?\d{1,2})?)?)?$/i;

/** A longer text is not a date; the patterns are not run on it. */
const MAX_LENGTH = 64;
/** Publishing systems write year 1, 1900 or 1970 if they have no date. */
const FIRST_YEAR = 1990;
const LAST_YEAR = 2100;

export function parseDate(raw: string | null | undefined): EpochMs | null {
  const text = raw?.trim() ?? '';
  if (text === '' || text.length > MAX_LENGTH) return null;
  const iso = ISO_8601.exec(text);
  if (iso) {
    const [, year, month, day, hour, minute, second, fraction, zone] = iso;
    const ms = fraction ? Math.floor(Number(`0.${fraction}`) * 1_000) : 0;
    return instant([year, month, day, hour, minute, second], zone, ms);
  }
  const rfc = RFC_822.exec(text);
  if (!rfc) return null;
  const [, day, name, year, hour, minute, second, zone] = rfc;
  const month = MONTHS.indexOf(name!.slice(0, 3).toLowerCase()) + 1;
  return instant([fullYear(year!), String(month), day, hour, minute, second], zone, 0);
}

const fullYear = (year: string): string => (year.length === 4 ? year : Number(year) < 70 ? `20${year}` : `19${year}`);

/** A time without a zone is UTC; a date without a time is its midnight. */
function instant(parts: readonly (string | undefined)[], zone: string | undefined, ms: number): EpochMs | null {
  const [year, month, day, hour, minute, second] = parts.map((part) => Number(part ?? 0)) as [
    ...[number, number, number],
    ...[number, number, number],
  ];
  const offset = offsetMinutes(zone);
  if (offset === null || year < FIRST_YEAR || year > LAST_YEAR) return null;
  // Second 60 is a leap second, 24:00 the end of a day; Date carries both over.
  if (hour > 24 || minute > 59 || second > 60 || (hour === 24 && minute + second > 0)) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  if (month < 1 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return asEpochMs(date.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1_000 + ms);
}

function offsetMinutes(zone: string | undefined): number | null {
  if (zone === undefined) return 0;
  const numeric = /([+-])(\d{1,2}):?(\d{1,2})?$/.exec(zone);
  if (!numeric) {
    const hours = ZONES[zone.toLowerCase()];
    return hours === undefined ? null : hours * 60;
  }
  // +530 is five and a half hours.
  const minutes = Number(numeric[2]) * 60 + Number(numeric[3] ?? 0);
  return minutes > 14 * 60 ? null : numeric[1] === '-' ? -minutes : minutes;
}
