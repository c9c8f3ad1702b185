import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { LineSplitter } from './line-splitter.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function linesOf(chunks: readonly Uint8Array[], maxBytes = 1_000): [number, string][] {
  const lines: [number, string][] = [];
  const splitter = new LineSplitter(
    {
      line: (bytes, start, end, number) => lines.push([number, decoder.decode(bytes.subarray(start, end))]),
      tooLong: (number) => lines.push([number, 'too long']),
    },
    maxBytes,
  );
  for (const chunk of chunks) splitter.chunk(chunk);
  splitter.end();
  return lines;
}

function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (const length of lengths) {
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return [...chunks, bytes.subarray(at)];
}

describe('LineSplitter', () => {
  test('counts every line, including empty ones, with either kind of line end', () => {
    expect(linesOf([encoder.encode('a\r\nb\n\n\r\nc')])).toEqual([
      [1, 'a'],
      [2, 'b'],
      [5, 'c'],
    ]);
  });

  test('gives the same lines wherever the bytes are cut into chunks', () => {
    const text = fc.stringMatching(/^[ab\r\n]{0,60}$/).map((value) => encoder.encode(value));
    fc.assert(
      fc.property(text, fc.array(fc.nat(8)), (bytes, lengths) => {
        expect(linesOf(cut(bytes, lengths))).toEqual(linesOf([bytes]));
      }),
    );
  });

  test('keeps characters whole that are cut in two', () => {
    const line = fc.string({ unit: fc.constantFrom('a', '{', '"', '€', '金', '😀'), minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(line), line, fc.array(fc.nat(40)), (lines, rest, lengths) => {
        const bytes = encoder.encode(lines.map((each) => `${each}\r\n\n`).join('') + rest);
        expect(linesOf(cut(bytes, lengths)).map(([, text]) => text)).toEqual([...lines, rest]);
      }),
    );
  });

  test('skips a line that exceeds the limit and reads the next ones', () => {
    const chunk = new Uint8Array(1 << 20).fill(65);
    const chunks = Array.from({ length: 7 }, () => chunk);
    expect(linesOf([encoder.encode('a\n'), ...chunks, encoder.encode('\nb\n')], 4 << 20)).toEqual([
      [1, 'a'],
      [2, 'too long'],
      [3, 'b'],
    ]);
    expect(linesOf([encoder.encode(`${'x'.repeat(11)}\nb\n${'y'.repeat(10)}\n`)], 10)).toEqual([
      [1, 'too long'],
      [2, 'b'],
      [3, 'yyyyyyyyyy'],
    ]);
  });

  test('reports a line that is too long before its end arrives', () => {
    const reported: number[] = [];
    const splitter = new LineSplitter({ line: () => {}, tooLong: (number) => reported.push(number) }, 10);
    splitter.chunk(encoder.encode('xxxxx'));
    expect(reported).toEqual([]);
    splitter.chunk(encoder.encode('xxxxxx'));
    splitter.chunk(encoder.encode('xxxxxx'));
    expect(reported).toEqual([1]);
  });
});
