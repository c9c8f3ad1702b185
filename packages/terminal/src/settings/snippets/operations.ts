// The parts of /openapi.json and /asyncapi.json that a snippet needs.

export interface ParameterSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: string | number | boolean;
  readonly items?: { readonly enum?: readonly string[] };
}

export interface SnippetParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly description: string;
  readonly schema: ParameterSchema;
  readonly required?: boolean;
}

export interface Operation {
  /** As in the reference: `publishSignal`. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for path parameters. */
  readonly path: string;
  /** False if the response is CSV or NDJSON. */
  readonly respondsJson: boolean;
  readonly group: string;
  /** Address in the API reference. */
  readonly reference: string;
  readonly summary: string;
  /** Authentication of the caller. */
  readonly access: 'key' | 'session' | 'nothing';
  /** Required scope of the key. */
  readonly scope: string | null;
  readonly parameters: readonly SnippetParameter[];
  /** The JSON documents to send: one, or with `lines` one per line. */
  readonly body: { readonly lines: boolean; readonly documents: readonly unknown[] } | null;
}

export interface SnippetChannel {
  /** `market`. */
  readonly name: string;
  /** `/ws/market`. */
  readonly path: string;
  readonly summary: string;
}

type DescribedParameter = Omit<SnippetParameter, 'in'> & { readonly in: string };
type DescribedResponse = { readonly content?: Readonly<Record<string, unknown>> };
type Reference = { readonly $ref: string };

interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  /** By default, that of the document. */
  readonly security?: OpenApi['security'];
  readonly parameters?: readonly (DescribedParameter | Reference)[];
  readonly responses?: Readonly<Record<string, DescribedResponse | Reference>>;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: unknown }>> };
  readonly 'x-scope'?: string;
}

export interface OpenApi {
  readonly tags: readonly { readonly name: string; readonly 'x-reference': string }[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  /** What several operations share. */
  readonly components: {
    readonly parameters: Readonly<Record<string, DescribedParameter>>;
    readonly responses: Readonly<Record<string, DescribedResponse>>;
  };
}

export interface AsyncApi {
  readonly channels: Readonly<Record<string, { readonly address: string; readonly summary: string }>>;
}

/** In the order of their groups, without streams. */
export function operationsOf(document: OpenApi): readonly Operation[] {
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, described]) => !mediaTypes(described, document)?.includes('text/event-stream'))
      .map(([method, described]) => operation(method, path, described, document)),
  );
  return document.tags.flatMap(({ name, 'x-reference': page }) =>
    found
      .filter(({ group }) => group === name)
      .map((each) => ({ ...each, reference: `${page}#${each.method.toLowerCase()}-${each.name}` })),
  );
}

/** The thing itself, if it is not a reference to one that several operations share. */
const resolved = <T extends object>(each: T | Reference, shared: Readonly<Record<string, T>>): T =>
  '$ref' in each ? shared[each.$ref.split('/').at(-1)!]! : each;

/** Types of a response with the status 200; `null` if there is none. */
function mediaTypes({ responses }: DescribedOperation, { components }: OpenApi): readonly string[] | null {
  const success = responses?.['200'];
  return success ? Object.keys(resolved(success, components.responses).content ?? {}) : null;
}

export function channelsOf({ channels }: AsyncApi): readonly SnippetChannel[] {
  return Object.entries(channels).map(([name, { address, summary }]) => ({ name, path: address, summary }));
}

function operation(
  method: string,
  path: string,
  described: DescribedOperation,
  document: OpenApi,
): Omit<Operation, 'reference'> {
  const { operationId, tags, summary, security = document.security, parameters = [] } = described;
  // `postPublishSignal`
  const name = operationId.slice(method.length);
  const accepts = (scheme: string) => security.some((each) => scheme in each);
  return {
    name: name.charAt(0).toLowerCase() + name.slice(1),
    method: method.toUpperCase() as Operation['method'],
    path,
    group: tags[0] ?? '',
    summary,
    access: accepts('apiKey') ? 'key' : accepts('session') ? 'session' : 'nothing',
    scope: described['x-scope'] ?? null,
    parameters: parameters
      .map((each) => resolved(each, document.components.parameters))
      .filter((each): each is SnippetParameter => each.in === 'path' || each.in === 'query'),
    body: bodyOf(described),
    // The others respond with CSV or one JSON object per line.
    respondsJson: mediaTypes(described, document)?.includes('application/json') ?? true,
  };
}

function bodyOf({ requestBody }: DescribedOperation): Operation['body'] {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || media === undefined) return null;
  if (type === 'application/json') return { lines: false, documents: [media.example] };
  const lines = String(media.example).split('\n');
  return { lines: true, documents: lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown) };
}
