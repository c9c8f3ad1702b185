import { expect, test } from 'bun:test';
import { ENDPOINTS, type Endpoint, JSON_BODY_EXAMPLES } from '@tickwire/contract';
import { z } from 'zod';
import { readJson, unknownFields, unknownIn } from './json-body.ts';

const post = (body: object): Request =>
  new Request('http://localhost/', { method: 'POST', body: JSON.stringify(body) });
const schema = z.object({
  symbol: z.string(),
  condition: z.object({ level: z.number() }),
  note: z.string().optional(),
});

test('names fields that the endpoint does not know, also inside others', async () => {
  const request = post({ symbol: 'EURUSD', condition: { level: 1, lvel: 2 }, deliverTo: [], 'naïve, name': 1 });
  expect((await readJson(request, schema)).value).toEqual({ symbol: 'EURUSD', condition: { level: 1 } });
  expect(unknownFields(request)).toBe('condition.lvel, deliverTo, na%C3%AFve%2C%20name');
});

test('names them inside lists, also lists in lists', async () => {
  const list = z.object({ all: z.array(z.object({ level: z.number(), any: z.array(z.object({})).optional() })) });
  const request = post({ all: [{ level: 1 }, { level: 2, lvel: 3, any: [{ typo: 1 }] }] });
  await readJson(request, list);
  expect(unknownFields(request)).toBe('all.1.lvel, all.1.any.0.typo');
});

test('names nothing inside what the schema has turned into something else', () => {
  expect(unknownIn({ a: { b: 1 }, c: [{ d: 1 }], e: [1] }, { a: 'b', c: { length: 1 }, e: null })).toEqual([]);
  expect(unknownIn({ list: [{ a: 1 }, { b: 2 }] }, { list: [{ a: 1 }] })).toEqual([]);
});

test('does not look for them in depth without end', async () => {
  const deep = `{"symbol":"EURUSD","value":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
  const request = new Request('http://localhost/', { method: 'POST', body: deep });
  await readJson(request, z.object({ symbol: z.string(), value: z.unknown() }));
  expect(unknownFields(request)).toBeNull();
});

test('names none if all are known', async () => {
  const request = post({ symbol: 'EURUSD', condition: { level: 1 }, note: '' });
  await readJson(request, schema);
  expect(unknownFields(request)).toBeNull();
});

const withBody = Object.entries(ENDPOINTS as Record<string, Endpoint>).filter(([, { body }]) => body);
test.each(withBody)('knows every field of the example of %s', (name, { body }) => {
  const example = JSON_BODY_EXAMPLES[name as keyof typeof JSON_BODY_EXAMPLES] as unknown as object;
  expect(unknownIn(example, body!.parse(example))).toEqual([]);
});
