import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { textOf } from './decimal.ts';
import { Fields, LineSplitter, MAX_LINE_BYTES } from './lines.ts';

const encoder = new TextEncoder();

function linesOf(chunks: readonly Uint8Array[]): [number, string][] {
  const lines: [number, string][] = [];
  const splitter = new LineSplitter({
    line: (bytes, start, end, number) => lines.push([number, textOf(bytes, start, end)]),
    tooLong: (number) => lines.push([number, 'too long']),
  });
  for (const chunk of chunks) splitter.chunk(chunk);
  splitter.end();
  return lines;
}

function fieldsOf(line: string, separator = ','): string[] {
  const fields = new Fields();
  const bytes = encoder.encode(line);
  fields.split(bytes, 0, bytes.length, separator.charCodeAt(0));
  return Array.from({ length: fields.count }, (_, index) => textOf(bytes, fields.start[index]!, fields.end[index]!));
}

describe('lines', () => {
  test('numbers count every line, empty ones too, and both kinds of line ends', () => {
    expect(linesOf([encoder.encode('a\r\nb\n\n\r\nc')])).toEqual([
      [1, 'a'],
      [2, 'b'],
      [5, 'c'],
    ]);
  });

  test('cutting the bytes anywhere changes nothing', () => {
    const text = fc.stringMatching(/^[ab\r\n]{0,60}$/).map((value) => encoder.encode(value));
    fc.assert(
      fc.property(text, fc.array(fc.nat(8)), (bytes, lengths) => {
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const length of lengths) {
          chunks.push(bytes.subarray(at, at + length));
          at += length;
        }
        chunks.push(bytes.subarray(at));
        expect(linesOf(chunks)).toEqual(linesOf([bytes]));
      }),
    );
  });

  test('a line without end is dropped, and the next ones are read', () => {
    const chunk = new Uint8Array(1 << 20).fill(65);
    const chunks = Array.from({ length: MAX_LINE_BYTES / chunk.length + 3 }, () => chunk);
    expect(linesOf([encoder.encode('a\n'), ...chunks, encoder.encode('\nb\n')])).toEqual([
      [1, 'a'],
      [2, 'too long'],
      [3, 'b'],
    ]);
  });
});

describe('fields', () => {
  test('are cut at the separator, empty ones too', () => {
    expect(fieldsOf('1,,3,')).toEqual(['1', '', '3', '']);
    expect(fieldsOf('1\t\t3', '\t')).toEqual(['1', '', '3']);
    expect(fieldsOf('a;b', ';')).toEqual(['a', 'b']);
  });

  test('lose spaces and quotes around them; a quoted separator cuts nothing', () => {
    expect(fieldsOf(' 1 , "2,5" ,"x"')).toEqual(['1', '2,5', 'x']);
  });

  test('stop at a bound', () => {
    expect(fieldsOf(','.repeat(1_000)).length).toBe(64);
  });
});
