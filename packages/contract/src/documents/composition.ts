// An object schema that has all fields of another one refers to it with `allOf` instead of repeating them.
import type { JsonSchema } from './json-schema.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;
/** The definition of each field, as a text that is equal for equal fields. */
type Fields = ReadonlyMap<string, string>;

/** A reference is not worth it for less. */
const LEAST_FIELDS = 3;

function fieldsOf({ properties = {}, required = [] }: JsonSchema): Fields {
  return new Map(
    Object.entries(properties).map(([name, field]) => [name, JSON.stringify([field, required.includes(name)])]),
  );
}

const includes = (whole: Fields, part: Fields): boolean =>
  [...part].every(([name, definition]) => whole.get(name) === definition);

/** The schemas that together have the most fields of `name`, the largest first. No field is in two of them. */
function partsOf(name: string, all: ReadonlyMap<string, Fields>): string[] {
  const own = all.get(name)!;
  const rest = new Map(own);
  const smaller = [...all]
    .filter(([, { size }]) => size >= LEAST_FIELDS && size < own.size)
    .sort(([, a], [, b]) => b.size - a.size);
  const parts: string[] = [];
  for (const [part, fields] of smaller) {
    if (!includes(rest, fields)) continue;
    parts.push(part);
    for (const field of fields.keys()) rest.delete(field);
  }
  return parts;
}

/** `base`: where references point, such as `#/components/schemas/`. */
export function composed(schemas: Schemas, base: string): Schemas {
  const all = new Map(
    Object.entries(schemas)
      .filter(([, { properties }]) => properties)
      .map(([name, schema]) => [name, fieldsOf(schema)]),
  );
  const compose = ([name, schema]: [string, JsonSchema]): [string, JsonSchema] => {
    const parts = all.has(name) ? partsOf(name, all) : [];
    if (parts.length === 0) return [name, schema];
    const { properties = {}, required = [], ...others } = schema;
    const isOwn = (field: string): boolean => !parts.some((part) => all.get(part)!.has(field));
    const own = Object.entries(properties).filter(([field]) => isOwn(field));
    const needed = required.filter(isOwn);
    return [
      name,
      {
        ...others,
        allOf: parts.map((part) => ({ $ref: base + part })),
        ...(own.length > 0 && { properties: Object.fromEntries(own) }),
        ...(needed.length > 0 && { required: needed }),
      },
    ];
  };
  return Object.fromEntries(Object.entries(schemas).map(compose));
}
