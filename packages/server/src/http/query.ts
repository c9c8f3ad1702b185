// Reads a query string by an endpoint's schema. An unknown parameter is an error; documented endpoints and chart libraries may
// send them, and then a response header names them. A repeated list is joined; any other repeated parameter is an error. The error
// names every invalid parameter.
import { type Problem, queryParameters } from '@tickwire/contract';
import { z } from 'zod';
import { synonymIn, unknownParameters, withoutSynonym } from '../errors/parameter-names.ts';
import { ServiceError } from '../errors/service-error.ts';
import { fieldFaults } from '../errors/validation.ts';
import { listOfUnknown } from './response-headers.ts';

const MAX_SHOWN = 100;
const MAX_CACHED = 1_000;
/** Longer queries are rare. They are not cached, so that the caches of all endpoints together stay small. */
const MAX_CACHED_LENGTH = 256;

export interface Query {
  readonly values: Record<string, unknown>;
  /** Names of the ignored parameters for the header `Warning-Parameters`; `null` if there are none. */
  readonly unknown: string | null;
}

/** The symbol of the catalogue for a client's spelling, or `undefined`. */
export type ResolveSymbol = (code: string) => string | undefined;

/** `ignoresUnknown`: an unknown parameter is no error. */
export function queryReader(
  schema: z.ZodObject = z.object({}),
  resolve: ResolveSymbol = () => undefined,
  ignoresUnknown = false,
): (query: string) => Query {
  const names = Object.keys(schema.shape);
  const synonym = synonymIn(names)?.synonym;
  const readable = synonym === undefined ? names : [...names, synonym];
  // Schemas are read when they are needed first: reading all of them takes a tenth of the start.
  let lists: ReadonlySet<string> | undefined;
  const isList = (name: string): boolean => {
    lists ??= new Set(queryParameters(schema).flatMap((each) => (each.schema.type === 'array' ? each.name : [])));
    return lists.has(name);
  };
  /** `null` if a parameter is required. */
  let withoutQuery: Query | null | undefined;
  const readNothing = (): Query | null => {
    const defaults = schema.safeParse({});
    return defaults.success ? { values: defaults.data, unknown: null } : null;
  };
  /** Clients repeat the same queries. */
  const cache = new Map<string, Query>();

  const parse = (query: string): Query => {
    const given = new URLSearchParams(query);
    const unknown = [...new Set(given.keys())].filter((name) => name !== '' && !readable.includes(name));
    if (unknown.length > 0 && !ignoresUnknown) throw unknownParameters(unknown, () => names);
    const found: Record<string, string> = {};
    const repeated: string[] = [];
    for (const name of readable) {
      const values = given.getAll(name);
      if (values.length > 1 && !isList(name)) repeated.push(name);
      if (values.length > 0) found[name] = values.join(',');
    }
    if (repeated.length > 0) throw repeatedParameters(repeated, given);
    const raw = withoutSynonym(found, names);
    const parsed = schema.safeParse(raw);
    if (parsed.success) return { values: withSymbols(parsed.data, resolve), unknown: listOfUnknown(unknown) };
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

  return (query) => {
    if (query === '') {
      if (withoutQuery === undefined) withoutQuery = readNothing();
      if (withoutQuery) return withoutQuery;
    }
    const cached = cache.get(query);
    if (cached) return cached;
    const read = parse(query);
    if (query.length > MAX_CACHED_LENGTH) return read;
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(query, read);
    return read;
  };
}

/** The parameters `symbol` and `symbols` as the catalogue spells them. Unknown ones stay: the endpoint decides about them. */
function withSymbols(values: Record<string, unknown>, resolve: ResolveSymbol): Record<string, unknown> {
  const { symbol, symbols } = values;
  const known = (code: string): string => resolve(code) ?? code;
  if (typeof symbol === 'string') values.symbol = known(symbol);
  if (Array.isArray(symbols)) values.symbols = [...new Set(symbols.map(known))];
  return values;
}

function repeatedParameters(names: readonly string[], given: URLSearchParams): ServiceError {
  const errors = names.map((parameter) => ({
    parameter,
    value: given.getAll(parameter).join('&').slice(0, MAX_SHOWN),
    allowed: 'given only once',
  }));
  return new ServiceError('repeated_parameter', `${names.join(', ')} must be given only once`, { errors });
}
