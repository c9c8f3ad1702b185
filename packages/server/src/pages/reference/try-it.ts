// A form for each endpoint that sends a real request with the reader's key. It stays hidden without the page's script.
import {
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
  JSON_BODY_EXAMPLES,
  type JsonSchema,
  LINE_EXAMPLES,
  type Parameter,
  parametersOf,
  REQUEST_EXAMPLES,
} from '@tickwire/contract';
import { partsOf } from './client-samples.ts';
import { type Html, html, raw } from './html.ts';
import { formatJson } from './sample.ts';

const MAX_ROWS = 16;
const MIN_ROWS = 3;

/**
 * Whether the page can send the request. It uses the session only to read, and never sets a cookie, so it cannot sign in or change
 * what belongs to a session.
 */
export function canTry({ method, auth, setsCookie = false }: Endpoint): boolean {
  return !setsCookie && (auth !== 'session' || method === 'GET');
}

export function tryIt(name: EndpointName): Html {
  const endpoint: Endpoint = ENDPOINTS[name];
  if (!canTry(endpoint)) return html``;
  const { method, path, auth, eventStream = false } = endpoint;
  const [named, query] = partsOf(endpoint, REQUEST_EXAMPLES[name]);
  const fields = parametersOf(endpoint).map((each) =>
    field(name, each, named[each.name] ?? query.get(each.name) ?? ''),
  );
  return html`
<details class="try" hidden data-method="${method}" data-path="${path}" data-auth="${auth}"${eventStream && raw(' data-events="yes"')}><summary>Try it</summary>
<form><div class="inputs">${fields}</div>${bodyField(name)}
${auth === 'key' && keyField(name, method)}
<p class="hint">${HINTS[auth](method)}</p>
<button type="submit">Send ${method} request</button></form>
<div class="answer" role="status"></div></details>`;
}

const HINTS: Readonly<Record<Endpoint['auth'], (method: string) => string>> = {
  key: (method) =>
    method === 'GET'
      ? 'Without a key, the request uses your signed-in session.'
      : 'This request can change something, so it needs a key: your session is not used.',
  session: () => 'The request uses your signed-in session.',
  hook: () => 'The token in the path authenticates the request.',
  none: () => 'The request needs no key.',
};

/** All key fields of a page have the same value. It is kept until the tab is closed, and never in the address. */
const keyField = (name: EndpointName, method: string): Html =>
  html`<label class="key" for="try-${name}-key"><span>API key${method === 'GET' && html` <small>optional</small>`}</span>
<input id="try-${name}-key" type="password" data-in="key" autocomplete="off" spellcheck="false" placeholder="tw_…"></label>`;

function field(endpoint: EndpointName, { name, in: place, required, schema }: Parameter, value: string): Html {
  const id = `try-${endpoint}-${place}-${name}`;
  const label = html`<span><code>${name}</code>${!required && html` <small>optional</small>`}</span>`;
  const attributes = html`id="${id}" name="${name}" data-in="${place}"${required && raw(' required')}`;
  const choices = choicesOf(schema);
  if (choices === null)
    return html`<label for="${id}">${label}<input ${attributes} value="${value}" placeholder="${placeholderOf(schema)}" autocomplete="off" spellcheck="false"></label>`;
  const options = [...(required ? [] : ['']), ...choices].map(
    (each) => html`<option${each === value && raw(' selected')}>${each}</option>`,
  );
  return html`<label for="${id}">${label}<select ${attributes}>${options}</select></label>`;
}

function choicesOf({ type, enum: values }: JsonSchema): readonly string[] | null {
  if (type === 'boolean') return ['true', 'false'];
  return values?.map(String) ?? null;
}

const placeholderOf = ({ default: preset }: JsonSchema): string =>
  preset === undefined || typeof preset === 'object' ? '' : String(preset);

function bodyField(name: EndpointName): Html | false {
  const document = JSON_BODY_EXAMPLES[name];
  const text = document === undefined ? LINE_EXAMPLES[name]?.join('\n') : formatJson(document);
  if (text === undefined) return false;
  const rows = Math.min(MAX_ROWS, Math.max(MIN_ROWS, text.split('\n').length));
  return html`<label for="try-${name}-body"><span>Body</span>
<textarea id="try-${name}-body" data-in="body" data-type="${document === undefined ? 'application/x-ndjson' : 'application/json'}" rows="${rows}" spellcheck="false">${text}</textarea></label>`;
}
