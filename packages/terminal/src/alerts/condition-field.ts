// The fields of conditions in the form, and the ones that several kinds share.
import type { SimpleCondition } from '@tickwire/client';
import { TIMEFRAMES } from '@tickwire/contract/timeframes.ts';
import { capital } from '../news/labels.ts';
import type { Choice } from '../ui/form.tsx';
import type { ConditionValues } from './condition-values.ts';

export interface ConditionField {
  readonly name: string;
  readonly label: string;
  /** `several`: checkboxes. */
  readonly kind: 'number' | 'text' | 'choice' | 'several';
  readonly choices?: readonly Choice[];
  /** At first. Default: '' or the first choice. */
  readonly value?: string;
  readonly optional?: boolean;
  readonly hint?: string;
}

/** Texts of the fields of one condition; a list for checkboxes. */
export type ConditionTexts = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ConditionKind {
  readonly label: string;
  readonly fields: readonly ConditionField[];
  /** `null` if a field is missing or cannot be read; `values` then has the reasons. */
  readonly build: (values: ConditionValues) => SimpleCondition | null;
  /** The texts of an existing condition. */
  readonly texts: (condition: never) => ConditionTexts;
}

export const choices = (...pairs: readonly (readonly [value: string, text: string])[]): readonly Choice[] =>
  pairs.map(([value, text]) => ({ value, text }));
export const named = (values: readonly string[]): readonly Choice[] =>
  values.map((value) => ({ value, text: capital(value) }));

export const SIDE: ConditionField = {
  name: 'side',
  label: 'Price',
  kind: 'choice',
  choices: choices(['bid', 'Bid'], ['ask', 'Ask'], ['trade', 'Last trade']),
};
export const INTERVAL: ConditionField = {
  name: 'interval',
  label: 'Bars',
  kind: 'choice',
  choices: TIMEFRAMES.map((each) => ({ value: each, text: each })),
  value: '5m',
};
export const LEVEL: ConditionField = { name: 'level', label: 'Level', kind: 'number' };
export const number = (name: string, label: string, hint?: string): ConditionField => ({
  name,
  label,
  kind: 'number',
  ...(hint !== undefined && { hint }),
});
export const BEYOND = choices(['above', 'above'], ['below', 'below']);
export const ANY: Choice = { value: '', text: 'Any' };

/** `cross:above` → `{ cross: 'above' }`. */
export const happening = (text: string): Readonly<Record<string, string>> => {
  const [what = '', how = ''] = text.split(':');
  return { [what]: how };
};
interface Happening {
  readonly cross?: string | undefined;
  readonly touch?: string | undefined;
  readonly is?: string | undefined;
}

export const happeningText = (given: Happening): string => {
  const { cross, touch, is } = given;
  return cross !== undefined ? `cross:${cross}` : touch !== undefined ? `touch:${touch}` : `is:${is}`;
};
