// Describes invalid input in our own words. Messages of the schema library never reach users: a field is described by the
// `allowed` text of its schema, and by its issue if it has none. Schemas may also give a message that starts with "must".
import { plural } from '@tickwire/contract';
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
  for (const issue of error.issues.map(deepestIssue)) {
    const { allowed, depth } = allowedText(schema, value, issue.path);
    const stated = allowed === undefined || issue.code === 'unrecognized_keys' || issue.message.startsWith('must ');
    const field = (stated ? issue.path : issue.path.slice(0, depth)).join('.');
    const rule = stated ? ruleOf(issue) : `must be ${allowed}`;
    if (!faults.has(field)) faults.set(field, { field, rule, allowed: rule.replace(/^must be /, '') });
  }
  return [...faults.values()];
}

/** Of a union, the issue inside the only form that the value can be meant to have; otherwise the issue itself. */
function deepestIssue(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const meant = issue.errors.filter((issues) => !issues.some(isOtherForm));
  const [inner] = meant.length === 1 ? meant[0]! : [];
  return inner ? deepestIssue({ ...inner, path: [...issue.path, ...inner.path] }) : issue;
}

/** A form with another constant, or without one of the fields: the value is not meant to have it. */
const isOtherForm = (issue: z.core.$ZodIssue): boolean =>
  issue.path.length < 2 && (issue.code === 'invalid_value' || issue.code === 'unrecognized_keys');

/** The first fault as a sentence without its full stop: "bars must be an integer between 1 and 500". */
export function firstFault(error: z.ZodError, schema: z.ZodType, value: unknown, whole: string): string {
  const { field = '', rule = 'must be valid' } = fieldFaults(error, schema, value)[0] ?? {};
  return `${field || whole} ${rule}`;
}

interface AllowedText {
  readonly allowed: string | undefined;
  /** Length of the path that leads to what the text describes. */
  readonly depth: number;
}

/** The `allowed` text of the top-level field that a path leads into, or of a field below it in one of several forms. */
function allowedText(schema: z.ZodType, value: unknown, path: readonly PropertyKey[]): AllowedText {
  let found: AllowedText = { allowed: undefined, depth: 1 };
  let [inside, given]: [z.ZodType | undefined, unknown] = [schema, value];
  for (const [at, name] of path.entries()) {
    const parent = inside && formOf(inside, given);
    const next = parent instanceof z.ZodObject && typeof name === 'string' ? parent.shape[name] : itemOf(parent, name);
    if (!next) return found;
    const { allowed, bare } = unwrapped(next as z.ZodType);
    if (allowed !== undefined) found = { allowed, depth: at + 1 };
    inside = bare;
    given = (given as Record<PropertyKey, unknown> | null | undefined)?.[name];
    // Only forms are described below the field: `type` decides which fields there are.
    if (at === 0 && !hasForms(bare)) return found;
  }
  return found;
}

/** The names of the fields of the object at a path; none if the schema does not list them. */
export function fieldNames(schema: z.ZodType, value: unknown, path: readonly string[]): readonly string[] {
  let [inside, given]: [z.ZodType | undefined, unknown] = [schema, value];
  for (const name of path) {
    const parent: z.ZodType | undefined = inside && formOf(unwrapped(inside).bare, given);
    inside = parent instanceof z.ZodObject ? (parent.shape[name] as z.ZodType) : itemOf(parent, Number(name));
    given = (given as Readonly<Record<string, unknown>> | null)?.[name];
  }
  const found = inside && formOf(unwrapped(inside).bare, given);
  return found instanceof z.ZodObject ? Object.keys(found.shape) : [];
}

function unwrapped(field: z.ZodType): { readonly allowed: string | undefined; readonly bare: z.ZodType } {
  let allowed: string | undefined;
  let bare = field;
  for (;;) {
    const text = bare.meta()?.allowed;
    if (typeof text === 'string') allowed ??= text;
    if (!('unwrap' in bare) || bare instanceof z.ZodArray) return { allowed, bare };
    bare = (bare.unwrap as () => z.ZodType)();
  }
}

const hasForms = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodUnion || (schema instanceof z.ZodArray && schema.element instanceof z.ZodUnion);

/** The form of a union that a value has by its `type` or the like. */
function formOf(schema: z.ZodType, value: unknown): z.ZodType | undefined {
  if (schema instanceof z.ZodDiscriminatedUnion) return optionFor(schema, value) as z.ZodType | undefined;
  if (!(schema instanceof z.ZodUnion)) return schema;
  const channel = (value as { channel?: z.core.util.Primitive } | null | undefined)?.channel;
  return (schema.options as z.ZodType[]).find((option) => option._zod.propValues?.channel?.has(channel));
}

const itemOf = (schema: z.ZodType | undefined, name: PropertyKey): z.ZodType | undefined =>
  schema instanceof z.ZodArray && typeof name === 'number' ? (schema.element as z.ZodType) : undefined;

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
  if (origin === 'string') return `a text of ${size} ${plural(Number(limit), 'character')}`;
  if (origin === 'array' || origin === 'set') return `a list of ${size} ${plural(Number(limit), 'item')}`;
  return `${value} ${limit}`;
}
