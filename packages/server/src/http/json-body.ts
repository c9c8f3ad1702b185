// Reads a JSON document from a request, with a size limit. The error names every invalid field.
import { MAX_DOCUMENT_BYTES, type Problem } from '@tickwire/contract';
import type { z } from 'zod';
import { fromLineAndColumn } from '../errors/malformed-json.ts';
import { unknownParameters } from '../errors/parameter-names.ts';
import { ServiceError } from '../errors/service-error.ts';
import { fieldFaults, fieldNames } from '../errors/validation.ts';
import { decodeContent, decodeUtf8, readRequestBody } from './body.ts';

const MAX_SHOWN = 100;
/** A client that sends a document more slowly only occupies one of the few bodies that its address may send at a time. */
const DOCUMENT_MS = 30_000;

/** Unknown fields are named down to this level. A body may have as many levels as fit into it. */
const NAMED_LEVELS = 16;

export interface JsonBody<T> {
  readonly value: T;
  readonly bytes: Uint8Array;
}

/** `schema`: may depend on the document. `limit`: size of the body in bytes. */
export async function readJson<S extends z.ZodType>(
  request: Request,
  schema: S | ((raw: object) => S),
  limit = MAX_DOCUMENT_BYTES,
): Promise<JsonBody<z.output<S>>> {
  return read(await bytesOf(request, limit), schema);
}

/** Reads a document that may be left out, in which case it is the empty object. */
export async function readOptionalJson<S extends z.ZodType>(
  request: Request,
  schema: S,
): Promise<JsonBody<z.output<S>>> {
  const bytes = await bytesOf(request);
  return bytes.length === 0 ? { value: schema.parse({}), bytes } : read(bytes, schema);
}

const bytesOf = async (request: Request, limit = MAX_DOCUMENT_BYTES): Promise<Uint8Array> =>
  decodeContent(await readRequestBody(request, limit, DOCUMENT_MS), request, limit);

function read<S extends z.ZodType>(bytes: Uint8Array, schemaOf: S | ((raw: object) => S)): JsonBody<z.output<S>> {
  const text = decodeUtf8(bytes);
  const raw = parsed(text);
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw invalid([{ parameter: 'body', value: shown(raw), allowed: 'a JSON object' }]);
  }
  const duplicates = duplicateKeys(text);
  if (duplicates.length > 0) {
    throw invalid(
      duplicates.map((parameter) => ({ parameter: cut(parameter), value: null, allowed: 'given only once' })),
    );
  }
  const schema = typeof schemaOf === 'function' ? schemaOf(raw) : schemaOf;
  const result = schema.safeParse(raw);
  if (result.success) {
    const unknown = unknownIn(raw, result.data);
    if (unknown.length > 0)
      throw unknownParameters(unknown, (name) => fieldNames(schema, raw, name.split('.').slice(0, -1)));
    return { value: result.data, bytes };
  }
  throw invalid(
    fieldFaults(result.error, schema, raw).map(({ field, allowed }) => ({
      parameter: field,
      value: shown(valueAt(raw, field)),
      allowed,
    })),
  );
}

/** The fields that a schema has left out of its result. Those of the third element of a list: `targets.2.name`. */
export function unknownIn(raw: object, known: unknown, prefix = '', levels = NAMED_LEVELS): readonly string[] {
  if (levels === 0) return [];
  // A schema may turn an object into something else.
  if (typeof known !== 'object' || known === null || Array.isArray(raw) !== Array.isArray(known)) return [];
  return Object.entries(raw).flatMap(([name, value]: [string, unknown]) => {
    if (!Object.hasOwn(known, name)) return Array.isArray(raw) ? [] : [prefix + name];
    const inside = (known as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'object' && value !== null ? unknownIn(value, inside, `${prefix}${name}.`, levels - 1) : [];
  });
}

/** `field` with dots for what is inside: `condition.level`. */
const valueAt = (raw: object, field: string): unknown =>
  field.split('.').reduce((at: unknown, name) => (at as Record<string, unknown> | null | undefined)?.[name], raw);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError(
      'malformed_body',
      text.trim() === '' ? 'The body is empty. Send JSON.' : `The body is not valid JSON${fromLineAndColumn(text)}.`,
    );
  }
}

type FieldErrors = NonNullable<Problem['errors']>;

const invalid = (errors: FieldErrors): ServiceError =>
  new ServiceError(
    'invalid_parameter',
    errors.map(({ parameter, allowed }) => `${parameter} must be ${allowed}`).join('; '),
    { errors },
  );

const cut = (text: string): string => text.slice(0, MAX_SHOWN);

/** A value as it was in the body. JSON.stringify cannot write −0 or a number that overflowed to infinity. */
function shown(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'number') return cut(JSON.stringify(value));
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Strings and brackets; the rest of JSON does not matter here. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/**
 * The keys that the outermost object has more than once. JSON.parse silently takes the last value and another parser may
 * take the first, which is not acceptable for a price.
 */
function duplicateKeys(text: string): string[] {
  const seen = new Set<string>();
  const duplicates = new Set<string>();
  let depth = 0;
  let last = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (token === ':' && depth === 1) {
      // Resolves escapes: "\u0065ntry" is entry.
      const name = JSON.parse(last) as string;
      if (seen.has(name)) duplicates.add(name);
      seen.add(name);
    }
    last = token;
  }
  return [...duplicates];
}
