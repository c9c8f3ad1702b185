// Removes markup from a text in one pass. Elements that a browser does not display (comments, scripts, styles) go with
// their content. A tag without an end removes the rest of the text, as in a browser.

/** Elements that are removed with their content. */
const HIDDEN: ReadonlySet<string> = new Set([
  'script',
  'style',
  'iframe',
  'noscript',
  'template',
  'object',
  'svg',
  'math',
  'textarea',
  'select',
  'xmp',
  'head',
  'title',
]);
/** Elements inside a word or sentence; all others separate words. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo big cite code em font i mark q s small span strike strong sub sup u wbr'.split(' '),
);
const TAG_NAME = /^[a-z][a-z\d:-]*/i;

export function stripMarkup(input: string): string {
  let at = input.indexOf('<');
  if (at < 0) return input;
  // The end of a CDATA section; its start is removed below.
  const text = input.replaceAll(']]>', ' ');
  at = text.indexOf('<');
  const lower = text.toLowerCase();
  const parts: string[] = [];
  let from = 0;
  while (at >= 0) {
    const end = endOfMarkup(text, lower, at);
    if (end > at) {
      parts.push(text.slice(from, at), separator(text, at, end));
      from = end;
    }
    at = text.indexOf('<', Math.max(end, at + 1));
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** The end of the markup that starts at `at`; `at` itself if this `<` is not markup. */
function endOfMarkup(text: string, lower: string, at: number): number {
  const after = (mark: string, start: number): number => {
    const found = lower.indexOf(mark, start);
    return found < 0 ? text.length : found + mark.length;
  };
  if (lower.startsWith('<!--', at)) return after('-->', at + 4);
  // Only the wrapper is removed: the content is text.
  if (lower.startsWith('<![cdata[', at)) return at + 9;
  const next = lower[at + 1];
  if (next === '!' || next === '?') return after('>', at);
  const closing = next === '/';
  const name = nameAt(lower, closing ? at + 2 : at + 1);
  if (name === '') return closing ? after('>', at) : at;
  const end = endOfTag(text, at);
  if (closing || !HIDDEN.has(name) || text[end - 2] === '/') return end;
  const close = lower.indexOf(`</${name}`, end);
  return close < 0 ? text.length : endOfTag(text, close);
}

const nameAt = (lower: string, at: number): string => TAG_NAME.exec(lower.slice(at, at + 20))?.[0] ?? '';

/** After the `>` of the tag; one inside a quoted attribute value does not count. Unclosed quotes are ignored. */
function endOfTag(text: string, at: number): number {
  const first = text.indexOf('>', at);
  if (first < 0) return text.length;
  let place = at;
  for (;;) {
    const end = text.indexOf('>', place);
    if (end < 0) return first + 1;
    const quote = openQuote(text, place, end);
    if (quote < 0) return end + 1;
    const close = text.indexOf(text[quote]!, quote + 1);
    if (close < 0) return first + 1;
    place = close + 1;
  }
}

/** Index of a quote that starts an attribute value, which must follow an equals sign; -1 if there is none. */
function openQuote(text: string, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const sign = text[at];
    if ((sign === '"' || sign === "'") && /=\s*$/.test(text.slice(Math.max(from, at - 4), at))) return at;
  }
  return -1;
}

/** Text that replaces the markup. */
function separator(text: string, at: number, end: number): string {
  const name = nameAt(text.slice(at, end).toLowerCase(), text[at + 1] === '/' ? 2 : 1);
  return INLINE.has(name) ? '' : ' ';
}
