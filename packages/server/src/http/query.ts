// Reads a query string by an endpoint's schema. Unknown parameters are ignored; the error names every invalid one.
import type { Problem } from '@tickwire/contract';
import type { z } from 'zod';
import { ServiceError } from '../errors/service-error.ts';
import { fieldFaults } from '../errors/validation.ts';

const MAX_SHOWN = 100;
const MAX_CACHED = 1_000;

export type ReadQuery = (query: string) => Record<string, unknown>;

export function queryReader(schema: z.ZodObject): ReadQuery {
  const names = Object.keys(schema.shape);
  const defaults = schema.parse({});
  /** Clients repeat the same queries. */
  const cache = new Map<string, Record<string, unknown>>();

  return (query) => {
    if (query === '') return defaults;
    const cached = cache.get(query);
    if (cached) return cached;
    const given = new URLSearchParams(query);
    const raw: Record<string, string> = {};
    for (const name of names) {
      const value = given.get(name);
      if (value !== null) raw[name] = value;
    }
    const parsed = schema.safeParse(raw);
    if (parsed.success) {
      if (cache.size >= MAX_CACHED) cache.clear();
      cache.set(query, parsed.data);
      return parsed.data;
    }
    const faults = fieldFaults(parsed.error, schema, raw);
    const errors: NonNullable<Problem['errors']> = faults.map(({ field, allowed }) => ({
      parameter: field,
      value: raw[field]?.slice(0, MAX_SHOWN) ?? null,
      allowed,
    }));
    throw new ServiceError('invalid_parameter', faults.map(({ field, rule }) => `${field} ${rule}`).join('; '), {
      errors,
    });
  };
}
