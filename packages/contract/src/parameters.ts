// The parameters of an endpoint as a client sees them: names, types, defaults and bounds.
import type { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { inlineSchema, type JsonSchema } from './json-schema.ts';
import { MAX_IDEMPOTENCY_KEY } from './signal-request.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  /** The rule in words, as `errors[].allowed` of a 400 has it. */
  readonly allowed?: string;
  readonly schema: JsonSchema;
}

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  symbol: 'Instrument code, in upper or lower case',
  id: 'Id of a signal',
  name: "Publisher's display name, in upper or lower case, or id",
  key: 'Public id of an API key',
  session: 'Id of a session',
  account: 'Id of an account, beginning with `pub_`',
  invitation: 'Id of an invitation',
  token: 'The secret of the webhook, which says whose signal it is',
};

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes it safe to send a request again: the same one within 24 hours gets the first answer again and does nothing more',
  allowed: `a text of 1 to ${MAX_IDEMPOTENCY_KEY} characters`,
  schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY },
};

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of an answer you have, or several with commas: where it is still the same, a 304 says so',
  schema: { type: 'string' },
};

/** The schema of a query field on the wire. What is read from text shows in the output, a transform only in the input. */
function wireSchema(field: z.ZodType): JsonSchema {
  const output = inlineSchema(field, 'output');
  const known = output.type !== undefined || output.enum !== undefined;
  const wire = field.meta()?.wire ?? (known ? output : inlineSchema(field, 'input'));
  const { description: _, ...schema } = wire as JsonSchema;
  return output.default === undefined ? schema : { ...schema, default: output.default };
}

export function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const description = PATH_PARAMETERS[name];
    if (description === undefined) throw new Error(`the path parameter ${name} is not described`);
    return { name, in: 'path', required: true, description, schema: { type: 'string' } };
  });
}

export function queryParameters(query: z.ZodObject | undefined): Parameter[] {
  return Object.entries(query?.shape ?? {}).map(([name, raw]) => {
    const field = raw as z.ZodType;
    const { description = '', allowed } = field.meta() ?? {};
    return {
      name,
      in: 'query',
      required: !field.safeParse(undefined).success,
      description,
      ...(typeof allowed === 'string' ? { allowed } : {}),
      schema: wireSchema(field),
    };
  });
}

export function parametersOf(endpoint: Endpoint): Parameter[] {
  const headers = [...(endpoint.idempotent ? [IDEMPOTENCY_KEY] : []), ...(endpoint.tagged ? [IF_NONE_MATCH] : [])];
  return [...pathParameters(endpoint.path), ...queryParameters(endpoint.query), ...headers];
}
