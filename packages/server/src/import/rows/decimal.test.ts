import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseDecimal, parseInteger } from './decimal.ts';

const encoder = new TextEncoder();
const parse = (text: string): number => {
  // Neighbouring bytes must not be read.
  const bytes = encoder.encode(`9.9,${text},9.9`);
  return parseDecimal(bytes, 4, bytes.length - 4);
};

describe('parseDecimal', () => {
  test('equals Number() for any decimal', () => {
    const digits = fc.stringMatching(/^[+-]?\d{1,18}(\.\d{0,24})?$/);
    const short = fc.stringMatching(/^-?\d{0,7}\.\d{1,8}$/);
    fc.assert(
      fc.property(fc.oneof(digits, short), (text) => Object.is(parse(text), Number(text))),
      { numRuns: 20_000 },
    );
  });

  test('reads any float from its text', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) =>
        Object.is(parse(String(value)), Number(String(value))),
      ),
      { numRuns: 20_000 },
    );
  });

  test.each(['1.38727', '61837.63000000', ' 1.5', '.5', '5.', '1e-7', '9007199254740993', '0.1', '-0', '1E3'])(
    'reads %s',
    (text) => expect(parse(text)).toBe(Number(text)),
  );

  test.each(['', ' ', '-', '.', '1.2.3', 'NaN', 'Infinity', '0x10', '1,5', '12a', 'a12', '--1', '1 2', '9'.repeat(65)])(
    'rejects %p',
    (text) => expect(parse(text)).toBeNaN(),
  );

  test('accepts only digits in integers', () => {
    const read = (text: string): number => parseInteger(encoder.encode(text), 0, text.length);
    expect(read('3735683259')).toBe(3_735_683_259);
    for (const text of ['', '-1', '1.0', '1e3', '99999999999999999']) expect(read(text)).toBeNaN();
  });
});
