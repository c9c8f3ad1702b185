import { describe, expect, test } from 'bun:test';
import { latin1Text } from '../files/bytes.ts';
import { FieldSplitter } from './field-splitter.ts';

function fieldsOf(line: string, separator = ','): string[] {
  const fields = new FieldSplitter();
  const bytes = new TextEncoder().encode(line);
  fields.split(bytes, 0, bytes.length, separator.charCodeAt(0));
  return Array.from({ length: fields.count }, (_, index) =>
    latin1Text(bytes, fields.start[index]!, fields.end[index]!),
  );
}

describe('FieldSplitter', () => {
  test('splits at the separator and keeps empty fields', () => {
    expect(fieldsOf('1,,3,')).toEqual(['1', '', '3', '']);
    expect(fieldsOf('1\t\t3', '\t')).toEqual(['1', '', '3']);
    expect(fieldsOf('a;b', ';')).toEqual(['a', 'b']);
  });

  test('trims spaces and quotes, and does not split at a quoted separator', () => {
    expect(fieldsOf(' 1 , "2,5" ,"x"')).toEqual(['1', '2,5', 'x']);
  });

  test('stops at 64 fields', () => {
    expect(fieldsOf(','.repeat(1_000)).length).toBe(64);
  });
});
