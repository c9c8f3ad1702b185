import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { fromColumn, fromLineAndColumn } from './malformed-json.ts';

test.each([
  ['{"a":1,}', 8],
  ['{"a": tru}', 7],
  ['{"a":1 "b":2}', 8],
  ['[1,2', 5],
  ["{'a':1}", 2],
  ['{"a":1}}', 8],
  ['{"a":01}', 6],
  ['{"a":NaN}', 6],
  ['{"a":"\\q"}', 6],
  ['[1}', 3],
  ['{"a" 1}', 6],
  ['[,]', 2],
  ['1 2', 3],
  [',', 1],
  ['', 1],
])('finds what does not fit in %s', (text, column) => {
  expect(fromLineAndColumn(text)).toBe(` from line 1, column ${column}`);
  expect(fromColumn(text)).toBe(` from column ${column}`);
});

test('counts lines', () => {
  expect(fromLineAndColumn('{\n  "a": 1,\n  b: 2\n}')).toBe(' from line 3, column 3');
});

test('finds the end of every document that was cut off, and what follows a whole one', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, cut) => {
      expect(fromLineAndColumn(`${json}]`)).toBe(` from line 1, column ${json.length + 1}`);
      const part = `[${json.slice(0, cut % (json.length + 1))}`;
      const column = Number(fromLineAndColumn(part).split(' ').at(-1));
      expect(column).toBeLessThanOrEqual(part.length + 1);
      // What precedes the fault is the beginning of a document; a string or number that was cut counts from its start.
      expect(() => JSON.parse(part)).toThrow();
    }),
  );
});

test('does not search long texts', () => {
  expect([fromLineAndColumn('1,'.repeat(40_000)), fromColumn('['.repeat(70_000))]).toEqual(['', '']);
});
