// Reads a JSON document from a request: bounded, and every wrong field named.
import { MAX_DOCUMENT_BYTES, type Problem } from '@tickwire/contract';
import type { z } from 'zod';
import { ApiError } from './api-error.ts';
import { plainBody, readBody, textOf } from './body.ts';
import { repeatedMembers } from './repeated-members.ts';

const SHOWN_VALUE = 100;

export interface JsonBody<T> {
  readonly value: T;
  readonly bytes: Uint8Array;
}

export async function readJson<S extends z.ZodType>(request: Request, schema: S): Promise<JsonBody<z.output<S>>> {
  const bytes = await plainBody(await readBody(request, MAX_DOCUMENT_BYTES), request, MAX_DOCUMENT_BYTES);
  const text = textOf(bytes);
  const raw = parsed(text);
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw wrong([{ parameter: 'body', value: shown(raw), allowed: 'an object' }]);
  }
  const repeated = repeatedMembers(text);
  if (repeated.length > 0) {
    throw wrong(repeated.map((parameter) => ({ parameter: cut(parameter), value: null, allowed: 'given once' })));
  }
  const result = schema.safeParse(raw);
  if (result.success) return { value: result.data, bytes };
  throw wrong(faults(raw as Record<string, unknown>, result.error, schema));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('malformed_body', text.trim() === '' ? 'The body is empty.' : 'The body is not JSON.');
  }
}

type Faults = NonNullable<Problem['errors']>;

/** What was wrong, field by field, in the words of the schema. */
function faults(raw: Readonly<Record<string, unknown>>, error: z.ZodError, schema: z.ZodType): Faults {
  const shape = 'shape' in schema ? (schema.shape as Record<string, z.ZodType>) : {};
  const names = [...new Set(error.issues.map(({ path }) => String(path[0])))];
  return names.map((parameter) => ({
    parameter,
    value: shown(raw[parameter]),
    allowed: String((shape[parameter]?.meta() as { allowed?: string } | undefined)?.allowed ?? 'as documented'),
  }));
}

const wrong = (errors: Faults): ApiError =>
  new ApiError(
    'invalid_parameter',
    errors.map(({ parameter, allowed }) => `${parameter} must be ${allowed}`).join('; '),
    { errors },
  );

const cut = (text: string): string => text.slice(0, SHOWN_VALUE);

/** As it stood in the body. JSON has no word for a number that is too large for one, nor for −0. */
function shown(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'number') return cut(JSON.stringify(value));
  return Object.is(value, -0) ? '-0' : String(value);
}
