// What the search of the reference finds: endpoints, parameters, messages, errors, fields, headers and sections.
import {
  ENDPOINTS,
  type EndpointName,
  ERROR_CODES,
  ERRORS,
  type JsonSchema,
  MESSAGES,
  type MessageName,
  parametersOf,
  RESPONSE_HEADERS,
  schemaName,
} from '@tickwire/contract';
import type { Reference } from '../reference-page.ts';
import { errorId } from './errors.ts';
import { resourceId } from './fields.ts';
import { endpointId } from './rest.ts';
import { messageId } from './websocket.ts';

/** `detail` is searched, too. `page` and `anchor` are indexes and names, to keep the file small. */
export type SearchEntry = readonly [kind: string, title: string, detail: string, page: number, anchor: string];

export interface SearchIndex {
  readonly pages: readonly string[];
  readonly entries: readonly SearchEntry[];
}

export function searchIndex({ pages, schemas, messageSchemas }: Reference): SearchIndex {
  const homes = new Map<string, number>();
  // The overview comes last, because it repeats the anchors of errors.
  for (const [at, { main }] of [...pages.entries()].reverse())
    for (const [, id = ''] of main.matchAll(/\sid="([^"]+)"/g)) if (at > 0 || !homes.has(id)) homes.set(id, at);
  const entry = (kind: string, title: string, detail: string, anchor: string): SearchEntry => {
    const home = homes.get(anchor);
    if (home === undefined) throw new Error(`the anchor ${anchor} is on no page`);
    return [kind, title, detail, home, anchor];
  };
  const names = Object.keys(ENDPOINTS) as EndpointName[];
  const endpoints = names.map((name) => {
    const { method, path, summary } = ENDPOINTS[name];
    return entry('endpoint', `${method} ${path}`, summary, endpointId(name));
  });
  const parameters = names.flatMap((name) =>
    parametersOf(ENDPOINTS[name])
      .filter(({ in: place }) => place === 'query')
      .map((each) =>
        entry('parameter', each.name, `${ENDPOINTS[name].method} ${ENDPOINTS[name].path}`, endpointId(name)),
      ),
  );
  const messages = (Object.keys(MESSAGES) as MessageName[]).flatMap((name) => {
    const { title, schema } = MESSAGES[name];
    const fields = fieldNames(messageSchemas[schemaName(schema)] ?? {});
    return [
      entry('message', name, title, messageId(name)),
      ...fields.map((field) => entry('field', field, name, messageId(name))),
    ];
  });
  const errors = ERROR_CODES.map((code) => entry('error', code, ERRORS[code].title, errorId(code)));
  const headers = Object.keys(RESPONSE_HEADERS).map((name) => entry('header', name, 'Response header', 'headers'));
  const sections = pages.flatMap(({ page, sections: own }) =>
    own.flatMap(({ id, label, entries = [] }) => [
      entry('section', label, page.title, id),
      ...entries
        .filter((each) => typeof each.label === 'string' && !each.id.startsWith('resource-'))
        .map((each) => entry('section', String(each.label), label, each.id)),
    ]),
  );
  const resources = Object.entries(schemas).flatMap(([name, schema]) => [
    entry('resource', name, schema.description ?? '', resourceId(name)),
    ...fieldNames(schema).map((field) => entry('field', field, name, resourceId(name))),
  ]);
  return {
    pages: pages.map(({ page }) => page.path),
    entries: [...sections, ...endpoints, ...messages, ...errors, ...headers, ...parameters, ...resources],
  };
}

const fieldNames = ({ properties = {} }: JsonSchema): string[] => Object.keys(properties);
