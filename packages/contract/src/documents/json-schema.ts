// Converts Zod schemas to JSON Schema, in the form used by the documents and the reference page.
import { z } from 'zod';

/** The keywords that the converted schemas use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };
}

type Target = 'draft-2020-12' | 'draft-7';

const DEFS = '#/$defs/';

/** The name of a schema in the documents: its `id`. */
export function schemaName(schema: z.ZodType): string {
  const id = schema.meta()?.id;
  if (id === undefined) throw new Error('the schema has no id');
  return id;
}

/** Describes a transformed field as clients send it, if it declares `wire`. */
function showWire(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  const { wire, description, default: preset } = jsonSchema;
  if (wire === undefined) return;
  for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
  Object.assign(jsonSchema, wire, description && { description }, preset !== undefined && { default: preset });
}

/** Removes keywords that concern only the parser or do not help a client. */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  showWire(jsonSchema);
  joinNull(jsonSchema);
  omitPreset(jsonSchema);
  // Changes are additive: a client that rejects unknown fields would break with the next one.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // `format` is enough; the pattern of a date is 250 characters long.
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern;
  // Names of JSON members are always strings.
  delete jsonSchema.propertyNames;
  delete jsonSchema.allowed;
}

/** A field with a default may be left out of a request. */
function omitPreset(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  const { required, properties } = jsonSchema;
  if (!required || !properties) return;
  const needed = required.filter((name) => (properties[name] as { default?: unknown })?.default === undefined);
  if (needed.length > 0) jsonSchema.required = needed;
  else delete jsonSchema.required;
}

const SCALARS: readonly unknown[] = ['string', 'number', 'integer', 'boolean'];

/** Writes `anyOf: [{ type: 'string' }, { type: 'null' }]` as `type: ['string', 'null']`. */
function joinNull(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  const { anyOf, ...own } = jsonSchema;
  const [value, none, ...others] = anyOf ?? [];
  if (others.length > 0 || none?.type !== 'null' || !SCALARS.includes(value?.type) || value?.enum) return;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, value, own, { type: [value?.type, 'null'] });
}

/** Adds the `discriminator` that code generators use to select the alternative. */
function discriminate(schema: z.core.$ZodType, json: z.core.JSONSchema.BaseSchema, base: string): void {
  // A reference with a description is not the union itself.
  if (!(schema instanceof z.ZodDiscriminatedUnion) || json.$ref !== undefined) return;
  const propertyName = schema.def.discriminator;
  const mapping = schema.options.flatMap((option) =>
    [...(option._zod.propValues?.[propertyName] ?? [])].map((value) => [
      String(value),
      base + schemaName(option as z.ZodType),
    ]),
  );
  json.discriminator = { propertyName, mapping: Object.fromEntries(mapping) };
}

/** A schema without names and references. */
export function inlineSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: tidy });
  return json as JsonSchema;
}

export interface SchemaSet {
  /** Adds a schema with everything it refers to, and returns a reference to it. */
  readonly ref: (schema: z.ZodType) => { readonly $ref: string };
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** Collects named schemas under a base such as `#/components/schemas/`. */
export function schemaSet(base: string, target: Target = 'draft-2020-12'): SchemaSet {
  const schemas: Record<string, JsonSchema> = {};
  const ref = (schema: z.ZodType) => {
    const name = schemaName(schema);
    if (!(name in schemas)) {
      const {
        $defs,
        $ref,
        $schema: _,
        ...own
      } = z.toJSONSchema(schema, {
        target,
        io: 'output',
        override: (context) => {
          tidy(context);
          // The older draft is for AsyncAPI, where `discriminator` has another meaning.
          if (target === 'draft-2020-12') discriminate(context.zodSchema, context.jsonSchema, base);
        },
      });
      // Draft 7 uses `definitions`. A named root is one of them if something refers to it, otherwise it is the result itself.
      const { definitions, ...root } = own as Record<string, unknown>;
      const all = { ...($ref === undefined ? { [name]: root } : {}), ...((definitions ?? $defs) as object) };
      const moved = JSON.parse(JSON.stringify(all), (key, value) =>
        key === '$ref' ? String(value).replace(DEFS, base).replace('#/definitions/', base) : value,
      );
      Object.assign(schemas, moved);
    }
    return { $ref: base + name };
  };
  return { ref, schemas };
}
