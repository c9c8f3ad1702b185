// Building blocks of schemas: times, symbols, counts, and readers of query parameters.
import { z } from 'zod';
import { LAST_INSTANT } from './iso-time.ts';

/** States what a new schema means. Unlike `meta`, which keeps the schema it copies, this takes no further memory. */
function stating<S extends z.ZodType>(schema: S, meta: z.core.GlobalMeta): S {
  z.globalRegistry.add(schema, meta);
  return schema;
}

/** ISO 8601 in UTC with milliseconds, the format of every timestamp in REST responses. */
export const Timestamp = z.iso.datetime({ precision: 3 });

/** A timestamp with a description. */
export const timestamp = (description: string) => Timestamp.meta({ description });

/** Unix time in whole seconds, the format of `time` in WebSocket messages. */
export const UnixSeconds = z.int().meta({ description: 'Unix time in seconds' });

/** The code of an instrument in a request. */
export const InstrumentCode = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'Instrument code (case-insensitive)', allowed: 'an instrument code' });

export const SymbolCode = z.string().meta({ description: 'Instrument code in upper case' });

export const text = (description: string) => stating(z.string(), { description });
export const number = (description: string) => stating(z.number(), { description });
export const integer = (description: string) => stating(z.int(), { description });
export const nullable = <S extends z.ZodType>(schema: S, description: string) =>
  stating(schema.nullable(), { description });

/** Makes its fields when they are first needed, since most objects only describe responses in the documents. */
function lazyObject<Shape extends z.core.$ZodLooseShape>(fields: () => Shape, catchall?: z.ZodType) {
  let made: Shape | undefined;
  const get = (): Shape => {
    made ??= fields();
    return made;
  };
  const definition = { type: 'object' as const, shape: {}, ...(catchall && { catchall }) };
  const schema = new z.ZodObject(Object.defineProperty(definition, 'shape', { get, configurable: true }));
  // Zod looks here for references of a schema to itself, and assumes one if there is nothing. Added late: creating a schema reads it.
  Object.defineProperty(get, 'raw', { get });
  return schema;
}

/** An object with its name and description in the documents. */
export const namedObject = <Shape extends z.core.$ZodLooseShape>(
  id: string,
  description: string,
  fields: () => Shape,
): z.ZodObject<Shape, z.core.$strip> =>
  stating(lazyObject(fields) as z.ZodObject<Shape, z.core.$strip>, { id, description });

/** The same, which refuses unknown fields. */
export const namedStrict = <Shape extends z.core.$ZodLooseShape>(
  id: string,
  description: string,
  fields: () => Shape,
): z.ZodObject<Shape, z.core.$strict> =>
  stating(lazyObject(fields, z.never()) as z.ZodObject<Shape, z.core.$strict>, { id, description });

/** The `count` of a list response. */
export const ItemCount = integer('Number of items in this response');

/** A list response. */
export const namedList = <Item extends z.ZodType>(id: string, description: string, item: Item, items = 'Items') =>
  namedObject(id, description, () => ({ items: z.array(item).meta({ description: items }), count: ItemCount }));

/** The `next` of a page: a number or a text. */
export const nextPage = <S extends z.ZodType>(cursor: S) =>
  nullable(cursor, 'Start of the next page, for `cursor`, `after`, `before` or `offset`; `null` on the last page');

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

/** What a field states, which may be what the schema states that it makes optional. */
export function fieldMeta(field: z.ZodType): Partial<FieldMeta> {
  const meta = field.meta() as FieldMeta | undefined;
  return meta ?? ('unwrap' in field ? fieldMeta((field.unwrap as () => z.ZodType)()) : {});
}

export const oneOf = (values: readonly string[]): string => `one of ${values.join(', ')}`;

export const choice = <const T extends readonly [string, ...string[]]>(values: T, description: string) =>
  stating(z.enum(values), { description, allowed: oneOf(values) });
export const integerBetween = (min: number, max: number, description: string) =>
  z
    .int()
    .min(min)
    .max(max)
    .meta({ description, allowed: `an integer between ${min} and ${max}` });
export const positive = (description: string) =>
  stating(z.number().positive(), { description, allowed: 'a number above 0' });
export const flag = (description: string) => stating(z.boolean(), { description, allowed: 'true or false' });

/**
 * A text of up to `max` code points without control characters other than line feeds and tabs. Lone surrogates are rejected:
 * the UTF-8 text that is hashed would differ from the text that was sent.
 */
export const plainText = (max: number): RegExp => new RegExp(`^(?:[\\n\\t]|[^\\p{Cc}\\p{Cs}]){0,${max}}$`, 'u');

const strictInteger = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;

const integerAllowed = (min: number, max: number): string =>
  max === Number.MAX_SAFE_INTEGER ? `an integer of at least ${min}` : `an integer between ${min} and ${max}`;

/**
 * An integer in a query string. Rejects `1e2`, ` 5` and an empty value. A maximum of `Number.MAX_SAFE_INTEGER` means that
 * there is no documented maximum.
 */
export function integerQuery(description: string, min: number, max: number, fallback: number) {
  const allowed = integerAllowed(min, max);
  return z.preprocess(strictInteger, z.int().min(min).max(max)).default(fallback).meta({ description, allowed });
}

/** An integer in a query string, which may be left out. */
export function optionalIntegerQuery(description: string, min: number, max = Number.MAX_SAFE_INTEGER) {
  return z
    .preprocess(strictInteger, z.int().min(min).max(max))
    .optional()
    .meta({ description, allowed: integerAllowed(min, max) });
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
    .meta({ description, allowed: oneOf(values) });
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
export const BooleanText = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean(),
);

export const booleanQuery = (description: string, fallback: boolean) =>
  BooleanText.default(fallback).meta({ description, allowed: 'true or false' });

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

/** A name in a body, which may be printed in a terminal: without control and format characters. */
export function nameText(max: number, description = 'Name') {
  const form = new RegExp(`^(?=.*\\S)[^\\p{C}]{1,${max}}$`, 'u');
  return z
    .string()
    .refine((name) => form.test(name))
    .meta({
      description,
      allowed: `a text of 1 to ${max} characters that is not blank, without control characters`,
      minLength: 1,
      maxLength: max,
      // The part of the rule that Python's `re` and RE2 can express.
      pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$',
    });
}

/** The form of a small list: JSON, or CSV for spreadsheets. */
export const listFormatQuery = (columns: readonly string[]) =>
  z
    .enum(['json', 'csv'])
    .optional()
    .meta({
      description: `JSON by default. \`csv\` has the columns ${columns.join(', ')}`,
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
/** Smaller numbers are no times: 0, a year, or a date without hyphens. 1e8 s is in March 1973. */
const UNIX_BOUND = 100_000_000;
/** A date of ISO 8601 with or without hyphens, or a month; and a time of day, which is UTC unless it has an offset. */
const ISO_TIME =
  /^(\d{4})(?:(-?)(\d{2})\2(\d{2})|-(\d{2}))(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:\d{2})?)?$/;

const instant = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  const [, year, , month, day = '01', monthOnly, time = '00:00', offset = 'Z'] = ISO_TIME.exec(value) ?? [];
  if (year !== undefined) {
    const date = `${year}-${month ?? monthOnly}-${day}`;
    const midnight = new Date(`${date}T00:00Z`);
    // ECMAScript reads 2026-02-30 as a day of March.
    const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
    if (!isDay || (monthOnly !== undefined && value.length > date.length)) return Number.NaN;
    return Math.floor(Date.parse(`${date}T${time}${offset}`));
  }
  if (!/^\d{1,15}$/.test(value)) return Number.NaN;
  const number = Number(value);
  if (number < UNIX_BOUND) return Number.NaN;
  return number < SECONDS_BOUND ? number * 1000 : number;
};

/** Epoch milliseconds of a time as in a query string; `null` if it is none. */
export function parseInstant(text: string): number | null {
  const time = instant(text);
  return typeof time === 'number' && time >= 0 && time <= LAST_INSTANT ? time : null;
}

/** The JSON Schema of a point in time in a query string. */
export const INSTANT = {
  anyOf: [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date' },
    { type: 'integer', minimum: UNIX_BOUND },
  ],
  description: 'ISO 8601 time, date or month, or Unix time in s or ms',
};

/** A point in time in a query string, parsed into integer milliseconds since the Unix epoch. */
export function instantQuery(description: string) {
  return z
    .preprocess(instant, z.int().min(0).max(LAST_INSTANT))
    .optional()
    .meta({
      description,
      allowed:
        'an ISO 8601 time, date (2026-01-05 or 20260105) or month (2026-01), or Unix time in seconds or milliseconds',
      wire: { anyOf: INSTANT.anyOf },
    });
}

/** A time range, as every endpoint that has one reads it: `from` belongs to it, `to` does not. */
export const RANGE_START = 'Start of the range (inclusive)';
export const RANGE_END = 'End of the range (exclusive)';
export const rangeQuery = { from: instantQuery(RANGE_START), to: instantQuery(RANGE_END) };

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
      allowed: 'an id, an ISO 8601 time, date or month, or Unix time in seconds or milliseconds',
      // Without lookaheads, which RE2 does not support.
      wire: { anyOf: [...INSTANT.anyOf, { type: 'string', pattern: '^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$' }] },
    });
}
