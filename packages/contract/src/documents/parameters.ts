// Parameters of an endpoint as a client sees them: names, types, defaults and bounds.
import type { z } from 'zod';
import { DOCUMENT_KINDS, DOCUMENT_NAME_RULE } from '../accounts/account-documents.ts';
import { type Endpoint, MAX_IDEMPOTENCY_KEY } from '../common/endpoint.ts';
import { fieldMeta } from '../common/values.ts';
import { inlineSchema, type JsonSchema } from './json-schema.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  /** The allowed values in words, as in `errors[].allowed` of a 400 response. */
  readonly allowed?: string;
  readonly schema: JsonSchema;
}

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  symbol: 'Instrument code. Case and the marks `/`, `_` and `-` do not matter: `eurusd`, `EUR-USD`, `EUR%2FUSD`',
  venue: 'Venue, or `all`',
  day: 'UTC day, such as `2026-03-02`',
  id: 'Id, as lists and responses state it',
  name: 'Display name (case-insensitive) or id of a publisher',
  key: 'Public id of an API key',
  link: 'Public id of a data link',
  session: 'Id of a session',
  account: 'Id of an account, starting with `pub_`',
  invitation: 'Id of an invitation',
  kind: `Kind of a document: ${DOCUMENT_KINDS.map((kind) => `\`${kind}\``).join(', ')}`,
  document: `Name of a document: ${DOCUMENT_NAME_RULE}`,
  token: 'Secret token of the webhook, which identifies the account',
};

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes a request safe to repeat: within 24 hours, the same key and body get the first response again. An account keeps 10,000 keys',
  allowed: `a text of 1 to ${MAX_IDEMPOTENCY_KEY} characters`,
  schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY },
};

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'One or more `ETag` values. If the current response has one of them, the status is 304',
  schema: { type: 'string' },
};

const LAST_EVENT_ID: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The last `id` received, which browsers send when they reconnect',
  schema: { type: 'string' },
};

/** The schema of a query field for clients: that of the parsed value, or for a transformed one that of the text. */
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
    if (description === undefined) throw new Error(`the path parameter ${name} has no description`);
    return { name, in: 'path', required: true, description, schema: { type: 'string' } };
  });
}

export function queryParameters(query: z.ZodObject | undefined): Parameter[] {
  return Object.entries(query?.shape ?? {}).map(([name, raw]) => {
    const field = raw as z.ZodType;
    const { description = '', allowed } = fieldMeta(field);
    return {
      name,
      in: 'query',
      required: !field.safeParse(undefined).success,
      description,
      ...(allowed === undefined ? {} : { allowed }),
      schema: wireSchema(field),
    };
  });
}

export function parametersOf(endpoint: Endpoint): Parameter[] {
  const headers = [
    ...(endpoint.idempotent ? [IDEMPOTENCY_KEY] : []),
    ...(endpoint.etag ? [IF_NONE_MATCH] : []),
    ...(endpoint.eventStream ? [LAST_EVENT_ID] : []),
  ];
  return [...pathParameters(endpoint.path), ...queryParameters(endpoint.query), ...headers];
}
