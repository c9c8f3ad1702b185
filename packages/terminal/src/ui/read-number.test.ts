import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { plainNumber, setNumber } from './format.ts';
import type { NumberFormat } from './preferences.ts';
import { readNumber, readPositive } from './read-number.ts';

const FORMATS: readonly NumberFormat[] = ['plain', 'comma', 'dot', 'space'];

describe('a typed number', () => {
  test.each([
    ['1.0834', 1.0834],
    ['1,0834', 1.0834],
    ['.5', 0.5],
    [',5', 0.5],
    ['5.', 5],
    ['0', 0],
    ['0,500', 0.5],
    ['+2', 2],
    ['-2', -2],
    ['−2,5', -2.5],
    ['-0', 0],
    [' 61 000 ', 61_000],
    ['61\u202f000,5', 61_000.5],
    ['61\u00a0000.5', 61_000.5],
    ['− 3', -3],
    ['1,234.5', 1_234.5],
    ['1.234,5', 1_234.5],
    ['1,234,567', 1_234_567],
    ['1.234.567', 1_234_567],
    ['1,234,567.89', 1_234_567.89],
    ['61.000', 61],
    ['151,083', 151.083],
  ])('%p is %p', (text, value) => expect(readNumber(text, 'plain')).toBe(value));

  test.each([
    '',
    ' ',
    '.',
    '-',
    'abc',
    '1e5',
    '1.2.3',
    '1.23.456',
    '12,34.5',
    '1,2345.6',
    '1.234,567,8',
    '1,234.567.8',
    '--1',
    '1-2',
    'Infinity',
    '0x10',
    '1234567890123456',
    '0.1234567890123',
  ])('%p is not a number', (text) => expect(readNumber(text, 'plain')).toBeNull());

  test('a single comma before three digits separates thousands only where numbers are written that way', () => {
    expect(FORMATS.map((format) => readNumber('61,000', format))).toEqual([61, 61_000, 61, 61]);
    expect(FORMATS.map((format) => readNumber('0,500', format))).toEqual([0.5, 0.5, 0.5, 0.5]);
    expect(FORMATS.map((format) => readNumber('1,0834', format))).toEqual([1.0834, 1.0834, 1.0834, 1.0834]);
  });

  test('the text that a program puts into a field has its value in every format', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.integer({ min: 0, max: 8 }), (units, digits) => {
        const text = (units / 10 ** digits).toFixed(digits);
        for (const format of FORMATS) expect(readNumber(text, format)).toBe(Number(text) || 0);
      }),
    );
  });

  test('a number with decimals that was copied from the page has its value', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.constantFrom(...FORMATS), (units, format) => {
        const plain = (units + 0.25).toFixed(2);
        expect(readNumber(setNumber(plain, format), format)).toBe(Number(plain));
      }),
    );
  });

  test('a price is above 0', () => {
    expect(['1,1', '0', '−1', 'x'].map(readPositive)).toEqual([1.1, null, null, null]);
    expect(readPositive(plainNumber(8e-7))).toBe(8e-7);
  });
});
