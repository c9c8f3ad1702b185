// A call with its parameters filled in, before it is written in a language.
import type { Operation, Parameter } from './operations.ts';

/** By parameter, as typed; '' leaves an optional one out. */
export type Values = Readonly<Record<string, string>>;

export type Secret =
  /** Read from the environment where the snippet runs. */
  | { readonly from: 'environment' }
  /** Made a moment ago and still in sight. */
  | { readonly from: 'text'; readonly key: string };

/** What a path parameter stands as until one is filled in. Something that can be undone by nobody is never filled in for you. */
export const placeholder = (name: string): string => `${name.toUpperCase()}_${name === 'name' ? 'OF_PUBLISHER' : 'ID'}`;

const encode = (text: string): string =>
  // It stands between single quotes in a shell; commas are read as they are.
  encodeURIComponent(text).replaceAll("'", '%27').replaceAll('%2C', ',');

export function targetOf({ path, parameters }: Operation, values: Values): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(values[name] || placeholder(name)));
  const query = givenIn(parameters, 'query', values).map(({ name }) => `${name}=${encode(values[name] ?? '')}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

export function givenIn(
  parameters: readonly Parameter[],
  place: Parameter['in'],
  values: Values,
): readonly Parameter[] {
  return parameters.filter((each) => each.in === place && (values[each.name] ?? '') !== '');
}

/** As JSON carries it. */
export function typed({ type }: Parameter['schema'], text: string): unknown {
  if (type === 'array') return text.split(',').map((each) => each.trim());
  if (type === 'integer' || type === 'number') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}
