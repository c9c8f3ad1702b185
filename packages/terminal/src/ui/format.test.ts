import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  decimalsOf,
  duration,
  figure,
  moveUnit,
  percent,
  pipParts,
  pips,
  price,
  signedVolume,
  volume,
} from './format.ts';
import { NUMBER_FORMATS, type NumberFormat, preferences } from './preferences.ts';

test('counts the decimals of a number, also in exponent form', () => {
  expect([1.08345, 64210, 0.5, 1e-7, 2.5e-7, 1e21].map(decimalsOf)).toEqual([5, 0, 1, 7, 8, 0]);
});

test('keeps trailing zeros of a price', () => {
  expect(price(1.0834, 5)).toBe('1.08340');
  expect(price(null, 5)).toBe('–');
  expect(price(-37.63, 2)).toBe('−37.63');
});

test('a change that rounds to zero has no sign', () => {
  expect([0.01234, -0.01234, 0.00001, -0.00001, 0].map(percent)).toEqual([
    '+1.23%',
    '−1.23%',
    '0.00%',
    '0.00%',
    '0.00%',
  ]);
  expect(percent(null)).toBe('–');
});

test('formats a spread in pips', () => {
  expect(pips(0.00012, 0.0001)).toBe('1.2');
  expect(pips(11.5, 1)).toBe('11.5');
});

test('emphasizes the two digits that end at the pip', () => {
  expect(pipParts(1.08345, 5, 0.0001)).toEqual(['1.08', '34', '5']);
  expect(pipParts(154.321, 3, 0.01)).toEqual(['154.', '32', '1']);
  expect(pipParts(64210.55, 2, 1)).toEqual(['64210.55', '', '']);
});

test('shows the rounding error of a sum of volumes as zero', () => {
  expect(signedVolume(0.1 + 0.2 - 0.3)).toBe('0.0');
  expect(signedVolume(-0.000_02)).toBe('−0.000020');
});

test('abbreviates large volumes', () => {
  expect([0, 0.0123, 5.25, 812.4, 9_999, 12_345, 2_500_000].map(volume)).toEqual([
    '0.0',
    '0.012',
    '5.3',
    '812',
    '9999',
    '12.3k',
    '2.5M',
  ]);
  expect([12.5, -12.5, 0].map(signedVolume)).toEqual(['+12.5', '−12.5', '0.0']);
});

test('formats a duration in its two largest units', () => {
  expect([59, 3_599, 7_260, 90_000].map(duration)).toEqual(['0m', '59m', '2h 1m', '1d 1h']);
});

test('formats counts without decimals, averages with few, and never a positive value as 0', () => {
  expect([0, 1.25, 12, 118.6, 41_820, 0.5, 0.04, 0.003].map(figure)).toEqual([
    '0',
    '1.3',
    '12',
    '119',
    '41820',
    '0.5',
    '0.04',
    '<0.01',
  ]);
});

const withFormat = <T>(numbers: NumberFormat, run: () => T): T => {
  preferences.set({ numbers });
  try {
    return run();
  } finally {
    preferences.set({ numbers: 'plain' });
  }
};

test('follows the chosen number format', () => {
  const shown = (format: NumberFormat) =>
    withFormat(format, () => [
      price(64_210.55, 2),
      price(-1_234.5, 1),
      percent(12.3456),
      volume(9_999),
      figure(41_820),
    ]);
  expect(shown('plain')).toEqual(['64210.55', '−1234.5', '+1234.56%', '9999', '41820']);
  expect(shown('comma')).toEqual(['64,210.55', '−1,234.5', '+1,234.56%', '9,999', '41,820']);
  expect(shown('dot')).toEqual(['64.210,55', '−1.234,5', '+1.234,56%', '9.999', '41.820']);
  expect(shown('space').map((text) => text.replace('\u202f', ' '))).toEqual([
    '64 210,55',
    '−1 234,5',
    '+1 234,56%',
    '9 999',
    '41 820',
  ]);
});

test('finds the emphasized digits in every format', () => {
  expect(withFormat('dot', () => pipParts(12_345.678, 3, 0.01))).toEqual(['12.345,', '67', '8']);
  expect(withFormat('space', () => pipParts(1.08345, 5, 0.0001))).toEqual(['1,08', '34', '5']);
});

/** Reads a number back as a person does who knows the format. */
const readBack = (text: string, format: NumberFormat): number => {
  const decimal = format === 'plain' || format === 'comma' ? '.' : ',';
  const [whole = '', places] = text.replace('−', '-').split(decimal);
  return Number(whole.replace(/[^\d-]/g, '') + (places === undefined ? '' : `.${places}`));
};

test('every format can be read back', () => {
  const sizes = fc.double({ noNaN: true, min: -1e15, max: 1e15 });
  fc.assert(
    fc.property(fc.constantFrom(...NUMBER_FORMATS), sizes, fc.nat(8), (format, value, digits) => {
      const text = withFormat(format, () => price(value, digits));
      // Every group behind the first has three figures.
      expect(text).toMatch(/^−?\d{1,3}(?:[.,\u202f]?\d{3})*(?:[.,]\d+)?$/);
      expect(readBack(text, format)).toBe(Number(value.toFixed(digits)));
      const [before, moving, after] = withFormat(format, () => pipParts(value, digits, 0.0001));
      expect(before + moving + after).toBe(text);
    }),
  );
});

test('moves of forex and metals are pips, of everything else points', () => {
  const types = ['forex', 'metal', 'index', 'crypto', 'energy', 'equity'] as const;
  expect(types.map((type) => moveUnit({ type }))).toEqual(['pips', 'pips', 'points', 'points', 'points', 'points']);
});
