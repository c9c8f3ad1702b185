// Small building blocks of the wire: times, symbols and the way query parameters are read.
import { z } from 'zod';

/** ISO 8601 in UTC with milliseconds, as every REST timestamp leaves the service. */
export const Timestamp = z.iso.datetime({ precision: 3 }).meta({ description: 'ISO 8601, UTC' });

/** Unix time in whole seconds, the base of `time` in WebSocket messages. */
export const UnixSeconds = z.int().meta({ description: 'Unix time in seconds' });

export const SymbolCode = z.string().meta({ description: 'Instrument code, upper case on the way out' });

/**
 * Every field of a query or a body says what it allows in words, for the `errors[]` of a 400.
 * `wire` is its JSON Schema as a client sees it, where that cannot be derived from the reading side.
 */
export interface FieldMeta {
  readonly description: string;
  readonly allowed: string;
  readonly wire?: Readonly<Record<string, unknown>>;
}

const strictInteger = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;

/**
 * A whole number in a query string. `1e2`, ` 5` and an empty value are not whole numbers. A maximum of
 * `Number.MAX_SAFE_INTEGER` is none that a client needs to know.
 */
export function integerQuery(description: string, min: number, max: number, fallback: number) {
  const allowed =
    max === Number.MAX_SAFE_INTEGER ? `an integer of at least ${min}` : `an integer from ${min} to ${max}`;
  return z.preprocess(strictInteger, z.int().min(min).max(max)).default(fallback).meta({ description, allowed });
}

export function enumQuery<const T extends readonly [string, ...string[]]>(
  description: string,
  values: T,
  fallback: T[number],
) {
  return z
    .enum(values)
    .default(fallback as never)
    .meta({ description, allowed: `one of ${values.join(', ')}` });
}

/** Only the two words, so that `detail=1` is not taken for a no. */
export function booleanQuery(description: string, fallback: boolean) {
  return z
    .preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean())
    .default(fallback)
    .meta({ description, allowed: 'true or false' });
}

/**
 * A text of a body that is not blank, up to so many characters as a reader counts them: code points, as JSON Schema
 * counts too, not UTF-16 units.
 */
export function filledText(max: number) {
  const counted = new RegExp(`^[^]{1,${max}}$`, 'u');
  return z
    .string()
    .refine(
      (text) => counted.test(text) && /\S/.test(text),
      `must be a text of 1 to ${max} characters that is not blank`,
    )
    .meta({ minLength: 1, maxLength: max });
}

/** Comma-separated values of a fixed set. */
export function setQuery<const T extends readonly [string, ...string[]]>(description: string, values: T) {
  return z
    .preprocess((value) => (typeof value === 'string' ? value.split(',') : value), z.array(z.enum(values)))
    .optional()
    .meta({ description, allowed: `one or more of ${values.join(', ')}, comma-separated` });
}

/** Seconds up to this bound, milliseconds above it: 1e11 s is the year 5138, 1e11 ms is 1973. */
const SECONDS_BOUND = 100_000_000_000;
/** The last instant that an ISO string with a four-digit year can name. */
const LAST_INSTANT = 253_402_300_799_999;

const instant = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  if (/^\d{1,15}$/.test(value)) return Number(value) < SECONDS_BOUND ? Number(value) * 1000 : Number(value);
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(value)) return Number.NaN;
  // A time without an offset is UTC; ECMAScript would read it as local time.
  const utc = value.length > 10 && !/(Z|[+-]\d{2}:\d{2})$/.test(value) ? `${value}Z` : value;
  return Math.floor(Date.parse(utc.replace(' ', 'T')));
};

const INSTANT_FORMS = [
  { type: 'string', format: 'date-time' },
  { type: 'string', format: 'date' },
  { type: 'integer', minimum: 0 },
];

/** A point in time in a query string, read into integer milliseconds since the epoch. */
export function instantQuery(description: string) {
  return z
    .preprocess(instant, z.int().min(0).max(LAST_INSTANT))
    .optional()
    .meta({
      description,
      allowed: 'an ISO 8601 time, or Unix time in seconds or milliseconds',
      wire: { anyOf: INSTANT_FORMS },
    });
}

/** What a name of ours can be, and nobody would write for a time: so a mistyped time stays a mistake. */
const OWN_ID = /^(?!\d{4}-)(?!\d{1,15}$)\w[\w-]{0,63}$/;

/** The end of a page: a point in time, read into milliseconds, or the id of what stood last on the page before. */
export function placeQuery(description: string) {
  const given = (value: unknown): unknown => (typeof value === 'string' && OWN_ID.test(value) ? value : instant(value));
  return z
    .preprocess(given, z.union([z.int().min(0).max(LAST_INSTANT), z.string().regex(OWN_ID)]))
    .optional()
    .meta({
      description,
      allowed: 'an id, an ISO 8601 time, or Unix time in seconds or milliseconds',
      wire: { anyOf: [...INSTANT_FORMS, { type: 'string', pattern: OWN_ID.source }] },
    });
}
