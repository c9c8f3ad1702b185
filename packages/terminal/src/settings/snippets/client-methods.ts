// The call of an endpoint with the TypeScript client.
import { typescriptArguments, typescriptMethod } from '@tickwire/contract/client-calls.ts';
import type { Operation } from './operations.ts';
import { givenIn, placeholder, typed, type Values } from './request.ts';

export const methodOf = ({ name }: Operation): string => typescriptMethod(name);

/** The arguments of the method: path parameters, then the query or the body. */
export function argumentsOf({ name, path, parameters, body }: Operation, values: Values): readonly unknown[] {
  const query = givenIn(parameters, 'query', values).map(
    (each) => [each.name, typed(each.schema, values[each.name] ?? '')] as const,
  );
  return typescriptArguments(name, {
    path: [...path.matchAll(/\{(\w+)\}/g)].map(([, part = '']) => values[part] || placeholder(part)),
    query: Object.fromEntries(query),
    body,
  });
}
