// Fields that many schemas have with the same meaning are described once, in a table, instead of in each schema.
import type { JsonSchema } from './json-schema.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** A row in the table is not worth it for less. */
const LEAST_USES = 3;

/** The name and the description of each common field, the most used first. */
export type CommonFields = ReadonlyMap<string, string>;

function eachField(schema: unknown, visit: (name: string, field: JsonSchema) => void): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties = {} } = schema as JsonSchema;
  for (const [name, field] of Object.entries(properties)) visit(name, field);
  for (const inner of Object.values(schema)) eachField(inner, visit);
}

export function commonFields(schemas: Schemas): CommonFields {
  const uses = new Map<string, { readonly name: string; readonly description: string; count: number }>();
  eachField({ properties: {}, schemas }, (name, { description, $ref }) => {
    if (description === undefined || $ref !== undefined) return;
    const key = `${name} ${description}`;
    const use = uses.get(key) ?? { name, description, count: 0 };
    use.count++;
    uses.set(key, use);
  });
  const common = new Map<string, string>();
  const byCount = [...uses.values()].sort((a, b) => b.count - a.count);
  for (const { name, description, count } of byCount)
    if (count >= LEAST_USES && !common.has(name)) common.set(name, description);
  return common;
}

/** A copy without the descriptions that the table has. */
export function withoutCommon(schemas: Schemas, common: CommonFields): Schemas {
  const copy = structuredClone(schemas);
  eachField({ properties: {}, copy }, (name, field) => {
    if (field.$ref === undefined && field.description === common.get(name))
      delete (field as { description?: string }).description;
  });
  return copy;
}
