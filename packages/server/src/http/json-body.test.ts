import { expect, test } from 'bun:test';
import { ENDPOINTS, type Endpoint, JSON_BODY_EXAMPLES } from '@tickwire/contract';
import { z } from 'zod';
import { ServiceError } from '../errors/service-error.ts';
import { readJson, unknownIn } from './json-body.ts';

const post = (body: object): Request =>
  new Request('http://localhost/', { method: 'POST', body: JSON.stringify(body) });
const schema = z.object({
  symbol: z.string(),
  condition: z.object({ level: z.number() }),
  note: z.string().optional(),
});

const refusal = async (request: Request, by: z.ZodType): Promise<string> => {
  const error = await readJson(request, by).catch((reason: unknown) => reason as ServiceError);
  if (!(error instanceof ServiceError)) throw new Error('the body was accepted');
  expect(error.code).toBe('unknown_parameter');
  return error.message;
};

test('refuses fields that the endpoint does not know, also inside others, and names the nearest', async () => {
  const request = post({ symbol: 'EURUSD', condition: { level: 1, lvel: 2 }, nte: '' });
  expect(await refusal(request, schema)).toBe(
    'condition.lvel is unknown and must be left out; the nearest name is condition.level; nte is unknown and must be left out; the nearest name is note',
  );
});

test('names them inside lists, also lists in lists', async () => {
  const list = z.object({ all: z.array(z.object({ level: z.number(), any: z.array(z.object({})).optional() })) });
  const request = post({ all: [{ level: 1 }, { level: 2, lvel: 3, any: [{ typo: 1 }] }] });
  expect(await refusal(request, list)).toBe(
    'all.1.lvel is unknown and must be left out; the nearest name is all.1.level; all.1.any.0.typo is unknown and must be left out',
  );
});

test('names nothing inside what the schema has turned into something else', () => {
  expect(unknownIn({ a: { b: 1 }, c: [{ d: 1 }], e: [1] }, { a: 'b', c: { length: 1 }, e: null })).toEqual([]);
  expect(unknownIn({ list: [{ a: 1 }, { b: 2 }] }, { list: [{ a: 1 }] })).toEqual([]);
});

test('does not look for them in depth without end', async () => {
  const deep = `{"symbol":"EURUSD","value":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
  const request = new Request('http://localhost/', { method: 'POST', body: deep });
  expect((await readJson(request, z.object({ symbol: z.string(), value: z.unknown() }))).value.symbol).toBe('EURUSD');
});

test('accepts a body whose fields are all known', async () => {
  const body = { symbol: 'EURUSD', condition: { level: 1 }, note: '' };
  expect((await readJson(post(body), schema)).value).toEqual(body);
});

const withBody = Object.entries(ENDPOINTS as Record<string, Endpoint>).filter(([, { body }]) => body);
test.each(withBody)('knows every field of the example of %s', (name, { body }) => {
  const example = JSON_BODY_EXAMPLES[name as keyof typeof JSON_BODY_EXAMPLES] as unknown as object;
  expect(unknownIn(example, body!.parse(example))).toEqual([]);
});
