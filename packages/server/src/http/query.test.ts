import { expect, test } from 'bun:test';
import { NewsQuery } from '@tickwire/contract';
import { queryReader } from './query.ts';

test('parses a query once and remembers it', () => {
  const read = queryReader(NewsQuery);
  expect(read('limit=5').values).toMatchObject({ limit: 5 });
  expect(read('limit=5')).toBe(read('limit=5'));
});

test('remembers no long queries, which would fill the memory', () => {
  const read = queryReader(NewsQuery, undefined, true);
  const long = `limit=5&x=${'y'.repeat(8_000)}`;
  expect(read(long)).toMatchObject({ values: { limit: 5 }, unknown: 'x' });
  expect(read(long)).not.toBe(read(long));
});

test('a value without a name is no parameter', () => {
  expect(queryReader(NewsQuery)('=5&limit=5')).toMatchObject({ values: { limit: 5 }, unknown: null });
});
