// A template tag that escapes all values, so that no text of the contract can become markup.
export interface Html {
  readonly markup: string;
}

export type Content = Html | string | number | false | undefined | readonly Content[];

/** Trusted markup, which is not escaped. */
export function raw(markup: string): Html {
  return { markup };
}

function render(content: Content): string {
  if (content === false || content === undefined) return '';
  if (typeof content === 'string') return Bun.escapeHTML(content);
  if (typeof content === 'number') return String(content);
  return 'markup' in content ? content.markup : content.map(render).join('');
}

export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  return raw(strings.reduce((markup, part, at) => markup + render(values[at - 1]) + part));
}

/** Puts a separator joinContent parts. */
export function joinContent(parts: readonly Content[], separator: Content): Content {
  return parts.map((part, at) => (at === 0 ? part : [separator, part]));
}

/** A sentence of the contract. Text in backticks becomes code. */
export function prose(text: string): Html {
  const parts = text.split(/`([^`]+)`/);
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
