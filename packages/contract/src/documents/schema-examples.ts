// One example per response schema, kept with the schema: that of the first endpoint that responds with it.
import type { Endpoint } from '../common/endpoint.ts';
import { ENDPOINTS, type EndpointName } from './endpoints.ts';
import { ACCEPTED_EXAMPLES, RESPONSE_EXAMPLES } from './examples.ts';
import { type JsonSchema, schemaName } from './json-schema.ts';

/** Longer examples are only in the reference, in characters. */
const MAX_LENGTH = 250;

type Schemas = Readonly<Record<string, JsonSchema>>;

/** `base`: where references point, such as `#/components/schemas/`. */
export function withExamples(schemas: Schemas, base: string): Schemas {
  const examples = new Map<string, unknown>();
  const show = (name: string, example: unknown): void => {
    const { items } = schemas[name]?.properties?.items ?? {};
    // A list consists of items that show an example themselves.
    if (items?.$ref) examples.set(items.$ref.slice(base.length), (example as { items: readonly unknown[] }).items[0]);
    else if (!examples.has(name)) examples.set(name, example);
  };
  for (const [name, { response, accepted }] of Object.entries<Endpoint>(ENDPOINTS)) {
    show(schemaName(response), RESPONSE_EXAMPLES[name as EndpointName]);
    if (accepted) show(schemaName(accepted), ACCEPTED_EXAMPLES[name as EndpointName]);
  }
  const hasExample = ({ $ref = '' }: JsonSchema): boolean => examples.has($ref.slice(base.length));
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const example = shortened(examples.get(name));
      // A schema that extends one with an example repeats none of it.
      if (example === undefined || schema.examples || schema.allOf?.some(hasExample)) return [name, schema];
      if (JSON.stringify(example).length > MAX_LENGTH) return [name, schema];
      return [name, { ...schema, examples: [example] }];
    }),
  );
}

/** Lists with their first item only. */
function shortened(example: unknown): unknown {
  if (Array.isArray(example)) return example.slice(0, 1).map(shortened);
  if (typeof example !== 'object' || example === null) return example;
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, shortened(value)]));
}
