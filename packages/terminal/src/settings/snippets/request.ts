// A call with its parameters, independent of the language of the snippet.
import type { Operation, SnippetParameter } from './operations.ts';

/** Values by parameter name; '' omits an optional one. */
export type Values = Readonly<Record<string, string>>;

export type Secret =
  /** Read from the environment of the snippet. */
  | { readonly from: 'environment' }
  /** Created a moment ago and still visible in the terminal. */
  | { readonly from: 'text'; readonly key: string };

/** Stands for a path parameter without a value. */
export const placeholder = (name: string): string => `${name.toUpperCase()}_${name === 'name' ? 'OF_PUBLISHER' : 'ID'}`;

const encode = (text: string): string =>
  // The result is used within single quotes in a shell. Commas stay readable.
  encodeURIComponent(text).replaceAll("'", '%27').replaceAll('%2C', ',');

export function targetOf({ path, parameters }: Operation, values: Values): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(values[name] || placeholder(name)));
  const query = givenIn(parameters, 'query', values).map(({ name }) => `${name}=${encode(values[name] ?? '')}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

export function givenIn(
  parameters: readonly SnippetParameter[],
  place: SnippetParameter['in'],
  values: Values,
): readonly SnippetParameter[] {
  return parameters.filter((each) => each.in === place && (values[each.name] ?? '') !== '');
}

/** The value with its JSON type. */
export function typed({ type }: SnippetParameter['schema'], text: string): unknown {
  if (type === 'array') return text.split(',').map((each) => each.trim());
  if (type === 'integer' || type === 'number') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}
