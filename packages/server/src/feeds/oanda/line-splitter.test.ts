import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { LineSplitter } from './line-splitter.ts';

test('lines come out whole wherever the chunks were cut, inside a character too', () => {
  const line = fc.string({ unit: fc.constantFrom('a', '{', '"', '€', '金', '😀'), minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.array(line), line, fc.array(fc.nat(40)), (lines, rest, cuts) => {
      const splitter = new LineSplitter(100);
      let bytes = new TextEncoder().encode(lines.map((each) => `${each}\r\n\n`).join('') + rest);
      const seen: string[] = [];
      for (const cut of cuts) {
        seen.push(...splitter.push(bytes.subarray(0, cut))!);
        bytes = bytes.subarray(cut);
      }
      seen.push(...splitter.push(bytes)!);
      expect(seen).toEqual(lines);
      expect(splitter.rest).toBe(rest);
    }),
  );
});

test('a line that outgrows the bound is given up, whole or still growing', () => {
  expect(new LineSplitter(10).push(new TextEncoder().encode(`${'x'.repeat(11)}\n`))).toBeNull();
  const growing = new LineSplitter(10);
  expect(growing.push(new TextEncoder().encode('xxxxx'))).toEqual([]);
  expect(growing.push(new TextEncoder().encode('xxxxxx'))).toBeNull();
});
