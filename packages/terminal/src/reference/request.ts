// The request of a form that tries an endpoint. It goes to this service only.

export interface FormField {
  readonly in: 'path' | 'query' | 'header' | 'body' | 'key';
  readonly name: string;
  readonly value: string;
  /** Content type of a body. */
  readonly type?: string;
}

export interface TriedEndpoint {
  readonly method: string;
  /** With `{name}` for path parameters. */
  readonly path: string;
  readonly auth: string;
}

export interface TriedRequest {
  /** Path and query. */
  readonly target: string;
  readonly init: RequestInit & { readonly headers: Readonly<Record<string, string>> };
}

/** Empty fields are left out. */
export function requestOf({ method, path, auth }: TriedEndpoint, fields: readonly FormField[]): TriedRequest {
  const given = fields.map((each) => ({ ...each, value: each.in === 'body' ? each.value : each.value.trim() }));
  const textOf = (place: FormField['in'], name: string): string =>
    given.find((each) => each.in === place && each.name === name)?.value ?? '';
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(textOf('path', name)));
  const sent = given.filter(({ value }) => value !== '');
  const query = sent.filter((each) => each.in === 'query').map(({ name, value }) => `${encode(name)}=${encode(value)}`);
  const headers: Record<string, string> = {};
  for (const each of sent.filter(({ in: place }) => place === 'header')) headers[each.name] = each.value;
  const body = sent.find((each) => each.in === 'body');
  if (body) headers['Content-Type'] = body.type ?? 'application/json';
  const key = sent.find((each) => each.in === 'key')?.value;
  if (key !== undefined) headers['X-API-Key'] = key;
  // The session reads what a key or a session may read, and nothing else.
  const usesSession = method === 'GET' && key === undefined && (auth === 'key' || auth === 'session');
  return {
    target: query.length > 0 ? `${filled}?${query.join('&')}` : filled,
    init: {
      method,
      headers,
      credentials: usesSession ? 'same-origin' : 'omit',
      cache: 'no-store',
      redirect: 'error',
      ...(body && { body: body.value }),
    },
  };
}

/** Commas stay readable. */
const encode = (text: string): string => encodeURIComponent(text).replaceAll('%2C', ',');

/** A segment of dots would lead to another path. */
function segment(text: string): string {
  if (text === '') throw new Error('A value in the path is missing.');
  if (/^\.{1,2}$/.test(text)) throw new Error('A value in the path cannot consist of dots.');
  return encodeURIComponent(text);
}
