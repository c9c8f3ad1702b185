// Reads a query string by an endpoint's schema. Unknown parameters are ignored; every wrong one is named.
import type { Problem } from '@tickwire/contract';
import type { z } from 'zod';
import { ApiError } from './api-error.ts';

const SHOWN_VALUE = 100;
const MAX_REMEMBERED = 1_000;

export type ReadQuery = (query: string) => Record<string, unknown>;

export function queryReader(schema: z.ZodObject): ReadQuery {
  const names = Object.keys(schema.shape);
  const allowed = new Map(
    Object.entries(schema.shape).map(([name, field]) => {
      const meta = (field as z.ZodType).meta() as { allowed?: string } | undefined;
      return [name, meta?.allowed ?? 'a text'];
    }),
  );
  const defaults = schema.parse({});
  /** Callers ask for the same again and again. */
  const read = new Map<string, Record<string, unknown>>();

  return (query) => {
    if (query === '') return defaults;
    const before = read.get(query);
    if (before) return before;
    const given = new URLSearchParams(query);
    const raw: Record<string, string> = {};
    for (const name of names) {
      const value = given.get(name);
      if (value !== null) raw[name] = value;
    }
    const parsed = schema.safeParse(raw);
    if (parsed.success) {
      if (read.size >= MAX_REMEMBERED) read.clear();
      read.set(query, parsed.data);
      return parsed.data;
    }
    const wrong = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))];
    const errors: NonNullable<Problem['errors']> = wrong.map((parameter) => ({
      parameter,
      value: raw[parameter]?.slice(0, SHOWN_VALUE) ?? null,
      allowed: allowed.get(parameter)!,
    }));
    const detail = errors.map(({ parameter, allowed: what }) => `${parameter} must be ${what}`).join('; ');
    throw new ApiError('invalid_parameter', detail, { errors });
  };
}
