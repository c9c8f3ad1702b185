// Reads dates and times directly from bytes, in the forms that files use:
//   2019-02-04T00:00:00.994Z · 2019-02-04 00:00:00+02:00 · 2019/02/04 · 2014.05.01 00:00 (MetaTrader)
//   04.02.2019 00:00:00.994 GMT+0100 (Dukascopy) · 20140501 000000123 (HistData)
//   02/04/2019 and 04-02-2019, if the order of month and day is known · 5:00:00 PM

import { DAY_MS, daysSinceEpoch, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { latin1Text } from '../files/bytes.ts';

const ZERO = 48;
const NINE = 57;
const LETTER_A = 65;
const LETTER_M = 77;
const LETTER_P = 80;
const LETTER_T = 84;
const SPACE = 32;
const COMMA = 44;
const DASH = 45;
const PLUS = 43;
const POINT = 46;
const SLASH = 47;
const COLON = 58;
/** Length of 2019-02-04 00:00: and of the same time in other forms. */
const MINUTE_BYTES = 17;
const isLetter = (byte: number): boolean => (byte | 32) >= 97 && (byte | 32) <= 122;

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
function isValidDate(year: number, month: number, day: number): boolean {
  if (!(year >= 1970 && year <= 2199 && month >= 1 && month <= 12 && day >= 1)) return false;
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= MONTH_DAYS[month - 1]! + (leap ? 1 : 0);
}

export type DateOrder = 'mdy' | 'dmy';

/** What the dates of a file show about the order of their day and month. */
export interface DateEvidence {
  /** Dates that are possible in only one of the orders. */
  mdy: number;
  dmy: number;
  /** A date that needs an order to be read. */
  example: string;
}

/** Reads local times. `offset` is the zone of the last one, if its text has one. */
export class DateTimeReader {
  readonly #order: DateOrder | null;
  readonly #evidence: DateEvidence | null;
  /** Milliseconds ahead of UTC as written in the text; `null` if the text has no zone. */
  offset: number | null = null;
  #at = 0;
  #length = 0;
  /** Whether the last date counted as evidence. */
  #isEvidence = false;
  /** Bytes of the last date and minute (2019-02-04 00:00:), and their time. */
  readonly #minute = new Uint8Array(MINUTE_BYTES);
  #minuteMs = Number.NaN;

  /** Without an order, dates that need one are collected as evidence. */
  constructor(order: DateOrder | null = null, evidence: DateEvidence | null = null) {
    this.#order = order;
    this.#evidence = evidence;
  }

  /** The local time in milliseconds, as if it were UTC; NaN if the bytes are not a date. */
  read(bytes: Uint8Array, start: number, end: number): number {
    const seconds = start + MINUTE_BYTES;
    if (end >= seconds + 2 && bytes[seconds - 1] === COLON) {
      // Most rows are in the same minute as the one before: only their seconds are read.
      if (this.#isInLastMinute(bytes, start)) {
        this.offset = null;
        const ms = this.#minuteMs + this.#seconds(bytes, seconds, end);
        if (!Number.isNaN(ms)) return ms;
      }
      const time = this.#read(bytes, start, end);
      const isPlain = !this.#isEvidence && !Number.isNaN(this.#seconds(bytes, seconds, end));
      this.#minuteMs = isPlain ? time - (time % MINUTE_MS) : Number.NaN;
      for (let at = 0; at < MINUTE_BYTES; at++) this.#minute[at] = bytes[start + at]!;
      return time;
    }
    return this.#read(bytes, start, end);
  }

  #isInLastMinute(bytes: Uint8Array, start: number): boolean {
    for (let at = MINUTE_BYTES - 2; at >= 0; at--) if (bytes[start + at] !== this.#minute[at]) return false;
    return true;
  }

  /** Milliseconds of 00, 00.123 and the like; NaN if the bytes are anything else, such as seconds with a zone. */
  #seconds(bytes: Uint8Array, start: number, end: number): number {
    const seconds = this.#digits(bytes, start, end, 2);
    if (this.#length !== 2 || seconds > 59) return Number.NaN;
    if (this.#at === end) return 1000 * seconds;
    if (bytes[this.#at] !== POINT) return Number.NaN;
    const ms = 1000 * seconds + this.#fraction(bytes, end);
    return this.#at === end ? ms : Number.NaN;
  }

  #read(bytes: Uint8Array, start: number, end: number): number {
    this.offset = null;
    const day = this.date(bytes, start, end);
    if (this.#at >= end) return day;
    const separator = bytes[this.#at]!;
    // 20140501000000: the time of day follows without a separator.
    if (separator >= ZERO && separator <= NINE) return day + this.clock(bytes, this.#at, end);
    if (separator !== SPACE && separator !== LETTER_T && separator !== COMMA) return Number.NaN;
    let at = this.#at + 1;
    while (bytes[at] === SPACE) at++;
    return day + this.clock(bytes, at, end);
  }

  /** Midnight at the start of the date, in milliseconds. */
  date(bytes: Uint8Array, start: number, end: number): number {
    this.#isEvidence = false;
    const first = this.#digits(bytes, start, end, 8);
    if (this.#length === 8) {
      return midnight(Math.floor(first / 10_000), Math.floor(first / 100) % 100, first % 100);
    }
    const length = this.#length;
    const mark = bytes[this.#at]!;
    if (this.#at >= end || (mark !== DASH && mark !== POINT && mark !== SLASH)) return Number.NaN;
    const second = this.#digits(bytes, this.#at + 1, end, 2);
    if (this.#at >= end || bytes[this.#at] !== mark) return Number.NaN;
    const third = this.#digits(bytes, this.#at + 1, end, 4);
    if (length === 4 && this.#length <= 2) return midnight(first, second, third);
    if (length > 2 || this.#length !== 4) return Number.NaN;
    if (mark === POINT || this.#order === 'dmy') return midnight(third, second, first);
    if (this.#order === 'mdy') return midnight(third, first, second);
    const evidence = this.#evidence;
    if (!evidence) return Number.NaN;
    this.#isEvidence = true;
    evidence.example ||= latin1Text(bytes, start, this.#at);
    if (first > 12 && second <= 12) evidence.dmy++;
    if (second > 12 && first <= 12) evidence.mdy++;
    return first > 12 ? midnight(third, second, first) : midnight(third, first, second);
  }

  /** Milliseconds since midnight: 00:00, 00:00:00.123 or 000000123, optionally followed by a zone. */
  clock(bytes: Uint8Array, start: number, end: number): number {
    this.offset = null;
    const first = this.#digits(bytes, start, end, 9);
    let ms: number;
    if (this.#length >= 4) {
      ms = compactTime(first, this.#length);
    } else {
      if (this.#at >= end || bytes[this.#at] !== COLON || this.#length === 0) return Number.NaN;
      const minute = this.#digits(bytes, this.#at + 1, end, 2);
      let second = 0;
      if (this.#at < end && bytes[this.#at] === COLON) {
        second = this.#digits(bytes, this.#at + 1, end, 2);
      }
      ms = timeOfDay(first, minute, second);
    }
    // 00:00:00.123, with a comma, or as Tickstory with a colon.
    const mark = this.#at < end ? bytes[this.#at] : 0;
    if (mark === POINT || mark === COMMA || mark === COLON) ms += this.#fraction(bytes, end);
    if (this.#at < end) ms = this.#meridiem(bytes, end, ms);
    if (this.#at < end) this.#zone(bytes, end);
    return this.#at < end ? Number.NaN : ms;
  }

  /** AM or PM after the time. */
  #meridiem(bytes: Uint8Array, end: number, ms: number): number {
    let at = this.#at;
    while (at < end && bytes[at] === SPACE) at++;
    const letter = bytes[at]! & 0xdf;
    if (at + 2 !== end || (bytes[at + 1]! & 0xdf) !== LETTER_M || (letter !== LETTER_A && letter !== LETTER_P))
      return ms;
    this.#at = end;
    const hour = Math.floor(ms / HOUR_MS);
    if (hour < 1 || hour > 12) return Number.NaN;
    return (ms % (12 * HOUR_MS)) + (letter === LETTER_P ? 12 * HOUR_MS : 0);
  }

  /** Reads at most `max` digits; NaN if there is none. */
  #digits(bytes: Uint8Array, start: number, end: number, max: number): number {
    let at = start;
    let value = 0;
    const stop = start + max < end ? start + max : end;
    for (; at < stop; at++) {
      const digit = bytes[at]! - ZERO;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    this.#at = at;
    this.#length = at - start;
    return at > start ? value : Number.NaN;
  }

  /** A fraction of a second, truncated to milliseconds. */
  #fraction(bytes: Uint8Array, end: number): number {
    let ms = 0;
    let unit = 100;
    let at = this.#at + 1;
    for (; at < end; at++) {
      const digit = bytes[at]! - ZERO;
      if (digit < 0 || digit > 9) break;
      if (unit >= 1) ms += digit * unit;
      unit /= 10;
    }
    this.#at = at;
    return ms;
  }

  /** Z, UTC, GMT, +02:00, -0500 or GMT+0100. */
  #zone(bytes: Uint8Array, end: number): void {
    let at = this.#at;
    while (at < end && bytes[at] === SPACE) at++;
    let name = '';
    while (at < end && isLetter(bytes[at]!)) name += String.fromCharCode(bytes[at++]! & 0xdf);
    if (name !== '' && name !== 'Z' && name !== 'UTC' && name !== 'GMT') return;
    const sign = bytes[at] === PLUS ? 1 : bytes[at] === DASH ? -1 : 0;
    if (at >= end || sign === 0) {
      if (name !== '') this.offset = 0;
      this.#at = at;
      return;
    }
    const hours = this.#digits(bytes, at + 1, end, 2);
    if (this.#at < end && bytes[this.#at] === COLON) this.#at++;
    const minutes = this.#at < end ? this.#digits(bytes, this.#at, end, 2) : 0;
    this.offset = sign * (hours * 60 + minutes) * MINUTE_MS;
    if (!(hours <= 14 && minutes < 60)) this.#at = -1;
  }
}

const midnight = (year: number, month: number, day: number): number =>
  isValidDate(year, month, day) ? daysSinceEpoch(year, month, day) * DAY_MS : Number.NaN;

const timeOfDay = (hour: number, minute: number, second: number): number =>
  hour < 24 && minute < 60 && second < 60 ? ((hour * 60 + minute) * 60 + second) * 1000 : Number.NaN;

/** HHMM, HHMMSS or HHMMSSmmm. */
function compactTime(value: number, length: number): number {
  if (length === 4) return timeOfDay(Math.floor(value / 100), value % 100, 0);
  const ms = length === 9 ? value % 1000 : 0;
  const clock = length === 9 ? Math.floor(value / 1000) : length === 6 ? value : Number.NaN;
  return timeOfDay(Math.floor(clock / 10_000), Math.floor(clock / 100) % 100, clock % 100) + ms;
}

/** YYYYMMDDHHMM. */
function isCompactMinute(bytes: Uint8Array, start: number): boolean {
  let value = 0;
  for (let at = start; at < start + 12; at++) value = value * 10 + bytes[at]! - ZERO;
  const [day, clock] = [Math.floor(value / 10_000), value % 10_000];
  const isDate = isValidDate(Math.floor(day / 10_000), Math.floor(day / 100) % 100, day % 100);
  return isDate && !Number.isNaN(compactTime(clock, 4));
}

/**
 * Unix time in milliseconds; NaN if the bytes are something else. The number of digits tells the unit, unambiguously between
 * 1973 and 2286: seconds have up to 11, milliseconds 12 or 13, microseconds 15 or 16, nanoseconds 18 or 19. Numbers with 14
 * or 17 digits are dates without separators, and those with 12 that can be one: 202403051000 would be in 1976.
 */
export function parseUnixTime(bytes: Uint8Array, start: number, end: number): number {
  let digits = 0;
  while (start + digits < end && bytes[start + digits]! >= ZERO && bytes[start + digits]! <= NINE) digits++;
  const rest = start + digits;
  if (rest < end && bytes[rest] !== POINT) return Number.NaN;
  if (digits < 9 || digits > 19 || digits === 14 || digits === 17) return Number.NaN;
  if (digits === 12 && isCompactMinute(bytes, start)) return Number.NaN;
  const finer = digits <= 13 ? 0 : digits <= 16 ? 3 : 6;
  let value = 0;
  for (let at = start; at < rest - finer; at++) value = value * 10 + bytes[at]! - ZERO;
  let unit = 0;
  if (digits <= 11) {
    value *= 1000;
    unit = 100;
  }
  for (let at = rest + 1; at < end; at++) {
    const digit = bytes[at]! - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    if (unit >= 1) value += digit * unit;
    unit /= 10;
  }
  return value;
}
