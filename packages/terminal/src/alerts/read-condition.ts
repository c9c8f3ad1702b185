// Reads the conditions of the form.
import type { AlertCondition, SimpleCondition } from '@tickwire/client';
import { CONDITION_KINDS, type ConditionType } from './condition-kinds.ts';
import { ConditionValues, type FieldTexts } from './condition-values.ts';

export interface ReadCondition {
  /** `null` if there are problems. */
  readonly condition: AlertCondition | null;
  readonly problems: ReadonlyMap<string, string>;
}

/** `types`: the kinds that were chosen, one for each row of the form. */
export function readCondition(texts: FieldTexts, types: readonly ConditionType[]): ReadCondition {
  const read = types.map((type, at) => {
    const values = new ConditionValues(texts, at);
    return { condition: CONDITION_KINDS[type].build(values), problems: values.problems };
  });
  const problems = new Map(read.flatMap((each) => [...each.problems]));
  const conditions = read.map(({ condition }) => condition).filter((each): each is SimpleCondition => each !== null);
  const [first] = conditions;
  if (problems.size > 0 || first === undefined) return { condition: null, problems };
  return { condition: conditions.length === 1 ? first : { type: 'all', of: conditions }, problems };
}
