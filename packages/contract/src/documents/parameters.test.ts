import { describe, expect, test } from 'bun:test';
import { z } from 'zod';
import type { Endpoint } from '../common/endpoint.ts';
import { ENDPOINTS } from './endpoints.ts';
import { parametersOf, pathParameters, queryParameters } from './parameters.ts';

describe('parameters', () => {
  test('are ordered by path, query and headers', () => {
    const names = parametersOf(ENDPOINTS.market).map(({ name }) => name);
    expect(names).toEqual(['symbol', 'timeframe', 'bars', 'before', 'from', 'to', 'detail', 'If-None-Match']);
  });

  test('are required unless they have a default or are optional', () => {
    const query = z.object({ must: z.string(), may: z.string().optional(), preset: z.int().default(3) });
    expect(queryParameters(query).map(({ required }) => required)).toEqual([true, false, false]);
    expect(queryParameters(undefined)).toEqual([]);
  });

  test('describe a transformed field as clients send it', () => {
    const query = z.object({ length: z.string().transform((text) => text.length) });
    expect(queryParameters(query)[0]?.schema).toEqual({ type: 'string' });
  });

  test('of a path must have a description', () => {
    expect(() => pathParameters('/api/{mystery}')).toThrow('mystery');
  });

  test('have a description and a schema, and accept the documented forms of a time', () => {
    for (const endpoint of Object.values(ENDPOINTS)) {
      for (const { name, in: place, description, schema } of parametersOf(endpoint)) {
        expect([name, place, description]).not.toContain('');
        expect(Object.keys(schema).length).toBeGreaterThan(0);
      }
    }
    expect(
      ENDPOINTS.market.query.safeParse({ before: '2026-03-02T09:00:00Z', from: '2026-03-02', to: '1772450647' })
        .success,
    ).toBe(true);
  });
});

test('every field of a query or body states in words what it allows', () => {
  const allowedOf = (field: z.ZodType): unknown =>
    field.meta()?.allowed ?? ('unwrap' in field ? allowedOf((field.unwrap as () => z.ZodType)()) : undefined);
  for (const [name, { query, body, lines }] of Object.entries<Endpoint>(ENDPOINTS)) {
    for (const schema of [query, body, name === 'ingestNews' ? lines : undefined]) {
      if (schema === undefined) continue;
      const shapes = schema instanceof z.ZodUnion ? schema.options : [schema];
      for (const shape of shapes) expect(shape).toBeInstanceOf(z.ZodObject);
      const fields = shapes.flatMap((shape) => Object.entries((shape as z.ZodObject).shape));
      // A literal allows itself.
      for (const [field, type] of fields.filter(([, each]) => !(each instanceof z.ZodLiteral)))
        expect([name, field, allowedOf(type as z.ZodType)]).toEqual([name, field, expect.any(String)]);
    }
  }
});
