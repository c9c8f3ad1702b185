// A template tag that escapes whatever is put into it, so that no text of the contract can become markup.
export interface Html {
  readonly markup: string;
}

export type Content = Html | string | number | false | undefined | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Markup that was made here and is to stand as it is. */
export function raw(markup: string): Html {
  return { markup };
}

function render(content: Content): string {
  if (content === false || content === undefined) return '';
  if (typeof content === 'string') return escapeHtml(content);
  if (typeof content === 'number') return String(content);
  return 'markup' in content ? content.markup : content.map(render).join('');
}

export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  return raw(strings.reduce((markup, part, at) => markup + render(values[at - 1]) + part));
}

/** Puts a separator between parts. */
export function between(parts: readonly Content[], separator: Content): Content {
  return parts.map((part, at) => (at === 0 ? part : [separator, part]));
}

/** A sentence of the contract: what stands in backticks is code. */
export function prose(text: string): Html {
  const parts = text.split(/`([^`]+)`/);
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
