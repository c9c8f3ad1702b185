// Takes markup out of a text in one pass. What a browser would not show goes with its content: comments, scripts, styles.
// What it would show stays. A tag that never ends takes the rest with it, as in a browser.

/** Elements whose content is not text to read. */
const UNREAD: ReadonlySet<string> = new Set([
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
/** Elements that stand within a word or sentence; all others part what is on both sides. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo big cite code em font i mark q s small span strike strong sub sup u wbr'.split(' '),
);
const TAG_NAME = /^[a-z][a-z\d:-]*/i;

export function withoutMarkup(input: string): string {
  let at = input.indexOf('<');
  if (at < 0) return input;
  // The end of a CDATA section, whose beginning is taken out below.
  const text = input.replaceAll(']]>', ' ');
  at = text.indexOf('<');
  const folded = text.toLowerCase();
  const parts: string[] = [];
  let from = 0;
  while (at >= 0) {
    const end = endOfMarkup(text, folded, at);
    if (end > at) {
      parts.push(text.slice(from, at), joint(text, at, end));
      from = end;
    }
    at = text.indexOf('<', Math.max(end, at + 1));
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** Where the markup that begins at `at` ends; `at` itself where the sign is only a sign. */
function endOfMarkup(text: string, folded: string, at: number): number {
  const after = (mark: string, start: number): number => {
    const found = folded.indexOf(mark, start);
    return found < 0 ? text.length : found + mark.length;
  };
  if (folded.startsWith('<!--', at)) return after('-->', at + 4);
  // Only the wrapping goes: its content is text, and is read again.
  if (folded.startsWith('<![cdata[', at)) return at + 9;
  const next = folded[at + 1];
  if (next === '!' || next === '?') return after('>', at);
  const closing = next === '/';
  const name = nameAt(folded, closing ? at + 2 : at + 1);
  if (name === '') return closing ? after('>', at) : at;
  const end = endOfTag(text, at);
  if (closing || !UNREAD.has(name) || text[end - 2] === '/') return end;
  const close = folded.indexOf(`</${name}`, end);
  return close < 0 ? text.length : endOfTag(text, close);
}

const nameAt = (folded: string, at: number): string => TAG_NAME.exec(folded.slice(at, at + 20))?.[0] ?? '';

/** Behind the tag's >, which is not one inside a quoted value. Quotes that never close are no quotes. */
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

/** A quote between two places that begins a value, which only stands behind an equals sign. */
function openQuote(text: string, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const sign = text[at];
    if ((sign === '"' || sign === "'") && /=\s*$/.test(text.slice(Math.max(from, at - 4), at))) return at;
  }
  return -1;
}

/** What stands in the place of markup. */
function joint(text: string, at: number, end: number): string {
  const name = nameAt(text.slice(at, end).toLowerCase(), text[at + 1] === '/' ? 2 : 1);
  return INLINE.has(name) ? '' : ' ';
}
