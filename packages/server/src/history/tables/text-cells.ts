// Numbers and times as text, written into a buffer without strings in between.
// The text is that of `String(value)` and `Date.toISOString()`. Each function returns the position after what it wrote; the
// caller makes sure that `MAX_CELL` bytes are free, all of which a function may overwrite: digits are written four at a time.
import { DAY_MS, MINUTE_MS } from '@tickwire/engine';

/** Longest form of a number or a time, in bytes. */
export const MAX_CELL = 32;
const MAX_SCALE = 8;
const MAX_POWER = 10 ** MAX_SCALE;
const POWERS = Float64Array.from({ length: MAX_SCALE + 1 }, (_, scale) => 10 ** scale);
/** Decimals of up to 15 digits are different numbers, so a form of a number with up to 15 digits is its shortest. */
const MAX_UNITS = 1e15;
/** The whole part of a number is written as two groups of four digits. */
const MAX_WHOLE = 1e8;
/** Smaller numbers are written with an exponent. */
const MIN_PLAIN = 1e-6;
const ZERO = 48;
const POINT = 46;
const MINUS = 45;
const COLON = 58;
const UTC = 90;

const GROUP = 10_000;
/** The digits of 0000 to 9999, the first one in the highest byte. */
const DIGITS = Int32Array.from(
  { length: GROUP },
  (_, value) =>
    ((ZERO + Math.floor(value / 1000)) << 24) |
    ((ZERO + (Math.floor(value / 100) % 10)) << 16) |
    ((ZERO + (Math.floor(value / 10) % 10)) << 8) |
    (ZERO + (value % 10)),
);
/** How many of the four digits are left without the zeros at the end. */
const SIGNIFICANT = Uint8Array.from({ length: GROUP }, (_, value) =>
  value === 0 ? 0 : value % 1000 === 0 ? 1 : value % 100 === 0 ? 2 : value % 10 === 0 ? 3 : 4,
);

/** Hours and minutes of each minute of a day, as one number of four digits. */
const CLOCK = Uint16Array.from({ length: 1440 }, (_, minute) => 100 * Math.floor(minute / 60) + (minute % 60));

const encoder = new TextEncoder();

/** Numbers of one column. Most have the same number of decimals as the one before. */
export class NumberCells {
  #decimals = 0;
  #power = 1;

  /** 10 to the number of decimals of the last number. */
  get power(): number {
    return this.#power;
  }

  write(value: number, text: DataView, at: number): number {
    const size = value < 0 ? -value : value;
    let decimals = this.#decimals;
    while (Math.round(size * POWERS[decimals]!) / POWERS[decimals]! !== size) {
      if (decimals === MAX_SCALE) return writeAny(value, text, at);
      decimals++;
    }
    this.#decimals = decimals;
    this.#power = POWERS[decimals]!;
    const units = Math.round(size * this.#power);
    if (!isPlain(size, units)) return writeAny(value, text, at);
    if (value < 0) text.setInt8(at, MINUS);
    return writePlain(size, units, this.#power, text, value < 0 ? at + 1 : at);
  }
}

/** Whether `writePlain` can write a number, which is `units / power`. */
export const isPlain = (size: number, units: number): boolean =>
  size < MAX_WHOLE && units < MAX_UNITS && (size >= MIN_PLAIN || size === 0);

/** Writes a number that is not negative. −0 is written as 0. */
export function writePlain(size: number, units: number, power: number, text: DataView, at: number): number {
  const whole = size | 0;
  const end = whole < 10 ? writeDigit(whole, text, at) : writeWhole(whole, text, at);
  const fraction = units - whole * power;
  return fraction === 0 ? end : writeFraction((fraction * (MAX_POWER / power)) | 0, text, end);
}

/** Times of one column, in epoch milliseconds. */
export class TimeCells {
  /** Start of the day of the last time. */
  #day = Number.NaN;
  /** Start of the text of each time of the day: `2026-11-16T`, and more than that. */
  #date = new DataView(new ArrayBuffer(MAX_CELL));
  #length = 0;

  write(time: number, text: DataView, at: number): number {
    let rest = time - this.#day;
    if (!(rest >= 0 && rest < DAY_MS)) {
      this.#setDay(Math.floor(time / DAY_MS) * DAY_MS);
      rest = time - this.#day;
    }
    const millis = rest | 0;
    const minute = (millis / MINUTE_MS) | 0;
    const inMinute = millis - minute * MINUTE_MS;
    const seconds = (inMinute / 1000) | 0;
    const date = this.#date;
    for (let index = 0; index < this.#length; index += 4) text.setInt32(at + index, date.getInt32(index));
    const end = at + this.#length;
    const clock = DIGITS[CLOCK[minute]!]!;
    text.setInt16(end, clock >> 16);
    text.setInt8(end + 2, COLON);
    text.setInt16(end + 3, clock);
    text.setInt8(end + 5, COLON);
    // The first two digits are the seconds, the last three the milliseconds.
    text.setInt16(end + 6, DIGITS[seconds]!);
    text.setInt32(end + 8, DIGITS[inMinute - 1000 * seconds]!);
    text.setInt8(end + 8, POINT);
    text.setInt8(end + 12, UTC);
    return end + 13;
  }

  #setDay(day: number): void {
    this.#day = day;
    const date = encoder.encode(new Date(day).toISOString().slice(0, -'00:00:00.000Z'.length));
    this.#length = writeBytes(date, this.#date, 0);
  }
}

export function writeBytes(bytes: Uint8Array, text: DataView, at: number): number {
  const { length } = bytes;
  // Separators, which are half of all cells.
  if (length <= 1) {
    if (length === 0) return at;
    text.setInt8(at, bytes[0]!);
    return at + 1;
  }
  for (let index = 0; index < length; index++) text.setUint8(at + index, bytes[index]!);
  return at + length;
}

const writeAny = (value: number, text: DataView, at: number): number =>
  writeBytes(encoder.encode(String(value)), text, at);

function writeDigit(value: number, text: DataView, at: number): number {
  text.setInt8(at, ZERO + value);
  return at + 1;
}

/** An integer of at most eight digits. */
function writeWhole(value: number, text: DataView, at: number): number {
  if (value < GROUP) return writeStart(value, text, at);
  const high = (value / GROUP) | 0;
  const end = writeStart(high, text, at);
  text.setInt32(end, DIGITS[value - high * GROUP]!);
  return end + 4;
}

/** An integer of at most four digits, without zeros at the start. */
function writeStart(value: number, text: DataView, at: number): number {
  const count = value < 10 ? 1 : value < 100 ? 2 : value < 1000 ? 3 : 4;
  text.setInt32(at, DIGITS[value]! << (8 * (4 - count)));
  return at + count;
}

/** The eight digits after the point, without zeros at the end. Not all are zero. */
function writeFraction(digits: number, text: DataView, at: number): number {
  const high = (digits / GROUP) | 0;
  const low = digits - high * GROUP;
  text.setInt8(at, POINT);
  text.setInt32(at + 1, DIGITS[high]!);
  if (low === 0) return at + 1 + SIGNIFICANT[high]!;
  text.setInt32(at + 5, DIGITS[low]!);
  return at + 5 + SIGNIFICANT[low]!;
}
