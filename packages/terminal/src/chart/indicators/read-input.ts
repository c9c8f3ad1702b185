// Reads the inputs of indicators as people type them. Not part of the first load.
import type { IndicatorInputDescription } from '@tickwire/client';
import { decimalsOf } from '../../ui/format.ts';
import { readNumber } from '../../ui/read-number.ts';

/** The value of an input as it was entered, or what is wrong with it. */
export function readInput(
  input: IndicatorInputDescription,
  text: string,
): { readonly value: number | string } | { readonly problem: string } {
  const { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, choices = [] } = input;
  if (type === 'integer' || type === 'number') {
    const value = readNumber(text);
    const isFine = value !== null && decimalsOf(value) <= (type === 'integer' ? 0 : 6);
    if (isFine && value >= minimum && value <= maximum) return { value };
    const kind = type === 'integer' ? 'a whole number' : 'a number';
    return { problem: `Must be ${kind} between ${minimum} and ${maximum}.` };
  }
  if (choices.includes(text)) return { value: text };
  const time = type === 'anchor' ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) return { problem: `Must be one of ${choices.join(', ')}.` };
  return { value: new Date(time).toISOString().replace('.000Z', 'Z') };
}
