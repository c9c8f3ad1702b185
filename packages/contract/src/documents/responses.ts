// The responses of an operation in the OpenAPI document: successes, a 304, and `default` for all errors.
import type { Endpoint } from '../common/endpoint.ts';
import { RESPONSE_HEADERS, type ResponseHeader } from '../common/headers.ts';
import { UNREADY_EXAMPLE } from '../service/examples.ts';
import { ERRORS, type ErrorCode, Problem } from '../stream/error-catalogue.ts';
import { ENDPOINTS, type EndpointName } from './endpoints.ts';
import { endpointErrors, generalErrors } from './errors.ts';
import { type SchemaSet, schemaName } from './json-schema.ts';
import type { Named } from './shared-components.ts';

/** A response, and the names that it may get as a component. */
export interface DocumentedResponse {
  readonly status: string | number;
  readonly names: Named[0];
  readonly response: object;
  /** Replaces the description of a component where this operation refers to it. */
  readonly note?: string;
}

/** All responses of an endpoint, in the order of the document. */
export function responsesOf(name: EndpointName, set: SchemaSet): readonly DocumentedResponse[] {
  const endpoint: Endpoint = ENDPOINTS[name];
  const specific = specificErrors(endpoint);
  return [
    ...successes(name, set),
    ...(endpoint.etag ? [{ status: 304, names: ['NotModified'], response: notModified(endpoint) }] : []),
    ...(name === 'readyz' ? [{ status: 503, names: ['NotReady'], response: notReady(set) }] : []),
    {
      status: 'default',
      names: [generalErrorName(endpoint)],
      response: generalError(endpoint, set),
      ...(specific && { note: `Also: ${specific}` }),
    },
  ];
}

/** References to headers, without those that every response has. */
function headerRefs(applies: (header: ResponseHeader) => boolean | undefined) {
  const names = Object.entries(RESPONSE_HEADERS).filter(([, header]) => applies(header));
  if (names.length === 0) return {};
  return { headers: Object.fromEntries(names.map(([name]) => [name, { $ref: `#/components/headers/${name}` }])) };
}

/** Headers of a success or a 304. Those of every response to an authenticated caller are in the `default` response. */
function headersOf(endpoint: Endpoint) {
  const { etag, quoteAge, streamPosition, setsCookie, lineResponse: evidence, files, tape, replay, tag } = endpoint;
  const present = {
    etag,
    quote: quoteAge,
    position: streamPosition,
    cookie: setsCookie,
    evidence,
    files,
    tape,
    replay,
    practice: replay && tag === 'Signals',
  };
  return headerRefs(({ on }) => typeof on === 'string' && on in present && present[on as keyof typeof present]);
}

/** Headers of errors, by their statuses. */
const errorHeaders = (codes: readonly ErrorCode[], authenticated = false) =>
  headerRefs(({ on }) =>
    typeof on === 'string'
      ? on === 'authenticated' && authenticated
      : codes.some((code) => on.includes(ERRORS[code].status ?? 0)),
  );

function successes(name: EndpointName, set: SchemaSet): DocumentedResponse[] {
  const endpoint: Endpoint = ENDPOINTS[name];
  const { status = 200, response, accepted, files } = endpoint;
  const headers = headersOf(endpoint);
  return [
    {
      status,
      names: [`${schemaName(response)}${status === 201 ? 'Created' : 'Response'}`],
      response: {
        description: status === 201 ? 'Created' : 'Success',
        ...headers,
        content: endpoint.lineResponse ? lineContent(name, set) : content(name, set),
      },
    },
    ...(accepted
      ? [
          {
            status: 202,
            names: [`${schemaName(accepted)}Response`],
            response: {
              description: 'Accepted, and not completed yet',
              ...headers,
              content: { 'application/json': { schema: set.ref(accepted) } },
            },
          },
        ]
      : []),
    ...(files ? [{ status: 206, names: ['PartOfFile'], response: PART_OF_FILE }] : []),
  ];
}

function content(name: EndpointName, set: SchemaSet) {
  const { response, csv, eventStream, files, csvOption }: Endpoint = ENDPOINTS[name];
  const mediaType = csv ? 'text/csv' : eventStream ? 'text/event-stream' : 'application/json';
  return {
    [mediaType]: { schema: set.ref(response) },
    ...(files && FILE_CONTENT),
    ...(csvOption && CSV_CONTENT),
  };
}

/** A response of lines. */
const lineContent = (name: EndpointName, set: SchemaSet) => ({
  'application/x-ndjson': {
    schema: {
      type: 'string',
      contentMediaType: 'application/x-ndjson',
      contentSchema: { type: 'array', items: set.ref(ENDPOINTS[name].response) },
    },
  },
});

/** The other forms of a response that can be a file. */
const CSV_CONTENT = { 'text/csv': { schema: { type: 'string' } } };
const FILE_CONTENT = {
  'application/x-ndjson': { schema: { type: 'string' } },
  ...CSV_CONTENT,
  'application/vnd.apache.parquet': { schema: { type: 'string', format: 'binary' } },
};
const PART_OF_FILE = { description: 'The part of a file that the header `Range` names', content: FILE_CONTENT };

const notModified = (endpoint: Endpoint) => ({
  description: 'That of `If-None-Match` is current. The request counts',
  ...headersOf(endpoint),
});

/** The body has the same shape as that of a success, unless the service is stopping. */
const notReady = (set: SchemaSet) => ({
  description: 'Not ready, or: `shutting_down`',
  ...errorHeaders(['shutting_down']),
  content: {
    'application/json': { schema: set.ref(ENDPOINTS.readyz.response), example: UNREADY_EXAMPLE },
    ...problemContent(set),
  },
});

const problemContent = (set: SchemaSet) => ({ 'application/problem+json': { schema: set.ref(Problem) } });

const listed = (codes: readonly ErrorCode[]) => codes.map((code) => `\`${code}\``).join(', ');

function generalErrorName({ auth, unlimited }: Endpoint): string {
  if (unlimited) return 'HealthCheckError';
  return auth === 'key' ? 'ErrorWithKey' : auth === 'session' ? 'ErrorWithSession' : 'Error';
}

/** The `default` response: errors that any request with the same credentials can get, with the headers of errors. */
const generalError = (endpoint: Endpoint, set: SchemaSet) => ({
  description: `Any request: ${byStatus(generalErrors(endpoint))}`,
  ...errorHeaders(generalErrors(endpoint), endpoint.auth === 'key' || endpoint.auth === 'session'),
  content: problemContent(set),
});

/** The errors of an endpoint that are not general. */
function specificErrors(endpoint: Endpoint): string {
  const general = generalErrors(endpoint);
  return byStatus(endpointErrors(endpoint).filter((code) => !general.includes(code)));
}

/** `404 `symbol_not_found`; 503 `no_quote`, `stale_quote``. */
function byStatus(codes: readonly ErrorCode[]): string {
  const groups = [...Map.groupBy(codes, (code) => ERRORS[code].status ?? 0)].sort(([a], [b]) => a - b);
  return groups.map(([status, each]) => `${status} ${listed(each)}`).join('; ');
}
