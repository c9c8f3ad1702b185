// The fields of conditions in the form, and how their texts become values.
import { TIMEFRAMES } from '@tickwire/contract/timeframes.ts';
import { capital } from '../news/labels.ts';
import type { Choice } from '../ui/form.tsx';
import { readNumber, readPositive } from '../ui/read-number.ts';

export interface ConditionField {
  /** As the condition names it. */
  readonly name: string;
  readonly label: string;
  /** `several`: checkboxes. */
  readonly kind: 'number' | 'text' | 'choice' | 'several';
  readonly choices?: readonly Choice[];
  /** At first. Default: '' or the first choice. */
  readonly value?: string;
  readonly optional?: boolean;
  readonly hint?: string;
  /** The value of a text that is not empty; `null` if it has none. Default: the text. */
  readonly read?: (text: string) => unknown;
  /** Why a text has no value. */
  readonly problem?: string;
}

/** Texts of the fields of one condition; a list for checkboxes. */
export type ConditionTexts = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Values by the names of their fields. */
export type Values = Readonly<Record<string, unknown>>;

type Pairs = readonly (readonly [value: string, text: string])[];

export const choice = (name: string, label: string, ...pairs: Pairs): ConditionField => ({
  ...{ name, label, kind: 'choice', choices: pairs.map(([value, text]) => ({ value, text })) },
});
export const named = (values: readonly string[]): Pairs => values.map((value) => [value, capital(value)]);
export const ANY: Pairs[number] = ['', 'Any'];

export const anyNumber = (name: string, label: string, hint?: string): ConditionField => ({
  ...{ name, label, kind: 'number', read: (text) => readNumber(text), problem: 'Must be a number.' },
  ...(hint !== undefined && { hint }),
});

export const positive = (name: string, label: string, hint?: string): ConditionField => ({
  ...anyNumber(name, label, hint),
  read: readPositive,
  problem: 'Must be a number above 0.',
});

export const whole = (field: Omit<ConditionField, 'kind'>, least: number, most: number): ConditionField => ({
  ...field,
  kind: 'number',
  read: (text) => {
    const value = readNumber(text);
    return value !== null && Number.isInteger(value) && value >= least && value <= most ? value : null;
  },
  problem: `Must be a whole number between ${least} and ${most}.`,
});

export const SIDE = choice('side', 'Price', ['bid', 'Bid'], ['ask', 'Ask'], ['trade', 'Last trade']);
export const INTERVAL: ConditionField = {
  ...choice('interval', 'Bars', ...TIMEFRAMES.map((each) => [each, each] as const)),
  value: '5m',
};
export const LEVEL = positive('level', 'Level');
export const BEYOND: Pairs = [
  ['above', 'above'],
  ['below', 'below'],
];

/** `cross:above` → `{ cross: 'above' }`. */
export const happening = (text: unknown): Values => {
  const [what = '', how = ''] = String(text).split(':');
  return { [what]: how };
};

export const happeningText = ({ cross, touch, is }: Values): string =>
  cross !== undefined ? `cross:${cross}` : touch !== undefined ? `touch:${touch}` : `is:${is}`;
