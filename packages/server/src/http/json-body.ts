// Reads a JSON document from a request: bounded, and every wrong field named.
import { MAX_DOCUMENT_BYTES, type Problem } from '@tickwire/contract';
import type { z } from 'zod';
import { ApiError } from './api-error.ts';

const SHOWN_VALUE = 100;

export interface JsonBody<T> {
  readonly value: T;
  readonly bytes: Uint8Array;
}

export async function readJson<S extends z.ZodType>(request: Request, schema: S): Promise<JsonBody<z.output<S>>> {
  const bytes = await readBytes(request);
  let raw: unknown;
  try {
    raw = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ApiError('malformed_body', 'The body is not JSON in UTF-8.');
  }
  const parsed = schema.safeParse(raw);
  if (parsed.success) return { value: parsed.data, bytes };
  throw new ApiError('invalid_parameter', ...faults(raw, parsed.error, schema));
}

/** What was wrong, field by field, in the words of the schema. */
function faults(raw: unknown, error: z.ZodError, schema: z.ZodType): [string, { errors: Problem['errors'] }] {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return [
      'The body must be a JSON object.',
      { errors: [{ parameter: 'body', value: shown(raw), allowed: 'an object' }] },
    ];
  }
  const shape = 'shape' in schema ? (schema.shape as Record<string, z.ZodType>) : {};
  const wrong = [...new Set(error.issues.map(({ path }) => String(path[0])))];
  const errors = wrong.map((parameter) => ({
    parameter,
    value: shown((raw as Record<string, unknown>)[parameter]),
    allowed: String((shape[parameter]?.meta() as { allowed?: string } | undefined)?.allowed ?? 'as documented'),
  }));
  return [errors.map(({ parameter, allowed }) => `${parameter} must be ${allowed}`).join('; '), { errors }];
}

const shown = (value: unknown): string | null =>
  value === undefined ? null : (JSON.stringify(value) ?? String(value)).slice(0, SHOWN_VALUE);

async function readBytes(request: Request): Promise<Uint8Array> {
  const tooLarge = (): ApiError =>
    new ApiError('payload_too_large', `A body may have ${MAX_DOCUMENT_BYTES / 1024} KiB here.`);
  if (Number(request.headers.get('content-length') ?? 0) > MAX_DOCUMENT_BYTES) throw tooLarge();
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length > MAX_DOCUMENT_BYTES) throw tooLarge();
  return bytes;
}
