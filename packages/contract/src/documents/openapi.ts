// The OpenAPI 3.1 document, generated from the endpoint table, the error catalogue, the tiers and the schemas. Parameters and
// error responses that several operations share are components.
import { SESSION_LIMITS } from '../accounts/schemas.ts';
import type { Endpoint } from '../common/endpoint.ts';
import { COMMON_ERRORS, ERROR_CODES, type ErrorCode, Problem } from '../common/errors.ts';
import { RESPONSE_HEADERS, type ResponseHeader } from '../common/headers.ts';
import { TIERS } from '../common/tiers.ts';
import { API_VERSION } from '../common/version.ts';
import { UNREADY_EXAMPLE } from '../service/examples.ts';
import { ENDPOINTS, type EndpointName } from './endpoints.ts';
import { ERRORS, errorsByStatus, problemExample } from './errors.ts';
import { ACCEPTED_EXAMPLES, JSON_BODY_EXAMPLES, LINE_EXAMPLES, RESPONSE_EXAMPLES } from './examples.ts';
import { type SchemaSet, schemaSet } from './json-schema.ts';
import { type Parameter, parametersOf } from './parameters.ts';
import { webhooks } from './webhooks.ts';

export interface OpenApiOptions {
  /** Address of the service. By default, the address the document was loaded from. */
  readonly serverUrl?: string;
}

/** What the endpoints of a tag are about. */
export const TAGS: Readonly<Record<Endpoint['tag'], string>> = {
  Market: 'Instruments, quotes, trading hours and position sizes',
  History: 'Bars, ticks, indicators and volume at price',
  TradingView: 'The data feed of TradingView charts (UDF)',
  Signals: 'The public signal feed with verified results',
  Publishers: 'Publishers of signals and their track records',
  News: 'News with sentiment, and the accuracy of the sentiment',
  Calendar: 'The economic calendar, and the time windows around its events',
  AI: 'Models for sentiment and briefs, limited by the AI calls of the tier',
  Alerts: 'Alerts, subscriptions, and the delivery of their messages',
  Account: 'Sign-up, sign-in and sessions',
  Keys: 'API keys of the account and their usage',
  Operator: 'Operator endpoints',
  Ingest: 'Ticks, news and calendar events from your own sources',
  Streams: 'Live messages over HTTP',
  Service: 'State of the service and usage of the limits',
};

const tierTable = Object.entries(TIERS).map(
  ([name, tier]) =>
    `| ${name} | ${tier.requests_per_minute} | ${tier.streams} | ${tier.ai_calls_per_day} | ${tier.signals_per_day} | ${tier.active_signals_per_symbol} | ${tier.export_rows_per_day} | ${tier.alerts} | ${tier.deliveries_per_day} |`,
);

const headerTable = Object.entries<ResponseHeader>(RESPONSE_HEADERS)
  .filter(([, { on }]) => on === 'every')
  .map(([name, { description }]) => `| \`${name}\` | ${description} |`);

const DESCRIPTION = `Market data, verified trading signals and news over REST.

Send the API key in the \`X-API-Key\` header. The tier of the account sets the limits, which apply to all its keys together.
A signed-in session of the web terminal authenticates with its cookie instead, from the service's own origin. All sessions of
an account share separate limits of ${SESSION_LIMITS.requests_per_minute} requests per minute and ${SESSION_LIMITS.streams} streams.

| Tier | REST requests per minute | WebSocket streams | AI calls per day | Signals per day | Active signals per instrument | Rows in files per day | Alerts | Deliveries per day |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${tierTable.join('\n')}

Errors are \`application/problem+json\` (RFC 9457). Use \`code\` to distinguish them in programs. The \`default\` response of an
operation covers the errors that any request can get.

Every response, errors included, has these headers; \`Data-Source\` only if the data is simulated, and
\`Warning-Parameters\` only if the request has unknown query parameters or unknown fields in its body, which are ignored:

| Header | Meaning |
| --- | --- |
${headerTable.join('\n')}

Every response to an authenticated caller also has \`RateLimit-Policy\`, \`RateLimit\` and the older \`X-RateLimit-*\` headers.

Changes are additive: ignore fields you do not know. \`/asyncapi.json\` describes the WebSocket interface.`;

export function operationId(name: EndpointName): string {
  const method = ENDPOINTS[name].method.toLowerCase();
  return method + name.charAt(0).toUpperCase() + name.slice(1);
}

const pascal = (name: string) => name.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());

type Named = readonly [names: readonly string[], definition: object];

/** Definitions that several operations share become components; the others stay where they are used. */
class SharedComponents {
  readonly components: Record<string, object> = {};
  readonly #refs = new Map<string, { readonly $ref: string }>();

  /** Each definition gets the first of its names that is not taken by one with more uses. */
  constructor(base: string, definitions: readonly Named[]) {
    const uses = Map.groupBy(definitions, ([, definition]) => JSON.stringify(definition));
    const shared = [...uses].filter(([, { length }]) => length > 1).sort(([, a], [, b]) => b.length - a.length);
    for (const [key, [[names, definition] = [[], {}]]] of shared) {
      const name = names.find((each) => !(each in this.components));
      if (name === undefined) throw new Error(`two components are named ${names.join(' or ')}`);
      this.components[name] = definition;
      this.#refs.set(key, { $ref: base + name });
    }
  }

  use(definition: object): object {
    return this.#refs.get(JSON.stringify(definition)) ?? definition;
  }
}

/** References to headers, without those that every response has. */
const headerRefs = (applies: (header: ResponseHeader, name: string) => boolean) => {
  const names = Object.entries(RESPONSE_HEADERS).filter(([name, header]) => applies(header, name));
  if (names.length === 0) return {};
  return { headers: Object.fromEntries(names.map(([name]) => [name, { $ref: `#/components/headers/${name}` }])) };
};

/** The older rate limit headers are listed only on a 429. */
const isOlder = (name: string) => name.startsWith('X-RateLimit-');

/** Headers of a success or a 304. */
function headersOf(endpoint: Endpoint) {
  const { auth, etag, quoteAge, streamPosition, setsCookie, lineResponse: evidence, files, tape } = endpoint;
  const authenticated = auth !== 'none';
  const present = {
    every: false,
    authenticated,
    etag,
    quote: quoteAge,
    position: streamPosition,
    cookie: setsCookie,
    evidence,
    files,
    tape,
  };
  return headerRefs(({ on }, name) => typeof on === 'string' && present[on] === true && !isOlder(name));
}

const errorHeaders = (status: number) =>
  headerRefs(({ on }, name) => (Array.isArray(on) && on.includes(status)) || (status === 429 && isOlder(name)));

function parameterObject({ name, in: place, required, description, schema }: Parameter) {
  // A list is one comma-separated value. The values of a repeated list are joined.
  const list = schema.type === 'array' ? { style: 'form', explode: false } : {};
  return { name, in: place, required, description, ...list, schema };
}

const PHRASES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  416: 'RangeNotSatisfiable',
  422: 'Unprocessable',
  429: 'TooManyRequests',
  503: 'Unavailable',
};

const problemContent = (codes: readonly ErrorCode[], set: SchemaSet) => ({
  'application/problem+json': {
    schema: set.ref(Problem),
    examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
  },
});

const titlesOf = (codes: readonly ErrorCode[]) => codes.map((code) => `${ERRORS[code].title} (\`${code}\`)`).join(', ');

/** Error responses of an endpoint, without those of the statuses that only `COMMON_ERRORS` have. */
function errorResponses(endpoint: Endpoint, set: SchemaSet) {
  const own = [...errorsByStatus(endpoint)].filter(([, codes]) => !codes.every(isCommon));
  return own.map(([status, unordered]) => {
    const codes = ERROR_CODES.filter((code) => unordered.includes(code));
    const response = { description: titlesOf(codes), ...errorHeaders(status), content: problemContent(codes, set) };
    // The most common response of a status is named after the status, the others after their codes.
    const byCodes = [codes.slice(0, 3), codes].map((each) => each.map(pascal).join('Or'));
    // A single code may have the name of its status.
    const names = [PHRASES[status], ...byCodes, `Only${byCodes[1]}`].filter((name) => name !== undefined);
    return { status, names, response };
  });
}

const isCommon = (code: ErrorCode) => (COMMON_ERRORS as readonly ErrorCode[]).includes(code);

/** The `default` response: errors that any request can get, with the headers of their statuses. */
const commonError = (set: SchemaSet) => ({
  description: `Errors that any request can get: ${titlesOf(COMMON_ERRORS)}`,
  ...headerRefs(({ on }) => Array.isArray(on) && COMMON_ERRORS.some((code) => on.includes(ERRORS[code].status))),
  content: problemContent(COMMON_ERRORS, set),
});

/** Accepted credentials: a key, or the cookie of a session that has the scope. */
function securityOf({ auth, scope }: Endpoint): object[] {
  if (auth === 'session') return [{ session: [] }];
  if (auth !== 'key') return [];
  return scope === 'ingest' ? [{ apiKey: [] }] : [{ apiKey: [] }, { session: [] }];
}

function requestBody(name: EndpointName, set: SchemaSet) {
  const { body, bodyOptional = false, lines }: Endpoint = ENDPOINTS[name];
  if (body) {
    const example = JSON_BODY_EXAMPLES[name];
    const content = { 'application/json': { schema: set.ref(body), ...(example !== undefined && { example }) } };
    return { requestBody: { required: !bodyOptional, content } };
  }
  if (!lines) return {};
  const content = { contentMediaType: 'application/x-ndjson', contentSchema: { type: 'array', items: set.ref(lines) } };
  const media = { schema: { type: 'string', ...content }, example: `${(LINE_EXAMPLES[name] ?? []).join('\n')}\n` };
  const description = 'One JSON object per line, plain or with `Content-Encoding: gzip`';
  return { requestBody: { required: true, description, content: { 'application/x-ndjson': media } } };
}

/** A response of lines; the example has one. */
const lineContent = (name: EndpointName, set: SchemaSet) => ({
  'application/x-ndjson': {
    schema: {
      type: 'string',
      contentMediaType: 'application/x-ndjson',
      contentSchema: { type: 'array', items: set.ref(ENDPOINTS[name].response) },
    },
    example: `${JSON.stringify(RESPONSE_EXAMPLES[name])}\n`,
  },
});

interface Shared {
  readonly set: SchemaSet;
  readonly parameters: SharedComponents;
  readonly responses: SharedComponents;
}

function operation(name: EndpointName, { set, parameters: sharedParameters, responses }: Shared) {
  const endpoint: Endpoint = ENDPOINTS[name];
  const mediaType = endpoint.csv ? 'text/csv' : endpoint.eventStream ? 'text/event-stream' : 'application/json';
  const content = (example: unknown) => ({ [mediaType]: { schema: set.ref(endpoint.response), example } });
  const failures = errorResponses(endpoint, set).map(({ status, response }) => [status, responses.use(response)]);
  const parameters = parametersOf(endpoint).map((each) => sharedParameters.use(parameterObject(each)));
  const { status = 200 } = endpoint;
  return {
    operationId: operationId(name),
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: endpoint.description,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(name, set),
    security: securityOf(endpoint),
    responses: {
      [status]: {
        description: status === 201 ? 'Created' : 'Success',
        ...headersOf(endpoint),
        content: endpoint.lineResponse
          ? lineContent(name, set)
          : {
              ...content(RESPONSE_EXAMPLES[name]),
              ...(endpoint.files && FILE_CONTENT),
              ...(endpoint.csvOption && CSV_CONTENT),
            },
      },
      ...(endpoint.accepted && {
        202: {
          description: 'Accepted, and not completed yet',
          ...headersOf(endpoint),
          content: { 'application/json': { schema: set.ref(endpoint.accepted), example: ACCEPTED_EXAMPLES[name] } },
        },
      }),
      ...(endpoint.files && { 206: responses.use(PART_OF_FILE) }),
      ...(endpoint.etag && { 304: responses.use(notModified(endpoint)) }),
      ...Object.fromEntries(failures),
      ...(name === 'readyz' && { 503: notReady(content(UNREADY_EXAMPLE), set) }),
      default: responses.use(commonError(set)),
    },
    ...(endpoint.scope === null ? {} : { 'x-scope': endpoint.scope }),
  };
}

/** The other forms of a response that can be a file. */
const CSV_CONTENT = { 'text/csv': { schema: { type: 'string' } } };
const FILE_CONTENT = {
  'application/x-ndjson': { schema: { type: 'string' } },
  ...CSV_CONTENT,
  'application/vnd.apache.parquet': { schema: { type: 'string', format: 'binary' } },
};

const PART_OF_FILE = { description: 'The part of a file that the header `Range` names', content: FILE_CONTENT };

const notModified = (endpoint: Endpoint) => ({
  description: 'The response named in `If-None-Match` is still current. The request counts against the rate limit',
  ...headersOf(endpoint),
});

/** The body has the same shape as that of a success, unless the service is stopping. */
const notReady = (body: object, set: SchemaSet) => ({
  description: `Not ready, or: ${titlesOf(['shutting_down'])}`,
  ...errorHeaders(503),
  content: { ...body, ...problemContent(['shutting_down'], set) },
});

/** The document of the REST interface. */
export function openApiDocument(options: OpenApiOptions = {}): object {
  const set = schemaSet('#/components/schemas/');
  const names = Object.keys(ENDPOINTS) as EndpointName[];
  const endpoints: Endpoint[] = Object.values(ENDPOINTS);
  const responses = new SharedComponents('#/components/responses/', [
    ...endpoints.flatMap((endpoint) =>
      errorResponses(endpoint, set).map(({ names, response }): Named => [names, response]),
    ),
    ...endpoints.filter(({ etag }) => etag).map((endpoint): Named => [['NotModified'], notModified(endpoint)]),
    ...endpoints.filter(({ files }) => files).map((): Named => [['PartOfFile'], PART_OF_FILE]),
    ...endpoints.map((): Named => [['Error'], commonError(set)]),
  ]);
  const parameters = new SharedComponents(
    '#/components/parameters/',
    endpoints.flatMap((endpoint) =>
      parametersOf(endpoint).map((each): Named => {
        const name = pascal(`${each.name}-${each.in}`);
        return [[name, endpoint.tag + name], parameterObject(each)];
      }),
    ),
  );
  const paths: Record<string, Record<string, object>> = {};
  for (const name of names) {
    const { method, path } = ENDPOINTS[name];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(name, { set, parameters, responses }) };
  }
  const returned = new Set(endpoints.flatMap((endpoint) => [...errorsByStatus(endpoint).values()].flat()));
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
    webhooks: webhooks(set),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'API key, starting with `tw_`' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-tickwire',
          description: "Cookie of a signed-in session, accepted only from the service's own origin",
        },
      },
      headers: Object.fromEntries(
        Object.entries<ResponseHeader>(RESPONSE_HEADERS)
          .filter(([, { on }]) => on !== 'every')
          .map(([name, { description, type, example }]) => [name, { description, schema: { type }, example }]),
      ),
      parameters: parameters.components,
      responses: responses.components,
      examples: Object.fromEntries(
        [...returned].map((code: ErrorCode) => [code, { summary: ERRORS[code].title, value: problemExample(code) }]),
      ),
      schemas: set.schemas,
    },
    'x-tiers': TIERS,
  };
}
