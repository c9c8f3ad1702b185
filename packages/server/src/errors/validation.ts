// Describes invalid input in our own words. Messages of the schema library never reach users: a field is described by the
// `allowed` text of its schema, and by its issue if it has none. Schemas may also give a message that starts with "must".
import { z } from 'zod';

export interface FieldFault {
  /** Name of the field, with the path below it if the field has no `allowed` text. '' for the value as a whole. */
  readonly field: string;
  /** What is wrong, as the rest of a sentence: "must be an integer between 1 and 500". */
  readonly rule: string;
  /** The rule without "must be". */
  readonly allowed: string;
}

/** Each invalid field once, in the order of the issues. */
export function fieldFaults(error: z.ZodError, schema: z.ZodType, value: unknown): FieldFault[] {
  const faults = new Map<string, FieldFault>();
  for (const issue of error.issues) {
    const allowed = allowedText(schema, value, issue.path);
    const field = (allowed === undefined ? issue.path : issue.path.slice(0, 1)).join('.');
    const rule = allowed === undefined ? ruleOf(issue) : `must be ${allowed}`;
    if (!faults.has(field)) faults.set(field, { field, rule, allowed: rule.replace(/^must be /, '') });
  }
  return [...faults.values()];
}

/** The first fault as a sentence without its full stop: "bars must be an integer between 1 and 500". */
export function firstFault(error: z.ZodError, schema: z.ZodType, value: unknown, whole: string): string {
  const { field = '', rule = 'must be valid' } = fieldFaults(error, schema, value)[0] ?? {};
  return `${field || whole} ${rule}`;
}

/** The `allowed` text of the top-level field that a path leads into. */
function allowedText(schema: z.ZodType, value: unknown, [name]: readonly PropertyKey[]): string | undefined {
  const object = schema instanceof z.ZodDiscriminatedUnion ? optionFor(schema, value) : schema;
  if (!(object instanceof z.ZodObject) || typeof name !== 'string') return undefined;
  let field = object.shape[name] as z.ZodType | undefined;
  while (field) {
    const allowed = field.meta()?.allowed;
    if (typeof allowed === 'string') return allowed;
    field = 'unwrap' in field ? (field.unwrap as () => z.ZodType)() : undefined;
  }
  return undefined;
}

function optionFor({ def, options }: z.ZodDiscriminatedUnion, value: unknown): unknown {
  const given = (value as Record<string, z.core.util.Primitive> | null | undefined)?.[def.discriminator];
  return options.find((option) => option._zod.propValues?.[def.discriminator]?.has(given));
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'an ISO 8601 time with its offset, such as 2026-03-06T21:00:00Z',
  date: 'an ISO 8601 date, such as 2026-03-06',
  url: 'an http or https address',
};

function ruleOf(issue: z.core.$ZodIssue): string {
  return issue.message.startsWith('must ') ? issue.message : `must be ${requirement(issue)}`;
}

function requirement(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? 'of the documented type';
    case 'too_big':
      return bound(issue.origin, 'up to', issue.inclusive === false ? 'below' : 'at most', issue.maximum);
    case 'too_small':
      return bound(issue.origin, 'at least', issue.inclusive === false ? 'above' : 'at least', issue.minimum);
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'in the documented format';
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `an object without the unknown field${issue.keys.length > 1 ? 's' : ''} ${issue.keys.join(', ')}`;
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_union': {
      if ('options' in issue && issue.options) return oneOf(issue.options);
      const forms = new Set(
        issue.errors.flatMap(([first]) => (first && first.path.length === 0 ? requirement(first) : [])),
      );
      return forms.size > 0 ? [...forms].join(' or ') : 'one of the documented forms';
    }
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues[0] ? `${TYPES.object} with valid members: ${requirement(issue.issues[0])}` : 'valid';
    case 'custom':
      return 'valid';
  }
}

const oneOf = (values: readonly unknown[]): string =>
  values.length > 1 ? `one of ${values.join(', ')}` : `${values[0]}`;

function bound(origin: string, size: string, value: string, limit: number | bigint): string {
  if (origin === 'string') return `a text of ${size} ${limit} character${limit === 1 ? '' : 's'}`;
  if (origin === 'array' || origin === 'set') return `a list of ${size} ${limit} item${limit === 1 ? '' : 's'}`;
  return `${value} ${limit}`;
}
