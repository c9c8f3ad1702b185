// Reads the conditions of the form and collects what is wrong with them, by the names of the fields.
import type { AlertCondition, SimpleCondition } from '@tickwire/client';
import { CONDITION_KINDS, type ConditionType } from './condition-kinds.ts';

/** The relevant part of `FormValues`. */
export interface FieldTexts {
  text(name: string): string;
  all(name: string): readonly string[];
}

export interface ReadCondition {
  /** `null` if there are problems. */
  readonly condition: AlertCondition | null;
  readonly problems: ReadonlyMap<string, string>;
}

/** The name of a field in the form. Several conditions have fields of the same name. */
export const fieldName = (at: number, name: string): string => `condition-${at}-${name}`;

/** `types`: the kinds that were chosen, one for each row of the form. */
export function readCondition(texts: FieldTexts, types: readonly ConditionType[]): ReadCondition {
  const problems = new Map<string, string>();
  const conditions = types.map((type, at) => {
    const { fields, join } = CONDITION_KINDS[type];
    const values: Record<string, unknown> = {};
    for (const { name, kind, optional = false, read = String, problem = 'Must not be empty.' } of fields) {
      const id = fieldName(at, name);
      const [text, chosen] = [texts.text(id).trim(), texts.all(id)];
      const several = chosen.length > 0 ? chosen : null;
      const value = kind === 'several' ? several : text === '' ? null : read(text);
      if (value !== null) values[name] = value;
      else if (!optional || text !== '') problems.set(id, problem);
    }
    return { type, ...(join ? join(values) : values) } as SimpleCondition;
  });
  const [first] = conditions;
  if (problems.size > 0 || first === undefined) return { condition: null, problems };
  return { condition: conditions.length === 1 ? first : { type: 'all', of: conditions }, problems };
}
