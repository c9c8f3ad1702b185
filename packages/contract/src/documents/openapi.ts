// The OpenAPI 3.1 document, generated from the endpoint table, the error catalogue, the tiers and the schemas. Parameters and
// responses that several operations share are components.
import type { Endpoint } from '../common/endpoint.ts';
import { RESPONSE_HEADERS, type ResponseHeader } from '../common/headers.ts';
import { TIERS } from '../common/tiers.ts';
import { INSTANT } from '../common/values.ts';
import { API_VERSION } from '../common/version.ts';
import { SignalDetailFields } from '../signals/detail.ts';
import { RecordFields, SignalRecordFields } from '../signals/records.ts';
import { SignalMessage, SignalResult } from '../signals/schemas.ts';
import { type CommonFields, commonFields, withoutCommon } from './common-fields.ts';
import { composed } from './composition.ts';
import { ENDPOINTS, type EndpointName } from './endpoints.ts';
import { JSON_BODY_EXAMPLES, LINE_EXAMPLES } from './examples.ts';
import { type SchemaSet, schemaSet } from './json-schema.ts';
import { type Parameter, parametersOf } from './parameters.ts';
import { responsesOf } from './responses.ts';
import { withExamples } from './schema-examples.ts';
import { type Named, pascal, SharedComponents } from './shared-components.ts';
import { webhooks } from './webhooks.ts';

export interface Tag {
  /** What its endpoints are about. */
  readonly description: string;
  /** The page of the API reference that has its endpoints. */
  readonly page: string;
}

export const TAGS: Readonly<Record<Endpoint['tag'], Tag>> = {
  Market: { description: 'Instruments, quotes, trading hours and position sizes', page: '/docs/market' },
  History: { description: 'Bars, ticks, indicators and volume at price', page: '/docs/history' },
  TradingView: {
    description:
      'The data feed of TradingView charts (UDF). Charts cannot send a header: give them the address of a data link to `/udf`. ' +
      'Error responses also have `s` and `errmsg`',
    page: '/docs/market',
  },
  Signals: { description: 'The public signal feed with verified results', page: '/docs/signals' },
  Publishers: { description: 'Publishers of signals and their track records', page: '/docs/signals' },
  News: { description: 'News with sentiment, and the accuracy of the sentiment', page: '/docs/news' },
  Calendar: { description: 'The economic calendar, and the time windows around its events', page: '/docs/news' },
  AI: { description: 'Models for sentiment and briefs, limited by the AI calls of the tier', page: '/docs/news' },
  Alerts: { description: 'Alerts, subscriptions, and the delivery of their messages', page: '/docs/alerts' },
  Account: { description: 'Sign-up, sign-in and sessions', page: '/docs/accounts' },
  Keys: {
    description: 'API keys and data links, which any session of the account can manage, and usage',
    page: '/docs/accounts',
  },
  Operator: { description: 'Operator endpoints', page: '/docs/operating' },
  Ingest: { description: 'Ticks, news and calendar events from your own sources', page: '/docs/operating' },
  Streams: { description: 'Live messages over HTTP', page: '/docs/streams' },
  Replay: { description: 'Sessions that replay the recorded past', page: '/docs/history' },
  Service: { description: 'State of the service and usage of the limits', page: '/docs/operating' },
};

const tierTable = Object.entries(TIERS).map(
  ([name, tier]) =>
    `| ${name} | ${tier.requests_per_minute} | ${tier.streams} | ${tier.live_indicators} | ${tier.ai_calls_per_day} | ${tier.signals_per_day} | ${tier.active_signals_per_symbol} | ${tier.export_rows_per_day} | ${tier.alerts} | ${tier.deliveries_per_day} |`,
);

const headerTable = (where: ResponseHeader['on']) =>
  Object.entries<ResponseHeader>(RESPONSE_HEADERS)
    .filter(([, { on }]) => on === where)
    .map(([name, { description, example }]) => `| \`${name}\` | ${description} | \`${example}\` |`)
    .join('\n');

const fieldTable = (common: CommonFields) =>
  [...common].map(([name, description]) => `| \`${name}\` | ${description} |`).join('\n');

const description = (common: CommonFields) => `Market data, verified trading signals and news over REST.

Send the API key in the \`X-API-Key\` header. The tier of the account sets the limits, which apply to all its keys together.
A signed-in session of the web terminal authenticates with its cookie instead, from the service's own origin. All sessions
of an account together have these limits once more.

| Tier | REST requests per minute | Streams | Live indicators | AI calls per day | Signals per day | Active signals per instrument | Rows per day | Alerts | Deliveries per day |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
${tierTable.join('\n')}

Where the responses of an operation have the header \`Replay-Clock\`, a request can have the header or query parameter \`Replay\` (\`replay\`) with the id of a
replay session, and is answered as of its clock.

Errors are \`application/problem+json\` (RFC 9457). Use \`code\` to distinguish them in programs; \`type\` is the address of
an explanation, and \`/docs#errors\` lists all codes. The \`default\` response covers all errors of
an operation: those that any request can get, and those that the operation adds. Those about a path
parameter, query or body occur only where there is one.

Every response, errors included, has these headers; \`Data-Source\` only if the data is simulated, and
\`Warning-Parameters\` only where unknown parameters are ignored:

| Header | Meaning | Example |
| --- | --- | --- |
${headerTable('every')}

Every response to an authenticated caller also has the headers of the limits that its \`default\` response lists.

\`interval\` and \`timeframe\` name the same parameter. Times in responses are ISO 8601 in UTC. A field without a description has the meaning that it has in all schemas:

| Field | Meaning |
| --- | --- |
${fieldTable(common)}

Changes are additive: ignore fields you do not know. \`/asyncapi.json\` describes the WebSocket interface.`;

export function operationId(name: EndpointName): string {
  const method = ENDPOINTS[name].method.toLowerCase();
  return method + name.charAt(0).toUpperCase() + name.slice(1);
}

const SCHEMAS = '#/components/schemas/';

function parameterObject({ name, in: place, required, description, schema }: Parameter) {
  // A list is one comma-separated value. The values of a repeated list are joined.
  const list = schema.type === 'array' ? { explode: false } : {};
  const isInstant = schema.anyOf === INSTANT.anyOf;
  return {
    name,
    in: place,
    ...(required && { required }),
    description,
    ...list,
    schema: isInstant ? { $ref: `${SCHEMAS}Instant` } : schema,
  };
}

/** Credentials that most operations accept: a key, or the cookie of a session that has the scope. */
const USUAL_SECURITY = [{ apiKey: [] }, { session: [] }];

/** Accepted credentials, if they are not the usual ones. */
function securityOf({ auth, scope }: Endpoint) {
  if (auth === 'session') return { security: [{ session: [] }] };
  if (auth !== 'key') return { security: [] };
  return scope === 'ingest' ? { security: [{ apiKey: [] }] } : {};
}

function requestBody(name: EndpointName, set: SchemaSet) {
  const { body, otherBody, bodyOptional = false, lines }: Endpoint = ENDPOINTS[name];
  if (body) {
    const example = JSON_BODY_EXAMPLES[name];
    const schema = otherBody ? { anyOf: [set.ref(body), set.ref(otherBody)] } : set.ref(body);
    const content = { 'application/json': { schema, ...(example !== undefined && { example }) } };
    return { requestBody: { required: !bodyOptional, content } };
  }
  if (!lines) return {};
  const content = { contentMediaType: 'application/x-ndjson', contentSchema: { type: 'array', items: set.ref(lines) } };
  const media = { schema: { type: 'string', ...content }, example: `${(LINE_EXAMPLES[name] ?? []).join('\n')}\n` };
  const description = 'One JSON object per line, plain or with `Content-Encoding: gzip`';
  return { requestBody: { required: true, description, content: { 'application/x-ndjson': media } } };
}

interface Described {
  readonly parameters: readonly object[];
  readonly responses: object;
}

function operation(name: EndpointName, { parameters, responses }: Described, set: SchemaSet) {
  const endpoint: Endpoint = ENDPOINTS[name];
  return {
    operationId: operationId(name),
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: endpoint.description,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(name, set),
    ...securityOf(endpoint),
    responses,
    ...(endpoint.scope === null ? {} : { 'x-scope': endpoint.scope }),
  };
}

/** Schemas that are no body, only parts of others. */
const PARTS = [SignalMessage, SignalResult, SignalDetailFields, RecordFields, SignalRecordFields];

/** The document of the REST interface. */
export function openApiDocument(): object {
  const set = schemaSet(SCHEMAS);
  for (const part of PARTS) set.ref(part);
  const described = (Object.keys(ENDPOINTS) as EndpointName[]).map((name) => {
    const endpoint: Endpoint = ENDPOINTS[name];
    return { name, endpoint, parameters: parametersOf(endpoint), responses: responsesOf(name, set) };
  });
  const sharedResponses = new SharedComponents(
    '#/components/responses/',
    described.flatMap(({ responses }) => responses.map(({ names, response }): Named => [names, response])),
  );
  const sharedParameters = new SharedComponents(
    '#/components/parameters/',
    described.flatMap(({ name: endpointName, endpoint, parameters }) =>
      parameters.map((each): Named => {
        const name = pascal(`${each.name}-${each.in}`);
        return [[name, endpoint.tag + name, pascal(endpointName) + name], parameterObject(each)];
      }),
    ),
  );
  const paths: Record<string, Record<string, object>> = {};
  for (const { name, endpoint, parameters, responses } of described) {
    const shared = {
      parameters: parameters.map((each) => sharedParameters.use(parameterObject(each))),
      responses: Object.fromEntries(
        responses.map(({ status, response, note }) => [
          status,
          { ...sharedResponses.use(response), ...(note && { description: note }) },
        ]),
      ),
    };
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(name, shared, set) };
  }
  const messages = webhooks(set);
  const schemas = composed(set.schemas, SCHEMAS);
  const common = commonFields(schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tickwire',
      summary: 'Market data, verified trading signals and news',
      description: description(common),
      version: API_VERSION,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    // The address that the document was loaded from.
    servers: [{ url: '/' }],
    security: USUAL_SECURITY,
    tags: Object.entries(TAGS).map(([name, { description, page }]) => ({
      name,
      description,
      'x-reference': page,
    })),
    paths,
    webhooks: messages,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'API key, starting with `tw_`. `Authorization: Bearer` works too',
        },
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
      parameters: sharedParameters.components,
      responses: sharedResponses.components,
      schemas: { Instant: INSTANT, ...withExamples(withoutCommon(schemas, common), SCHEMAS) },
    },
  };
}
