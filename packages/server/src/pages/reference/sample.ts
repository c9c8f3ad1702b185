// Code samples: readable JSON, calls in each language, and the frame around them.
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

/** A frame around code. `folded`: long lines wrap instead of scrolling. `language`: of its Markdown version. */
export function sample(label: Content, code: Content, folded = false, language = 'text'): Html {
  return html`<figure class="sample${folded && ' folded'}"><figcaption>${label}</figcaption><pre tabindex="0"><code class="language-${language}">${code}</code></pre></figure>`;
}

/** A sequence of sent and received messages. */
export function transcript(label: Content, messages: readonly (readonly ['→' | '←', unknown])[]): Html {
  const lines = messages.map(([arrow, message]) => html`<b>${arrow}</b> ${highlightJson(flatJson(message))}\n`);
  return sample(label, lines, true);
}

export function jsonSample(label: Content, value: unknown): Html {
  return sample(label, highlightJson(formatJson(value)), true, 'json');
}

/** Placeholders: the page's script replaces them by the address it was loaded from. */
export const ORIGIN = raw('<span data-origin="http">http://localhost:8080</span>');
export const WS_ORIGIN = raw('<span data-origin="ws">ws://localhost:8080</span>');
const COOKIE = raw('<span data-origin="cookie">tickwire</span>');

/** Characters for private use, which stand for the placeholders in a text. */
export const MARKED_ORIGIN = { http: '\uE000', ws: '\uE001', cookie: '\uE002' } as const;
const PLACEHOLDERS: Readonly<Record<string, Html>> = {
  [MARKED_ORIGIN.http]: ORIGIN,
  [MARKED_ORIGIN.ws]: WS_ORIGIN,
  [MARKED_ORIGIN.cookie]: COOKIE,
};

/** A text that was written for `MARKED_ORIGIN`. */
export const withPlaceholders = (text: string): Html =>
  html`${text.split(/([\uE000-\uE002])/).map((part) => PLACEHOLDERS[part] ?? part)}`;

/** An example in plain WebSocket takes the place of curl. */
const LABELS = { curl: 'curl', websocket: 'WebSocket', typescript: 'TypeScript', python: 'Python' } as const;

const CODE = { curl: 'sh', websocket: 'js', typescript: 'ts', python: 'python' } as const;

/** The same call in several languages. The page's script shows one of them. */
export function languageSamples(samples: readonly (readonly [language: keyof typeof LABELS, text: string])[]): Html {
  const figures = samples.map(
    ([language, text]) =>
      html`<figure class="sample folded" data-language="${language === 'websocket' ? 'curl' : language}"><figcaption><span>${LABELS[language]}</span></figcaption><pre tabindex="0"><code class="language-${CODE[language]}">${withPlaceholders(text)}</code></pre></figure>`,
  );
  return samples.length > 1 ? html`<div class="languages">${figures}</div>` : html`${figures}`;
}
