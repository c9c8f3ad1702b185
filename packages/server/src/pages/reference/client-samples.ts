// One call of each endpoint as curl, TypeScript and Python, all written from the same example of the contract.
import {
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
  JSON_BODY_EXAMPLES,
  LINE_EXAMPLES,
  type Parameter,
  parametersOf,
  REQUEST_EXAMPLES,
} from '@tickwire/contract';
import {
  type CallValues,
  LIVE_METHODS,
  pythonArguments,
  pythonMethod,
  typescriptArguments,
  typescriptMethod,
} from '@tickwire/contract/client-calls.ts';
import { python, typescript } from '@tickwire/contract/literals.ts';
import { formatJson } from './sample.ts';

export const LANGUAGES = ['curl', 'typescript', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Streams without a client are shown in plain JavaScript. */
export const STREAM_LANGUAGES = ['websocket', 'typescript', 'python'] as const;
type StreamLanguage = (typeof STREAM_LANGUAGES)[number];

/** Of the service that is called. */
export interface SampleOrigin {
  /** Such as `http://localhost:8080`. */
  readonly http: string;
  readonly ws: string;
  /** Name of the session cookie. */
  readonly cookie: string;
}

/** Joined, because a check finds this expression in the source. */
const ENVIRONMENT = ['process', 'env'].join('.');
const WIDTH = 80;

/** The languages that an endpoint has examples in. The clients stream over WebSocket instead of reading events. */
export const languagesOf = (name: EndpointName): readonly Language[] => (isEventStream(name) ? ['curl'] : LANGUAGES);

/** `request`: path and query. */
export function callSample(
  language: Language,
  name: EndpointName,
  origin: SampleOrigin,
  request: string = REQUEST_EXAMPLES[name],
): string {
  if (language === 'curl') return curlCall(name, origin, request);
  const values = callValues(name, request);
  return language === 'typescript' ? typescriptCall(name, origin, values) : pythonCall(name, origin, values);
}

/** A loop over the messages of a channel. */
export function streamSample(language: StreamLanguage, channel: string, { http, ws }: SampleOrigin): string {
  const [method, message] = LIVE_METHODS[channel]!;
  const symbols = ['EURUSD', 'XAUUSD'];
  if (language === 'websocket')
    return `const address = '${ws}/ws/${channel}';
const socket = new WebSocket(address);
socket.onopen = () => socket.send(JSON.stringify({
  action: 'subscribe',
  symbols: ${typescript(symbols)},
  api_key: '<API_KEY>',
}));
socket.onmessage = ({ data }) => console.log(data);`;
  if (language === 'typescript')
    return `${typescriptClient([`url: '${http}',`, TYPESCRIPT_KEY])}
for await (const ${message} of client.live.${method}(${typescript({ symbols })})) {
  console.log(${message});
}`;
  const snake = method.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return `${pythonClient(http, PYTHON_KEY)}
for ${message} in client.live.${snake}(${python(symbols)}):
    print(${message})`;
}

const isEventStream = (name: EndpointName): boolean => (ENDPOINTS[name] as Endpoint).eventStream === true;

/** The parts of an example, with the types of their parameters. */
export function callValues(name: EndpointName, request: string = REQUEST_EXAMPLES[name]): CallValues {
  const endpoint: Endpoint = ENDPOINTS[name];
  const schemas = new Map(parametersOf(endpoint).map(({ name: each, schema }) => [each, schema]));
  const [path, query] = partsOf(endpoint, request);
  const typed = [...query]
    .filter(([, text]) => text !== '')
    .map(([key, text]) => [key, typedAs(schemas.get(key), text)]);
  const document = JSON_BODY_EXAMPLES[name];
  const lines = LINE_EXAMPLES[name];
  return {
    path: Object.values(path),
    query: Object.fromEntries(typed),
    body: lines
      ? { lines: true, documents: validLines(endpoint, lines) }
      : document === undefined
        ? null
        : { lines: false, documents: [document] },
  };
}

/** Some examples have a line that the service rejects. */
const validLines = ({ lines: schema }: Endpoint, lines: readonly string[]): unknown[] =>
  lines.map((line) => JSON.parse(line) as unknown).filter((line) => schema?.safeParse(line).success);

/** Path parameters by name, and the query. */
export function partsOf({ path }: Endpoint, request: string): [Readonly<Record<string, string>>, URLSearchParams] {
  const [given = '', query = ''] = request.split('?');
  const sent = given.split('/');
  const named = path.split('/').flatMap((part, at) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    return name === undefined ? [] : [[name, decodeURIComponent(sent[at] ?? '')]];
  });
  return [Object.fromEntries(named), new URLSearchParams(query)];
}

function typedAs(schema: Parameter['schema'] | undefined, text: string): unknown {
  if (schema?.type === 'array') return text.split(',');
  if (schema?.type === 'integer' || schema?.type === 'number') return Number(text);
  return schema?.type === 'boolean' ? text === 'true' : text;
}

/** The body comes from a here document, so quotes in it need no escaping. */
function curlCall(name: EndpointName, { http, cookie }: SampleOrigin, request: string): string {
  const { method, auth }: Endpoint = ENDPOINTS[name];
  const document = JSON_BODY_EXAMPLES[name];
  const body = document === undefined ? LINE_EXAMPLES[name]?.join('\n') : formatJson(document);
  const options = [
    isEventStream(name) && '-N',
    auth === 'key' && '-H "X-API-Key: $TICKWIRE_API_KEY"',
    auth === 'session' && `-H "Cookie: ${cookie}=$TICKWIRE_SESSION"`,
    // A change with a cookie must come from the service's own origin.
    auth === 'session' && method !== 'GET' && `-H "Origin: ${http}"`,
    document !== undefined && '-H "Content-Type: application/json"',
    method !== 'GET' && (method !== 'POST' || body === undefined) && `-X ${method}`,
  ].filter((option) => option !== false);
  const before = options.length > 0 ? ` ${options.join(' \\\n  ')} \\\n ` : '';
  const after = body === undefined ? '' : ` \\\n  --data-binary @- <<'END'\n${body}\nEND`;
  return `curl${before} "${http}${request}"${after}`;
}

const TYPESCRIPT_KEY = `apiKey: ${ENVIRONMENT}.TICKWIRE_API_KEY!,`;

const typescriptClient = (options: readonly string[]): string => `import { TickwireClient } from '@tickwire/client';

const client = new TickwireClient({
${options.map((line) => `  ${line}\n`).join('')}});`;

function typescriptCall(name: EndpointName, { http }: SampleOrigin, values: CallValues): string {
  const { auth, lineResponse }: Endpoint = ENDPOINTS[name];
  const options = [`url: '${http}',`];
  if (auth === 'key') options.push(TYPESCRIPT_KEY);
  const given = typescriptArguments(name, values).map((each) => typescript(each));
  const call = `await client.${typescriptMethod(name)}(${given.join(', ')})`;
  const used = lineResponse
    ? `const { lines } = ${call};\nfor await (const line of lines) console.log(line);`
    : `console.log(${call});`;
  const password = `${ENVIRONMENT}.TICKWIRE_PASSWORD!`;
  const signIn =
    auth === 'session' ? `await client.account.signIn({ name: 'goldsmith', password: ${password} });\n` : '';
  return `${typescriptClient(options)}\n${signIn}${used}`;
}

const PYTHON_KEY = 'os.environ["TICKWIRE_API_KEY"]';

const pythonClient = (http: string, key: string | null): string =>
  `${key === null ? '' : 'import os\n\n'}from tickwire import TickwireClient

client = TickwireClient("${http}"${key === null ? '' : `, ${key}`})`;

function pythonCall(name: EndpointName, { http }: SampleOrigin, values: CallValues): string {
  const { auth, lineResponse }: Endpoint = ENDPOINTS[name];
  const call = pythonExpression(name, values);
  const used = lineResponse ? `for line in ${call}:\n    print(line)` : `print(${call})`;
  if (auth !== 'session') return `${pythonClient(http, auth === 'key' ? PYTHON_KEY : null)}\n${used}`;
  return `import os

${pythonClient(http, null)}
client.account.sign_in("goldsmith", os.environ["TICKWIRE_PASSWORD"])
${used}`;
}

/** The call on one line, or with one argument per line. */
export function pythonExpression(name: EndpointName, values: CallValues): string {
  const { positional, keywords } = pythonArguments(name, values);
  const given = (depth: number): string[] => [
    ...positional.map((each) => python(each, depth)),
    ...Object.entries(keywords).map(([key, value]) => `${key}=${python(value, depth)}`),
  ];
  const method = `client.${pythonMethod(name)}`;
  const line = `${method}(${given(0).join(', ')})`;
  if (line.length <= WIDTH && !line.includes('\n')) return line;
  const lines = given(1).map((each) => `    ${each},\n`);
  return `${method}(\n${lines.join('')})`;
}
