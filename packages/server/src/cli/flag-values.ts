// The values of flags: each function reads one kind, or throws a UsageError that states what is allowed.

import { parseInstant } from '@tickwire/contract';
import { asEpochMs, type EpochMs } from '@tickwire/engine';
import { UsageError } from './arguments.ts';

export const invalidFlag = (flag: string, text: string, allowed: string): UsageError =>
  new UsageError(`${flag} is ${JSON.stringify(text)}, but must be ${allowed}`);

export function wholeNumber(flag: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw invalidFlag(flag, text, `an integer from ${min} to ${max}`);
}

export function decimalNumber(flag: string, text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw invalidFlag(flag, text, 'a number');
}

export function oneOf<T extends string>(flag: string, text: string, allowed: readonly T[]): T {
  if ((allowed as readonly string[]).includes(text)) return text as T;
  throw invalidFlag(flag, text, `one of ${allowed.join(', ')}`);
}

/** A time of ISO 8601, which is UTC unless it has a zone, or Unix time. */
export function readTime(flag: string, text: string): EpochMs {
  const time = parseInstant(text);
  if (time !== null) return asEpochMs(time);
  throw invalidFlag(flag, text, 'a time such as 2014-05-01T00:00:00Z');
}

export function httpUrl(flag: string, text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw invalidFlag(flag, text, 'an address such as https://example.org');
}
