import { describe, expect, test } from 'bun:test';
import { z } from 'zod';
import { ENDPOINTS } from './endpoints.ts';
import { parametersOf, pathParameters, queryParameters } from './parameters.ts';

describe('parameters', () => {
  test('come in the order of path, then query, then headers', () => {
    const names = parametersOf(ENDPOINTS.market).map(({ name }) => name);
    expect(names).toEqual(['symbol', 'timeframe', 'bars', 'before', 'from', 'to', 'detail', 'If-None-Match']);
  });

  test('are required where nothing stands in for them', () => {
    const query = z.object({ must: z.string(), may: z.string().optional(), preset: z.int().default(3) });
    expect(queryParameters(query).map(({ required }) => required)).toEqual([true, false, false]);
    expect(queryParameters(undefined)).toEqual([]);
  });

  test('show the wire of a transformed field, not what it is read into', () => {
    const query = z.object({ length: z.string().transform((text) => text.length) });
    expect(queryParameters(query)[0]?.schema).toEqual({ type: 'string' });
  });

  test('of a path must be described', () => {
    expect(() => pathParameters('/api/{mystery}')).toThrow('mystery');
  });

  test('of a query say in words what they allow, and what they say passes', () => {
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
