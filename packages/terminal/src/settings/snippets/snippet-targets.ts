// The calls that have snippets: endpoints and streams, each with its texts. Loaded when the section opens, so it imports nothing
// of the first load.
import type { CoreClient } from '@tickwire/client';
import { exampleValues, type Known, known, withLiveBody } from './example-values.ts';
import {
  type AsyncApi,
  channelsOf,
  type OpenApi,
  type Operation,
  operationsOf,
  type SnippetChannel,
  type SnippetParameter,
} from './operations.ts';
import type { Secret, Values } from './request.ts';
import { curlCall, pythonCall, SESSION_VARIABLE, typescriptCall } from './rest-snippets.ts';
import { pythonStream, typescriptStream, websocat } from './stream-snippets.ts';

export type Language = 'shell' | 'typescript' | 'python';

export interface SnippetTarget {
  readonly group: string;
  readonly title: string;
  /** What a caller needs, in a sentence. */
  readonly access: string;
  /** Required scope of the key; `null` if keys are not accepted. */
  readonly scope: string | null;
  /** Address in the API reference. */
  readonly reference: string;
  /** The program in the shell. */
  readonly program: 'curl' | 'websocat';
  readonly parameters: readonly (SnippetParameter & { readonly initial: string })[];
  /** `typed` has the changed parameters, `url` is the origin of the service. */
  readonly write: (language: Language, typed: Values, url: string, secret: Secret) => string;
}

const CALLS = { shell: curlCall, typescript: typescriptCall, python: pythonCall };
const STREAMS = { shell: websocat, typescript: typescriptStream, python: pythonStream };

const requires = (scope: string | null): string => `Requires a key with the scope ${scope}.`;
const ACCESS = {
  key: requires,
  session: () =>
    `Requires a signed-in session; keys are rejected. ${SESSION_VARIABLE} is the value of the session cookie.`,
  nothing: () => 'No key required.',
};

/** Endpoints in the order of their groups, then streams. */
export async function readTargets(
  client: CoreClient,
  rest: OpenApi,
  streams: AsyncApi,
): Promise<readonly SnippetTarget[]> {
  const examples = await known(client);
  const operations = operationsOf(rest).map((each) => withLiveBody(each, examples));
  const ticks = operations.find(({ name }) => name === 'ingestTicks')?.body?.documents ?? [];
  return [
    ...operations.map((operation) => endpointTarget(operation, examples)),
    ...channelsOf(streams).map((channel) => streamTarget(channel, examples, ticks)),
  ];
}

function endpointTarget(operation: Operation, examples: Known): SnippetTarget {
  const { method, path, group, reference, summary, access, scope } = operation;
  const values = exampleValues(operation, examples);
  // A select always has a value: without an example its first choice.
  const parameters = operation.parameters.map((each) => ({
    ...each,
    initial: values[each.name] || (each.schema.enum?.[0] ?? ''),
  }));
  const initial = Object.fromEntries(parameters.map((each) => [each.name, each.initial]));
  return {
    group,
    title: `${method} ${path} · ${summary}`,
    access: ACCESS[access](scope),
    scope,
    reference,
    program: 'curl',
    parameters,
    write: (language, typed, url, secret) =>
      CALLS[language]({ operation, values: { ...initial, ...typed }, url, secret }),
  };
}

function streamTarget(channel: SnippetChannel, { symbols }: Known, lines: readonly unknown[]): SnippetTarget {
  const { name, path, summary } = channel;
  const scope = name === 'ingest' ? 'ingest' : 'read';
  return {
    group: 'Streams',
    title: `${path} · ${summary}`,
    access: requires(scope),
    scope,
    reference: '/docs/streams#websocket',
    program: 'websocat',
    parameters: [],
    write: (language, _, url, secret) => STREAMS[language]({ channel, symbols, url, secret, lines }),
  };
}
