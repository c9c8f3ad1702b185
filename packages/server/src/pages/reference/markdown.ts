// The Markdown version of a page, converted from its HTML, so that both have the same content. Knows the elements that the
// reference uses, and nothing else.
const TOKEN = /<(\/?)([a-z]\w*)([^>]*)>|([^<]+)/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
const plain = (text: string): string => text.replaceAll(/&(#?\w+);/g, (all, name: string) => ENTITIES[name] ?? all);

/** Their content is not part of the text. */
const OMITTED = /<(details|kbd|nav|script|style)\b[^>]*>[\s\S]*?<\/\1>/g;

/** `markup`: well-formed, without comments. */
export function markdownOf(markup: string): string {
  const writer = new MarkdownWriter();
  for (const [, slash, tag, attributes = '', text] of markup.replaceAll(OMITTED, '').matchAll(TOKEN)) {
    if (text !== undefined) writer.text(plain(text));
    else if (slash === '/') writer.close(tag!);
    else writer.open(tag!, attributes);
  }
  return `${tidy(writer.result()).trim()}\n`;
}

/** White space between elements is none of the text. Lines of code keep theirs. */
const tidy = (text: string): string =>
  text
    .split(/^(```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : part.replaceAll(/ *\n */g, '\n').replaceAll(/ {2,}/g, ' ')))
    .join('')
    .replaceAll(/\n{3,}/g, '\n\n');

const attribute = (attributes: string, name: string): string =>
  plain(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');

/** Elements that start a paragraph. */
const BLOCKS: ReadonlySet<string> = new Set(['p', 'section', 'article', 'ul', 'figure']);

class MarkdownWriter {
  readonly #document: string[] = [];
  /** Cells of the current row. */
  readonly #row: string[] = [];
  /** Rows of the current table. */
  #rows = 0;
  /** Where text goes: the document, or a cell. */
  #out = this.#document;
  /** The current block of code. */
  #code: string[] | null = null;
  #language = 'text';
  /** Open links, each with the place of its bracket. */
  readonly #links: { readonly to: string; readonly out: string[]; readonly at: number }[] = [];

  result(): string {
    return this.#document.join('');
  }

  text(text: string): void {
    if (this.#code) this.#code.push(text);
    else this.#out.push(text.replaceAll(/\s+/g, ' '));
  }

  open(tag: string, attributes: string): void {
    if (this.#code) {
      if (tag === 'code') this.#language = /language-(\w+)/.exec(attributes)?.[1] ?? 'text';
    } else if (/^h[1-4]$/.test(tag)) this.#block(`${'#'.repeat(Number(tag[1]))} `);
    else if (BLOCKS.has(tag)) this.#block();
    else if (tag === 'li') this.#block('- ', '\n');
    else if (tag === 'figcaption') this.#block('**');
    else if (tag === 'table') this.#startTable(/class="fields"/.test(attributes));
    else if (tag === 'tr') this.#row.length = 0;
    else if (tag === 'th' || tag === 'td') this.#out = [];
    else if (tag === 'pre') this.#code = [];
    else if (tag === 'code') this.#out.push('`');
    else if (tag === 'strong') this.#out.push('**');
    else if (tag === 'span' && /class="note"/.test(attributes)) this.#out.push('. ');
    else if (tag === 'a') {
      this.#links.push({ to: linkOf(attribute(attributes, 'href')), out: this.#out, at: this.#out.length });
      this.#out.push('[');
    }
  }

  close(tag: string): void {
    if (this.#code) {
      if (tag === 'pre') this.#endCode();
    } else if (/^h[1-4]$/.test(tag) || BLOCKS.has(tag) || tag === 'table') this.#block();
    else if (tag === 'figcaption') this.#out.push('**\n\n');
    else if (tag === 'code') this.#out.push('`');
    else if (tag === 'strong') this.#out.push('**');
    else if (tag === 'th' || tag === 'td') {
      this.#row.push(this.#out.join('').trim().replaceAll('|', '\\|'));
      this.#out = this.#document;
    } else if (tag === 'tr') this.#endRow();
    else if (tag === 'a') this.#endLink();
  }

  /** A heading links to itself, which Markdown does not need. */
  #endLink(): void {
    const { to, out, at } = this.#links.pop()!;
    if (to === '') out[at] = '';
    else this.#out.push(`](${to})`);
  }

  #endCode(): void {
    this.#out.push(`\n\n\`\`\`${this.#language}\n${this.#code!.join('').trimEnd()}\n\`\`\`\n\n`);
    this.#code = null;
  }

  /** Tables of fields have no header row in HTML, and need one in Markdown. */
  #startTable(isFields: boolean): void {
    this.#rows = isFields ? 1 : 0;
    this.#out.push(isFields ? '\n\n| Name | Type and meaning |\n| --- | --- |\n' : '\n\n');
  }

  #endRow(): void {
    this.#out.push(`| ${this.#row.join(' | ')} |\n`);
    if (this.#rows++ === 0) this.#out.push(`|${' --- |'.repeat(this.#row.length)}\n`);
  }

  /** A cell has one line. */
  #block(start = '', before = '\n\n'): void {
    this.#out.push(this.#out === this.#document ? before + start : ' ');
  }
}

/** Pages of the reference have Markdown versions; anchors of the same page have none. */
function linkOf(href: string): string {
  if (href.startsWith('#')) return '';
  return href.replace(/^(\/docs(?:\/[a-z]+)?)(?=$|#)/, '$1.md');
}
