// Reads values from messages that cannot be trusted: each function takes anything and returns the checked value or `null`.
import type { EpochMs } from '@tickwire/engine';

/** The year 5138 in milliseconds: a larger number is in microseconds, or nonsense. */
const LATEST_MS = 1e14;
const MAX_DECIMALS = 12;
const SIGNED = /^-?\d{1,20}(\.\d{1,20})?$/;
const DECIMAL = /^\d{1,20}(\.\d{1,20})?$/;
const WHOLE = /^\d{1,15}$/;
const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,12})?Z$/;

/** `undefined` if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function asRecord(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

export const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** A decimal number with either sign, in quotes or not. */
export function asSigned(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' && SIGNED.test(value) ? Number(value) : null;
}

/** A decimal number in quotes, or a JSON number; negative numbers and quoted exponents are rejected. */
function asDecimal(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : null;
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : null;
}

/** Above zero: some venues send 0 for an empty side of the book, which is not a price. */
export function asPrice(value: unknown): number | null {
  const price = asDecimal(value);
  return price === 0 ? null : price;
}

/** Zero is allowed: the size of a quote may be unknown. */
export const asSize = (value: unknown): number | null => asDecimal(value);

/** Decimals of a tick size such as "0.01000000"; `null` if it is not one. */
export function decimalsOf(tickSize: unknown): number | null {
  const size = asPrice(tickSize);
  if (size === null) return null;
  for (let digits = 0; digits <= MAX_DECIMALS; digits++) if (Number(size.toFixed(digits)) === size) return digits;
  return null;
}

export function asId(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** A whole number in quotes, as some venues send times and ids; `null` if it is too large to be exact. */
export const asQuotedWhole = (value: unknown): number | null =>
  typeof value === 'string' && WHOLE.test(value) ? Number(value) : null;

export function asMs(value: unknown): EpochMs | null {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < LATEST_MS
    ? (value as EpochMs)
    : null;
}

/** RFC 3339 in UTC with any fraction, truncated to the millisecond. */
export function asInstant(value: unknown): EpochMs | null {
  if (typeof value !== 'string' || !RFC3339.test(value)) return null;
  const fraction = value.length > 20 ? value.slice(20, -1).slice(0, 3).padEnd(3, '0') : '0';
  return asMs(Date.parse(`${value.slice(0, 19)}Z`) + Number(fraction));
}
