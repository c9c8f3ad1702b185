// The OpenAPI 3.1 document, made wholly out of the endpoint table, the error catalogue, the tiers and the schemas.
import { SESSION_LIMITS } from './account.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';
import type { Endpoint } from './endpoint.ts';
import { COMMON_ERRORS, ENDPOINTS, type EndpointName, gateErrors } from './endpoints.ts';
import { ERRORS, type ErrorCode, Problem } from './errors.ts';
import { BODY_EXAMPLES, JSON_BODY_EXAMPLES, problemExample, RESPONSE_EXAMPLES, UNREADY_EXAMPLE } from './examples.ts';
import { RESPONSE_HEADERS, type ResponseHeader } from './headers.ts';
import { type SchemaSet, schemaSet } from './json-schema.ts';
import { type Parameter, parametersOf } from './parameters.ts';
import { TIERS } from './tiers.ts';
import { API_VERSION } from './version.ts';

export interface OpenApiOptions {
  /** Where the service is reached; without it, where the document itself came from. */
  readonly serverUrl?: string;
}

const TAGS: Readonly<Record<Endpoint['tag'], string>> = {
  Market: 'Instruments, quotes and price history',
  Signals: 'The public signal feed, with verified results',
  Publishers: 'Who publishes signals, and how well',
  News: 'News with sentiment, and how good that is',
  AI: 'Models that can be asked, within the AI calls of a tier',
  Account: 'Accounts of people: sign-up, sign-in, sessions',
  Keys: 'API keys of the account, and what was used',
  Operator: 'For who runs the service',
  Ingest: "Ticks and news from an operator's own sources",
  Service: 'The service itself and what is left of the allowances',
};

const tierTable = Object.entries(TIERS).map(
  ([name, tier]) => `| ${name} | ${tier.requests_per_minute} | ${tier.streams} | ${tier.ai_calls_per_day} |`,
);

const DESCRIPTION = `Market data, verified trading signals and news over REST.

Send the API key in the \`X-API-Key\` header. Its tier sets the limits, counted over all keys of the account.
A signed-in session of the web terminal calls with its cookie instead, from the service's own origin, and has limits of its own:
${SESSION_LIMITS.requests_per_minute} requests per minute and ${SESSION_LIMITS.streams} streams.

| Tier | REST requests per minute | WebSocket streams | AI calls per day |
| --- | --- | --- | --- |
${tierTable.join('\n')}

Errors are \`application/problem+json\` (RFC 9457); \`code\` is the member to branch on.
Changes are additive: ignore fields you do not know. The WebSocket interface is described in \`/asyncapi.json\`.`;

/** The codes that a call of the endpoint may be answered with, by HTTP status, in the order they are checked. */
export function errorsByStatus(endpoint: Endpoint): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set<ErrorCode>([...gateErrors(endpoint), ...endpoint.errors, ...COMMON_ERRORS])) {
    const { status }: CatalogueEntry = ERRORS[code];
    if (status !== undefined) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

export function operationId(name: EndpointName): string {
  const method = ENDPOINTS[name].method.toLowerCase();
  return method + name.charAt(0).toUpperCase() + name.slice(1);
}

function headersOf(endpoint: Endpoint, status: number) {
  const applies = ({ on }: ResponseHeader) => {
    if (on === 'every') return true;
    if (on === 'keyed') return gateErrors(endpoint).length > 0 && status !== 401;
    if (on === 'cookie') return endpoint.cookie === true && status < 400;
    return on === 'tagged' ? endpoint.tagged === true && status < 400 : on.includes(status);
  };
  const names = Object.entries(RESPONSE_HEADERS).filter(([, header]) => applies(header));
  return Object.fromEntries(names.map(([name]) => [name, { $ref: `#/components/headers/${name}` }]));
}

function parameterObject({ name, in: place, required, description, schema }: Parameter) {
  // One value with commas, not the parameter repeated.
  const list = schema.type === 'array' ? { style: 'form', explode: false } : {};
  return { name, in: place, required, description, ...list, schema };
}

function errorResponse(endpoint: Endpoint, status: number, codes: readonly ErrorCode[], set: SchemaSet) {
  return {
    description: codes.map((code) => `${ERRORS[code].title} (\`${code}\`)`).join(', '),
    headers: headersOf(endpoint, status),
    content: {
      'application/problem+json': {
        schema: set.ref(Problem),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
    'x-error-codes': codes,
  };
}

/** What a caller shows: a key, or the cookie of a session that has the scope. */
function securityOf({ scope, session }: Endpoint): object[] {
  if (session === 'only') return [{ session: [] }];
  if (scope === null) return [];
  return scope === 'ingest' ? [{ apiKey: [] }] : [{ apiKey: [] }, { session: [] }];
}

function requestBody(name: EndpointName, set: SchemaSet) {
  const { body, lines }: Endpoint = ENDPOINTS[name];
  if (body) {
    const content = { 'application/json': { schema: set.ref(body), example: JSON_BODY_EXAMPLES[name] } };
    return { requestBody: { required: true, content } };
  }
  if (!lines) return {};
  // One JSON document a line: the media type of the whole is text, the schema that of a line.
  const media = {
    schema: { type: 'string' },
    example: `${(BODY_EXAMPLES[name] ?? []).join('\n')}\n`,
    'x-line-schema': set.ref(lines),
  };
  const description = 'One JSON object a line; gzip is accepted with `Content-Encoding: gzip`';
  return { requestBody: { required: true, description, content: { 'application/x-ndjson': media } } };
}

function operation(name: EndpointName, set: SchemaSet) {
  const endpoint: Endpoint = ENDPOINTS[name];
  const json = (example: unknown) => ({ 'application/json': { schema: set.ref(endpoint.response), example } });
  const failures = [...errorsByStatus(endpoint)].map(([status, codes]) => {
    const response = errorResponse(endpoint, status, codes, set);
    // A service that is not ready says which part is not, in the shape of the ready answer.
    const unready = name === 'readyz' && status === 503;
    return [
      status,
      unready
        ? {
            ...response,
            description: `Not ready, or: ${response.description}`,
            content: { ...json(UNREADY_EXAMPLE), ...response.content },
          }
        : response,
    ];
  });
  const parameters = parametersOf(endpoint).map(parameterObject);
  const { status = 200 } = endpoint;
  return {
    operationId: operationId(name),
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(name, set),
    security: securityOf(endpoint),
    responses: {
      [status]: {
        description: status === 201 ? 'Created' : 'Success',
        headers: headersOf(endpoint, status),
        content: json(RESPONSE_EXAMPLES[name]),
      },
      ...(endpoint.tagged && {
        304: {
          description: 'What you have, by `If-None-Match`, is still the answer. It counts as a request',
          headers: headersOf(endpoint, 304),
        },
      }),
      ...Object.fromEntries(failures),
    },
    ...(endpoint.scope === null ? {} : { 'x-scope': endpoint.scope }),
  };
}

/** The document of the REST interface. */
export function openApiDocument(options: OpenApiOptions = {}): object {
  const set = schemaSet('#/components/schemas/');
  const names = Object.keys(ENDPOINTS) as EndpointName[];
  const paths: Record<string, Record<string, object>> = {};
  for (const name of names) {
    const { method, path } = ENDPOINTS[name];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(name, set) };
  }
  const answered = new Set(names.flatMap((name) => [...errorsByStatus(ENDPOINTS[name]).values()].flat()));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tickwire',
      summary: 'Market data, verified trading signals and news',
      description: DESCRIPTION,
      version: API_VERSION,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.serverUrl ?? '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The API key, beginning with `tw_`' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-tickwire',
          description: "Cookie of a signed-in session, from the service's own origin only",
        },
      },
      headers: Object.fromEntries(
        Object.entries(RESPONSE_HEADERS).map(([name, { description, type, example }]) => [
          name,
          { description, schema: { type }, example },
        ]),
      ),
      examples: Object.fromEntries(
        [...answered].map((code) => [code, { summary: ERRORS[code].title, value: problemExample(code) }]),
      ),
      schemas: set.schemas,
    },
    'x-tiers': TIERS,
  };
}
