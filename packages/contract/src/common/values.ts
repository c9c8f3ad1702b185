// Building blocks of schemas: times, symbols, counts, and readers of query parameters.
import { z } from 'zod';

/** ISO 8601 in UTC with milliseconds, the format of every timestamp in REST responses. */
export const Timestamp = z.iso.datetime({ precision: 3 }).meta({ description: 'ISO 8601 time, UTC' });

/** A timestamp with a description of its own. */
export const timestamp = (description: string) => Timestamp.meta({ description: `${description} (ISO 8601, UTC)` });

/** Unix time in whole seconds, the format of `time` in WebSocket messages. */
export const UnixSeconds = z.int().meta({ description: 'Unix time in seconds' });

export const SymbolCode = z.string().meta({ description: 'Instrument code in upper case' });

export const text = (description: string) => z.string().meta({ description });
export const number = (description: string) => z.number().meta({ description });
export const integer = (description: string) => z.int().meta({ description });
export const nullable = <S extends z.ZodType>(schema: S, description: string) =>
  schema.nullable().meta({ description });

/** The `count` of a list response. */
export const ItemCount = integer('Number of items in this response');

/** A fraction from 0 to 1. */
export const Fraction = z.number().min(0).max(1);

/**
 * Each field of a query or a body states in words what it allows, for the `errors[]` of a 400 response. `wire` is its JSON
 * Schema for clients, if that cannot be derived from the parsed type.
 */
export interface FieldMeta {
  readonly description: string;
  readonly allowed: string;
  readonly wire?: Readonly<Record<string, unknown>>;
}

const strictInteger = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;

/**
 * An integer in a query string. Rejects `1e2`, ` 5` and an empty value. A maximum of `Number.MAX_SAFE_INTEGER` means that
 * there is no documented maximum.
 */
export function integerQuery(description: string, min: number, max: number, fallback: number) {
  const allowed =
    max === Number.MAX_SAFE_INTEGER ? `an integer of at least ${min}` : `an integer between ${min} and ${max}`;
  return z.preprocess(strictInteger, z.int().min(min).max(max)).default(fallback).meta({ description, allowed });
}

/** An integer of at least `min` in a query string, which may be left out. */
export function optionalIntegerQuery(description: string, min: number) {
  return z
    .preprocess(strictInteger, z.int().min(min))
    .optional()
    .meta({ description, allowed: `an integer of at least ${min}` });
}

const strictNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,9}(\.\d{1,6})?$/.test(value) ? Number(value) : value;

/** A decimal number in a query string, from `min` to `max`. Rejects `1e2`, signs and an empty value. */
export function numberQuery(description: string, min: number, max: number, fallback: number) {
  const allowed = `a number between ${min} and ${max}`;
  return z.preprocess(strictNumber, z.number().min(min).max(max)).default(fallback).meta({ description, allowed });
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

/** A decimal number above 0 in a query string, without an exponent. */
export function decimalQuery(description: string, max = Number.MAX_SAFE_INTEGER) {
  const allowed = max === Number.MAX_SAFE_INTEGER ? 'a number above 0' : `a number above 0 and at most ${max}`;
  return z
    .preprocess(
      (value) => (typeof value === 'string' && /^\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value),
      z.number().positive().max(max),
    )
    .meta({ description, allowed });
}

/** Accepts only `true` and `false`, so that `detail=1` is an error instead of `false`. */
export function booleanQuery(description: string, fallback: boolean) {
  return z
    .preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean())
    .default(fallback)
    .meta({ description, allowed: 'true or false' });
}

/** A body text that is not blank. Its length is counted in code points, as in JSON Schema, not in UTF-16 units. */
export function nonBlankText(max: number, description: string) {
  const counted = new RegExp(`^[^]{1,${max}}$`, 'u');
  return z
    .string()
    .refine((value) => counted.test(value) && /\S/.test(value))
    .meta({
      description,
      allowed: `a text of 1 to ${max} characters that is not blank`,
      minLength: 1,
      maxLength: max,
    });
}

/** The form of a small list: JSON, or CSV for spreadsheets. */
export const listFormatQuery = (columns: readonly string[]) =>
  z
    .enum(['json', 'csv'])
    .optional()
    .meta({
      description:
        'Form of the response; JSON by default. `csv`: a header line and one line per item, with the columns ' +
        columns.map((name) => `\`${name}\``).join(', '),
      allowed: 'json or csv',
    });

/** Comma-separated values of a fixed set. */
export function setQuery<const T extends readonly [string, ...string[]]>(description: string, values: T) {
  return z
    .preprocess((value) => (typeof value === 'string' ? value.split(',') : value), z.array(z.enum(values)))
    .optional()
    .meta({ description, allowed: `one or more of ${values.join(', ')}, comma-separated` });
}

/** Smaller numbers are seconds, larger ones milliseconds: 1e11 s is the year 5138, 1e11 ms is 1973. */
const SECONDS_BOUND = 100_000_000_000;
/** The last instant that an ISO string with a four-digit year can express. */
const LAST_INSTANT = 253_402_300_799_999;

const instant = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  if (/^\d{1,15}$/.test(value)) return Number(value) < SECONDS_BOUND ? Number(value) * 1000 : Number(value);
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(value)) return Number.NaN;
  // A time without an offset is UTC; ECMAScript would read it as local time.
  const utc = value.length > 10 && !/(Z|[+-]\d{2}:\d{2})$/.test(value) ? `${value}Z` : value;
  return Math.floor(Date.parse(utc.replace(' ', 'T')));
};

/** Epoch milliseconds of a time as in a query string; `null` if it is none. */
export function parseInstant(text: string): number | null {
  const time = instant(text);
  return typeof time === 'number' && time >= 0 && time <= LAST_INSTANT ? time : null;
}

const INSTANT_FORMS = [
  { type: 'string', format: 'date-time' },
  { type: 'string', format: 'date' },
  { type: 'integer', minimum: 0 },
];

/** A point in time in a query string, parsed into integer milliseconds since the Unix epoch. */
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

/** Ids of the service. Values that look like a date or a Unix time are not ids, so that a mistyped time is an error. */
const ITEM_ID = /^(?!\d{4}-)(?!\d{1,15}$)\w[\w-]{0,63}$/;

/** The end of a page: a point in time, parsed into milliseconds, or the id of the last item of the previous page. */
export function cursorQuery(description: string) {
  const given = (value: unknown): unknown =>
    typeof value === 'string' && ITEM_ID.test(value) ? value : instant(value);
  return z
    .preprocess(given, z.union([z.int().min(0).max(LAST_INSTANT), z.string().regex(ITEM_ID)]))
    .optional()
    .meta({
      description,
      allowed: 'an id, an ISO 8601 time, or Unix time in seconds or milliseconds',
      // Without lookaheads, which RE2 does not support.
      wire: { anyOf: [...INSTANT_FORMS, { type: 'string', pattern: '^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$' }] },
    });
}
