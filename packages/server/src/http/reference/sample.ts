// Code samples: readable JSON, curl commands to copy, and the frame around them.
import { type Content, type Html, html, raw } from './html.ts';

/** Characters of a nested object or array before it is broken into lines. */
const WIDTH = 54;

export function formatJson(value: unknown, indent = ''): string {
  const flat = flatJson(value);
  if (typeof value !== 'object' || value === null || (indent !== '' && indent.length + flat.length <= WIDTH))
    return flat;
  const inner = `${indent}  `;
  const list = Array.isArray(value);
  const parts = list
    ? value.map((item) => formatJson(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${formatJson(item, inner)}`);
  if (parts.length === 0) return list ? '[]' : '{}';
  const [open, close] = list ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}

/** JSON on one line, with spaces. */
export function flatJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flatJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${flatJson(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

const TOKEN = /("(?:\\.|[^"\\])*")(:?)|(\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)/g;

/** Highlights strings and other values; keys stay plain. */
export function highlightJson(text: string): Html {
  const parts: Content[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token, string, colon] = match;
    parts.push(text.slice(end, match.index));
    if (string === undefined) parts.push(html`<i class="v">${token}</i>`);
    else parts.push(colon === ':' ? token : html`<i class="s">${token}</i>`);
    end = match.index + token.length;
  }
  return html`${[...parts, text.slice(end)]}`;
}

/** A frame around code. `folded`: long lines wrap instead of scrolling. */
export function sample(label: Content, code: Content, folded = false): Html {
  return html`<figure class="sample${folded && ' folded'}"><figcaption>${label}</figcaption><pre tabindex="0"><code>${code}</code></pre></figure>`;
}

/** A sequence of sent and received messages. */
export function transcript(label: Content, messages: readonly (readonly ['→' | '←', unknown])[]): Html {
  const lines = messages.map(([arrow, message]) => html`<b>${arrow}</b> ${highlightJson(flatJson(message))}\n`);
  return sample(label, lines, true);
}

export function jsonSample(label: Content, value: unknown): Html {
  return sample(label, highlightJson(formatJson(value)), true);
}

/** Placeholders: the page's script replaces them by the address it was loaded from. */
export const ORIGIN = raw('<span data-origin="http">http://localhost:8080</span>');
export const WS_ORIGIN = raw('<span data-origin="ws">ws://localhost:8080</span>');

export interface CurlOptions {
  readonly keyed: boolean;
  readonly method?: 'GET' | 'POST';
  /** Sent one per line. */
  readonly lines?: readonly string[] | undefined;
  /** Sent as JSON. */
  readonly document?: unknown;
}

/** A curl command to copy. The body comes from a here document, so quotes in it need no escaping. */
export function curl(request: string, { keyed, method = 'GET', lines, document }: CurlOptions): Html {
  const body = document === undefined ? lines?.join('\n') : formatJson(document);
  const options = [
    keyed && '-H "X-API-Key: $TICKWIRE_API_KEY"',
    document !== undefined && '-H "Content-Type: application/json"',
    method === 'POST' && body === undefined && '-X POST',
  ].filter((option) => option !== false);
  const before = options.length > 0 ? ` ${options.join(' \\\n  ')} \\\n ` : '';
  const after = body === undefined ? '' : ` \\\n  --data-binary @- <<'END'\n${body}\nEND`;
  return html`curl${before} "${ORIGIN}${request}"${after}`;
}
