// Definitions that several operations of the OpenAPI document share become components; the others stay where they are used.

/** A definition, and the names it may get, the preferred first. */
export type Named = readonly [names: readonly string[], definition: object];

export class SharedComponents {
  readonly components: Record<string, object> = {};
  readonly #refs = new Map<string, { readonly $ref: string }>();

  /** Each definition gets the first of its names that is not taken by one with more uses. */
  constructor(base: string, definitions: readonly Named[]) {
    const uses = Map.groupBy(definitions, ([, definition]) => JSON.stringify(definition));
    const shared = [...uses].filter(([, { length }]) => length > 1).sort(([, a], [, b]) => b.length - a.length);
    for (const [key, [[names, definition] = [[], {}]]] of shared) {
      const name = names.find((each) => !(each in this.components));
      if (name === undefined) throw new Error(`two components are named ${names.join(' or ')}`);
      this.components[name] = definition;
      this.#refs.set(key, { $ref: base + name });
    }
  }

  use(definition: object): object {
    return this.#refs.get(JSON.stringify(definition)) ?? definition;
  }
}

/** `SymbolPath` of `symbol-path`. */
export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
