// How the numbers of a file are written: 1234.5 (plain), 1,234.5 (thousands) or 1234,5 and 1.234,5 (decimal comma).

import { ImportError } from '../import-error.ts';
import { parseDecimal } from './decimal.ts';

export type NumberStyle = 'plain' | 'thousands' | 'comma';

const COMMA = 44;
const POINT = 46;
const SPACE = 32;
const QUOTE = 39;
const MAX_NUMBER_BYTES = 64;

const THOUSANDS = /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/;
const DECIMAL_COMMA = /^[+-]?(\d+|\d{1,3}([.' ]\d{3})+),\d*$/;

/** The style of these prices. Throws if commas may mean either. */
export function numberStyleOf(prices: readonly string[], given: 'comma' | 'point' | undefined): NumberStyle {
  const withComma = prices.filter((text) => text.includes(','));
  if (withComma.length === 0) return 'plain';
  if (given !== undefined) {
    const wrong = withComma.find((text) => !(given === 'comma' ? DECIMAL_COMMA : THOUSANDS).test(text));
    if (wrong === undefined) return given === 'comma' ? 'comma' : 'thousands';
    throw new ImportError('ambiguous_numbers', `the number ${wrong} contradicts --decimal ${given}: leave it out`);
  }
  if (withComma.some((text) => /,\d*\./.test(text) || /,\d+,/.test(text))) return 'thousands';
  if (withComma.some((text) => !/^[+-]?\d{1,3},\d{3}$/.test(text))) return 'comma';
  throw new ImportError(
    'ambiguous_numbers',
    `the number ${withComma[0]} can be read in two ways: specify --decimal comma (1,234 is between 1 and 2) or --decimal point (1,234 is above a thousand)`,
  );
}

const scratch = new Uint8Array(MAX_NUMBER_BYTES);

/** Parses a number of any style. */
export function parseStyled(style: NumberStyle, bytes: Uint8Array, start: number, end: number): number {
  if (style === 'plain') return parseDecimal(bytes, start, end);
  if (end - start > MAX_NUMBER_BYTES) return Number.NaN;
  const decimal = style === 'comma' ? COMMA : POINT;
  const group = style === 'comma' ? POINT : COMMA;
  let length = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === group || byte === QUOTE || byte === SPACE) continue;
    scratch[length++] = byte === decimal ? POINT : byte;
  }
  return parseDecimal(scratch, 0, length);
}

const FACTORS: Readonly<Record<number, number>> = { 75: 1e3, 77: 1e6, 66: 1e9 };

/** A volume such as 1.5K, 20M or 3B; nothing and a dash mean 0. */
export function parseVolume(style: NumberStyle, bytes: Uint8Array, start: number, end: number): number {
  if (start === end || (end - start === 1 && bytes[start] === 45)) return 0;
  const factor = FACTORS[bytes[end - 1]! & 0xdf];
  if (factor === undefined) return parseStyled(style, bytes, start, end);
  return Math.round(parseStyled(style, bytes, start, end - 1) * factor * 1e6) / 1e6;
}
