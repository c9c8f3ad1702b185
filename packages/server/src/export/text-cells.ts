// Numbers and times as text, written into a buffer without strings in between, which measured takes a quarter of the time.
// The text is that of `String(value)` and `Date.toISOString()`. Each function returns the position after what it wrote; the
// caller makes sure that `MAX_CELL` bytes are free.
import { DAY_MS } from '@tickwire/engine';

/** Longest form of a number or a time, in bytes. */
export const MAX_CELL = 32;
const MAX_SCALE = 8;
const POWERS = Float64Array.from({ length: MAX_SCALE + 1 }, (_, scale) => 10 ** scale);
/** Decimals of up to 15 digits are different numbers, so a form of a number with up to 15 digits is its shortest. */
const MAX_UNITS = 1e15;
const MAX_INT = 0x7f_ff_ff_ff;
/** Smaller numbers are written with an exponent. */
const MIN_PLAIN = 1e-6;
const ZERO = 48;
const POINT = 46;
const MINUS = 45;
const COLON = 58;
const UTC = 90;

/** The digits of 00 to 99. */
const PAIRS = Uint8Array.from({ length: 200 }, (_, index) =>
  index % 2 === 0 ? ZERO + Math.floor(index / 20) : ZERO + (((index - 1) / 2) % 10),
);

const encoder = new TextEncoder();

/** Numbers of one column. Most have the same number of decimals as the one before. */
export class NumberCells {
  #decimals = 0;

  write(value: number, bytes: Uint8Array, at: number): number {
    const size = value < 0 ? -value : value;
    let decimals = this.#decimals;
    let power = POWERS[decimals]!;
    let units = Math.round(size * power);
    while (units / power !== size) {
      if (decimals === MAX_SCALE) return writeAny(value, bytes, at);
      decimals++;
      power = POWERS[decimals]!;
      units = Math.round(size * power);
    }
    this.#decimals = decimals;
    if (units >= MAX_UNITS || (size < MIN_PLAIN && size !== 0)) return writeAny(value, bytes, at);
    const whole = Math.floor(units / power);
    if (whole > MAX_INT) return writeAny(value, bytes, at);
    let end = at;
    // −0 is written as 0.
    if (value < 0) bytes[end++] = MINUS;
    end = writeDigits(whole | 0, countDigits(whole | 0), bytes, end);
    const rest = (units - whole * power) | 0;
    return rest === 0 ? end : writeFraction(rest, decimals, bytes, end);
  }
}

/** Times of one column, in epoch milliseconds. */
export class TimeCells {
  #day = Number.NaN;
  /** Start of the text of each time of the day: `2026-11-16T`. */
  #date = new Uint8Array(0);

  write(time: number, bytes: Uint8Array, at: number): number {
    const day = Math.floor(time / DAY_MS);
    if (day !== this.#day) {
      this.#day = day;
      this.#date = encoder.encode(new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length));
    }
    const rest = (time - day * DAY_MS) | 0;
    const seconds = (rest / 1000) | 0;
    const minutes = (seconds / 60) | 0;
    const hours = (minutes / 60) | 0;
    const millis = rest - seconds * 1000;
    const tens = (millis / 10) | 0;
    let end = writeBytes(this.#date, bytes, at);
    end = writePair(hours, COLON, bytes, end);
    end = writePair(minutes - hours * 60, COLON, bytes, end);
    end = writePair(seconds - minutes * 60, POINT, bytes, end);
    end = writePair(tens, ZERO + millis - tens * 10, bytes, end);
    bytes[end] = UTC;
    return end + 1;
  }
}

export function writeBytes(text: Uint8Array, bytes: Uint8Array, at: number): number {
  const { length } = text;
  // Separators, which are half of all cells.
  if (length <= 1) {
    if (length === 0) return at;
    bytes[at] = text[0]!;
    return at + 1;
  }
  for (let index = 0; index < length; index++) bytes[at + index] = text[index]!;
  return at + length;
}

const writeAny = (value: number, bytes: Uint8Array, at: number): number =>
  writeBytes(encoder.encode(String(value)), bytes, at);

/** Two digits and the character after them. */
function writePair(value: number, then: number, bytes: Uint8Array, at: number): number {
  bytes[at] = PAIRS[2 * value]!;
  bytes[at + 1] = PAIRS[2 * value + 1]!;
  bytes[at + 2] = then;
  return at + 3;
}

/** Without zeros at the end. */
function writeFraction(units: number, decimals: number, bytes: Uint8Array, at: number): number {
  let rest = units;
  let count = decimals;
  for (let shorter = (rest / 10) | 0; shorter * 10 === rest; shorter = (rest / 10) | 0) {
    rest = shorter;
    count--;
  }
  bytes[at] = POINT;
  return writeDigits(rest, count, bytes, at + 1);
}

function writeDigits(value: number, count: number, bytes: Uint8Array, at: number): number {
  let rest = value;
  let index = at + count;
  while (index - at >= 2) {
    const hundreds = (rest / 100) | 0;
    const pair = (rest - hundreds * 100) * 2;
    index -= 2;
    bytes[index] = PAIRS[pair]!;
    bytes[index + 1] = PAIRS[pair + 1]!;
    rest = hundreds;
  }
  if (index > at) bytes[at] = ZERO + rest;
  return at + count;
}

function countDigits(value: number): number {
  if (value < 10) return 1;
  if (value < 100) return 2;
  if (value < 1_000) return 3;
  if (value < 10_000) return 4;
  if (value < 100_000) return 5;
  if (value < 1_000_000) return 6;
  if (value < 10_000_000) return 7;
  if (value < 100_000_000) return 8;
  return value < 1_000_000_000 ? 9 : 10;
}
