// Queries over a generated document, shared by the tests of OpenAPI and AsyncAPI.

export type Json = unknown;
type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: Json): value is Members => typeof value === 'object' && value !== null;

/** Every object and array in a document, with its path. Examples are skipped: they are data, not part of the description. */
export function* nodes(
  value: Json,
  path: readonly string[] = [],
): Generator<{ path: readonly string[]; node: Members }> {
  if (!isMembers(value)) return;
  yield { path, node: value };
  for (const [key, child] of Object.entries(value)) {
    if (key !== 'example' && !(key === 'examples' && Array.isArray(child))) yield* nodes(child, [...path, key]);
  }
}

/** The value that a local reference such as `#/components/schemas/Quote` points to. */
export function target(document: Json, ref: string): Json {
  return ref
    .split('/')
    .slice(1)
    .reduce<Json>((value, key) => (isMembers(value) ? value[key] : undefined), document);
}

/** A copy in which `value` is replaced by what it refers to, if it is a reference. */
export function resolved<T>(document: Json, value: T | { readonly $ref: string }): T {
  return (isMembers(value) && typeof value.$ref === 'string' ? target(document, value.$ref) : value) as T;
}

/** All references of a document. A `discriminator` mapping counts as well. */
export function references(document: Json): string[] {
  return [...nodes(document)].flatMap(({ path, node }) =>
    typeof node.$ref === 'string' ? [node.$ref] : path.at(-1) === 'mapping' ? Object.values(node).map(String) : [],
  );
}

/** Components that nothing refers to, as `#/components/kind/name`. Security schemes are named by `security` instead. */
export function unusedComponents(document: { readonly components: Members }): string[] {
  const used = new Set(references(document));
  return Object.entries(document.components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, named]) => Object.keys(named as Members).map((name) => `#/components/${kind}/${name}`))
    .filter((ref) => !used.has(ref));
}

export function patterns(document: Json): string[] {
  const found = [...nodes(document)].flatMap(({ path, node }) =>
    typeof node.pattern === 'string' && path.at(-1) !== 'properties' ? [node.pattern] : [],
  );
  return [...new Set(found)];
}

/** Fields of all schemas without a description of their own, as `Schema.field`. A reference is described at its target. */
export function undescribedFields(document: Json): string[] {
  return [...nodes(document)].flatMap(({ path, node }) => {
    if (path.at(-1) !== 'properties') return [];
    return Object.entries(node)
      .filter(([, field]) => isMembers(field) && !field.description && !field.$ref)
      .map(([name]) => [...path.slice(path.indexOf('schemas') + 1), name].join('.'));
  });
}
