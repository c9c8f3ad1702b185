// Parses numbers directly from bytes, without creating strings.
//
// A decimal with at most 15 digits is the quotient of two exactly known floats, and one
// division rounds correctly: the result equals Number(text) (Clinger, "How to read floating point numbers accurately",
// 1990). Longer numbers, and those with an exponent, are parsed by Number itself.
import { latin1Text } from '../files/bytes.ts';

/** Integers of more digits may not be exact. */
const MAX_DIGITS = 15;
const POWERS = Array.from({ length: MAX_DIGITS + 1 }, (_, power) => 10 ** power);
const SPACE = 32;
const TAB = 9;
const POINT = 46;
const PLUS = 43;
const MINUS = 45;
const ZERO = 48;

/** The decimal number in these bytes; NaN if they are anything else. */
export function parseDecimal(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && (bytes[at] === SPACE || bytes[at] === TAB)) at++;
  let first = bytes[at]!;
  const negative = first === MINUS;
  if (negative || first === PLUS) first = bytes[++at]!;
  let whole = 0;
  let point = -1;
  const from = at;
  for (; at < end; at++) {
    const digit = bytes[at]! - ZERO;
    if (digit >= 0 && digit <= 9) whole = whole * 10 + digit;
    else if (bytes[at] === POINT && point < 0) point = at;
    else return parseSlowly(bytes, start, end);
  }
  const digits = at - from - (point < 0 ? 0 : 1);
  if (digits === 0) return Number.NaN;
  if (digits > MAX_DIGITS) return parseSlowly(bytes, start, end);
  if (point >= 0) whole /= POWERS[at - point - 1]!;
  return negative ? -whole : whole;
}

/** Number() accepts an empty text, hexadecimal and "Infinity"; in a file of prices they are errors. */
const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

function parseSlowly(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > 64) return Number.NaN;
  const text = latin1Text(bytes, start, end);
  return NUMBER.test(text) ? Number(text) : Number.NaN;
}

/** An unsigned integer; NaN if the bytes are anything else. */
export function parseInteger(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  if (start >= end || end - start > 16) return Number.NaN;
  for (let at = start; at < end; at++) {
    const digit = bytes[at]! - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value <= Number.MAX_SAFE_INTEGER ? value : Number.NaN;
}
