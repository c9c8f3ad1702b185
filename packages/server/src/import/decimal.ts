// Numbers straight from the bytes of a file, without a string in between.
//
// A decimal with at most 15 significant digits and 22 decimals is the quotient of two exactly known floats, and one
// division rounds correctly: the result is the very float Number(text) gives (Clinger, "How to read floating point
// numbers accurately", 1990). Whatever is longer, or has an exponent, takes the slow road through Number itself.

const POWERS = Array.from({ length: 23 }, (_, power) => 10 ** power);
/** One more digit could pass 2^53, where integers stop being exact. */
const ROOM = Math.floor(Number.MAX_SAFE_INTEGER / 10) - 1;
const SPACE = 32;
const TAB = 9;
const POINT = 46;
const PLUS = 43;
const MINUS = 45;
const ZERO = 48;

const latin = new TextDecoder('latin1');
export const textOf = (bytes: Uint8Array, start: number, end: number): string =>
  latin.decode(bytes.subarray(start, end));

/** The number written in these bytes; NaN where they are anything but one decimal number. */
export function decimal(bytes: Uint8Array, start: number, end: number): number {
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
    if (digit >= 0 && digit <= 9) {
      if (whole > ROOM) return slowly(bytes, start, end);
      whole = whole * 10 + digit;
    } else if (bytes[at] === POINT && point < 0) point = at;
    else return slowly(bytes, start, end);
  }
  const digits = at - from - (point < 0 ? 0 : 1);
  if (digits === 0) return Number.NaN;
  if (point >= 0) {
    const decimals = at - point - 1;
    if (decimals > 22) return slowly(bytes, start, end);
    whole /= POWERS[decimals]!;
  }
  return negative ? -whole : whole;
}

/** Number() takes an empty text for 0, hexadecimal and "Infinity" for numbers; in a file of prices they are faults. */
const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

function slowly(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > 64) return Number.NaN;
  const text = textOf(bytes, start, end);
  return NUMBER.test(text) ? Number(text) : Number.NaN;
}

/** An unsigned whole number with nothing around it; NaN else. */
export function whole(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  if (start >= end || end - start > 16) return Number.NaN;
  for (let at = start; at < end; at++) {
    const digit = bytes[at]! - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value <= Number.MAX_SAFE_INTEGER ? value : Number.NaN;
}
