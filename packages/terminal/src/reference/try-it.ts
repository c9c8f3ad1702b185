// The forms that try an endpoint. A request goes to this service with the reader's key, which is kept for the tab and not stored in
// the address. Requests that can change something are confirmed first.
import { all, make } from './page-tools.ts';
import { type FormField, requestOf, type TriedEndpoint, type TriedRequest } from './request.ts';

/** In the session storage of the tab. */
const KEY = 'tickwire.reference-key';
/** Bytes of a response that are read and shown. */
const MOST_BYTES = 200_000;
/** A stream of events is shown until one of these is reached. */
const MOST_EVENTS = 5;
const MOST_MS = 15_000;

const storage = {
  read: (): string => {
    try {
      return sessionStorage.getItem(KEY) ?? '';
    } catch {
      return '';
    }
  },
  write: (key: string): void => {
    try {
      if (key === '') sessionStorage.removeItem(KEY);
      else sessionStorage.setItem(KEY, key);
    } catch {
      // Storage is disabled: the fields of this page have the key.
    }
  },
};

type KeyedInput = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export function startTrying(): void {
  const keys = all<HTMLInputElement>('[data-in=key]');
  for (const input of keys) {
    input.value = storage.read();
    input.addEventListener('input', () => {
      storage.write(input.value.trim());
      for (const other of keys) other.value = input.value;
    });
  }
  for (const details of all<HTMLDetailsElement>('.try')) {
    details.hidden = false;
    details.querySelector('form')!.addEventListener('submit', (event) => {
      event.preventDefault();
      void send(details);
    });
  }
}

async function send(details: HTMLDetailsElement): Promise<void> {
  const { method = 'GET', path = '', auth = 'none', events } = details.dataset;
  const answer = details.querySelector<HTMLElement>('.answer')!;
  const button = details.querySelector<HTMLButtonElement>('[type=submit]')!;
  const endpoint: TriedEndpoint = { method, path, auth };
  button.disabled = true;
  try {
    const request = requestOf(endpoint, fieldsOf(details));
    if (method !== 'GET' && !(await confirmed(method, request))) return;
    answer.replaceChildren(make('p', 'Waiting for the response…'));
    const started = performance.now();
    const response = await fetch(new URL(request.target, location.origin), request.init);
    const text = events === undefined ? await bodyText(response) : await firstEvents(response);
    show(answer, request, response, text, performance.now() - started);
  } catch (error) {
    answer.replaceChildren(
      make('p', `The request failed: ${error instanceof Error ? error.message : error}`, 'failed'),
    );
  } finally {
    button.disabled = false;
  }
}

const fieldsOf = (details: HTMLElement): FormField[] =>
  all<KeyedInput>('[data-in]', details).map((input) => ({
    in: input.dataset.in as FormField['in'],
    name: input.name,
    value: input.value,
    ...(input.dataset.type !== undefined && { type: input.dataset.type }),
  }));

/** Asks in a dialog. */
function confirmed(method: string, { target, init }: TriedRequest): Promise<boolean> {
  const dialog = make('dialog', '', 'confirm');
  const title = make('h2', `Send this ${method} request?`);
  title.id = 'confirm-title';
  dialog.setAttribute('aria-labelledby', title.id);
  const key = init.headers['X-API-Key'];
  const used =
    key === undefined ? 'It is sent without a key.' : `It is sent with the key that starts with ${key.slice(0, 6)}.`;
  const buttons = make('form', '', 'buttons');
  buttons.method = 'dialog';
  const [cancel, sendIt] = [make('button', 'Cancel'), make('button', `Send ${method} request`, 'primary')];
  cancel.value = 'cancel';
  sendIt.value = 'send';
  buttons.append(cancel, sendIt);
  dialog.append(
    title,
    make('code', target),
    make('p', `It can change or delete data of this service. ${used}`),
    buttons,
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'send');
    });
  });
}

/** The start of a body, and whether that is all of it. */
interface ReadText {
  readonly text: string;
  readonly note: string;
}

async function bodyText(response: Response): Promise<ReadText> {
  const type = response.headers.get('Content-Type') ?? '';
  const { bytes, isWhole } = await firstBytes(response);
  if (!/json|text|csv/.test(type))
    return { text: '', note: `${bytes.byteLength}${isWhole ? '' : '+'} bytes of ${type}` };
  const text = new TextDecoder().decode(bytes);
  if (!isWhole) return { text, note: `Only the first ${MOST_BYTES / 1_000} kB are shown.` };
  return { text: /[/+]json\b/.test(type) ? pretty(text) : text, note: '' };
}

async function firstBytes(response: Response): Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  while (reader && size < MOST_BYTES) {
    const { done, value } = await reader.read();
    if (done) return { bytes: joined(chunks), isWhole: true };
    chunks.push(value);
    size += value.byteLength;
  }
  await reader?.cancel();
  return { bytes: joined(chunks).subarray(0, MOST_BYTES), isWhole: reader === undefined };
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/** Reads until there are enough events, then closes the stream. */
async function firstEvents(response: Response): Promise<ReadText> {
  if (!response.ok || !response.body) return bodyText(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const timer = setTimeout(() => void reader.cancel(), MOST_MS);
  let text = '';
  while (text.split('\n\n').length <= MOST_EVENTS) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  clearTimeout(timer);
  await reader.cancel();
  return { text, note: 'The stream was closed after the first events.' };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function show(
  answer: HTMLElement,
  { target }: TriedRequest,
  response: Response,
  { text, note }: ReadText,
  ms: number,
): void {
  const { status, statusText, headers } = response;
  const line = make('p', '', response.ok ? 'status' : 'status failed');
  line.append(make('strong', `${status} ${statusText}`.trim()), ` · ${Math.round(ms)} ms · `, make('code', target));
  const shown = (document.querySelector<HTMLElement>('main')?.dataset.headers ?? '').split(' ');
  const lines = ['Content-Type', ...shown]
    .filter((name, at, names) => headers.has(name) && names.indexOf(name) === at)
    .map((name) => `${name}: ${headers.get(name)}`);
  answer.replaceChildren(line, ...errorLink(response, text), block('Headers', lines.join('\n')));
  if (text !== '') answer.append(block('Body', text));
  if (note !== '') answer.append(make('p', note, 'hint'));
}

/** A problem names a code of the error catalogue. */
function errorLink(response: Response, text: string): readonly HTMLElement[] {
  if (!response.headers.get('Content-Type')?.includes('problem+json')) return [];
  const code = /"code": "(\w+)"/.exec(text)?.[1];
  if (code === undefined) return [];
  const line = make('p', 'Error ');
  const link = make('a', code);
  link.href = `/docs/errors#error-${code}`;
  line.append(link);
  return [line];
}

function block(label: string, text: string): HTMLElement {
  const figure = make('figure', '', 'sample folded');
  const pre = make('pre');
  pre.tabIndex = 0;
  pre.append(make('code', text));
  figure.append(make('figcaption', label), pre);
  return figure;
}
