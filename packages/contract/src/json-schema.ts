// JSON Schema out of the Zod schemas, in the form that the documents and the reference show.
import { z } from 'zod';

/** The keywords that the schemas of the wire come out with. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
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
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };
}

type Target = 'draft-2020-12' | 'draft-7';

const DEFS = '#/$defs/';

/** The name under which a schema stands in the documents: its `id`. */
export function schemaName(schema: z.ZodType): string {
  const id = schema.meta()?.id;
  if (id === undefined) throw new Error('a schema of the wire has no id');
  return id;
}

/** A field that is read into something else is described as it stands on the wire, where it says so. */
function showWire(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  const { wire, description, default: preset } = jsonSchema;
  if (wire === undefined) return;
  for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
  Object.assign(jsonSchema, wire, description && { description }, preset !== undefined && { default: preset });
}

/** Takes off what is true of the reading side only, or says nothing to a client. */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  showWire(jsonSchema);
  // Changes are additive: a client that refuses unknown fields would break on the next one.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // `format` already says it; the pattern of a calendar is 250 characters long.
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern;
  // The names of JSON members are strings anyway.
  delete jsonSchema.propertyNames;
  delete jsonSchema.allowed;
}

/** Tells a code generator which of the alternatives a value is, by the field that differs. */
function discriminate(schema: z.core.$ZodType, json: z.core.JSONSchema.BaseSchema, base: string): void {
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return;
  const propertyName = schema.def.discriminator;
  const mapping = schema.options.flatMap((option) =>
    [...(option._zod.propValues?.[propertyName] ?? [])].map((value) => [
      String(value),
      base + schemaName(option as z.ZodType),
    ]),
  );
  json.discriminator = { propertyName, mapping: Object.fromEntries(mapping) };
}

/** One schema on its own, nothing named and nothing referred to. */
export function inlineSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: tidy });
  return json as JsonSchema;
}

export interface SchemaSet {
  /** A reference to the schema, which is taken into the set together with all it refers to. */
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
          // The older draft is for AsyncAPI, whose `discriminator` is another thing.
          if (target === 'draft-2020-12') discriminate(context.zodSchema, context.jsonSchema, base);
        },
      });
      // Draft 7 calls them `definitions`; a named root stands among them, or on its own where nothing refers to it.
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
