// Says where a text stops being JSON. The parser of the runtime does not.

/** What is neither a mark nor a string. */
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const MARKS = '{}[],:';

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'next';

/** In longer texts, finding the place would hold up others. */
const MAX_SEARCHED = 65_536;

/**
 * ` from line 1, column 9`: the first character that does not fit, counted from 1; after the last one if the text ends too early. Empty
 * for long texts.
 */
export function fromLineAndColumn(text: string): string {
  if (text.length > MAX_SEARCHED) return '';
  const offset = faultOffset(text);
  const before = text.slice(0, offset);
  return ` from line ${before.split('\n').length}, column ${offset - before.lastIndexOf('\n')}`;
}

/** The same for a text of one line: ` from column 9`. */
export const fromColumn = (line: string): string =>
  line.length > MAX_SEARCHED ? '' : ` from column ${faultOffset(line) + 1}`;

function faultOffset(text: string): number {
  const open: string[] = [];
  let expected: Expected = 'value';
  let start = 0;
  for (;;) {
    while (start < text.length && ' \t\n\r'.includes(text[start]!)) start++;
    const end = tokenEnd(text, start);
    const next: Expected | null = end === null ? null : after(expected, text[start]!, open);
    if (!next) return start;
    expected = next;
    start = end!;
  }
}

/** Where the token that starts here ends; `null` if there is none. */
function tokenEnd(text: string, start: number): number | null {
  if (start === text.length) return null;
  if (MARKS.includes(text[start]!)) return start + 1;
  if (text[start] === '"') return stringEnd(text, start);
  SCALAR.lastIndex = start;
  return SCALAR.test(text) ? SCALAR.lastIndex : null;
}

function stringEnd(text: string, start: number): number | null {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return at + 1;
    if (text[at]! < ' ') return null;
    if (text[at] !== '\\') continue;
    ESCAPE.lastIndex = at;
    if (!ESCAPE.test(text)) return null;
    at = ESCAPE.lastIndex - 1;
  }
  return null;
}

/** What must follow a token that starts with `first`; `null` if the token does not fit. `open` is changed. */
function after(expected: Expected, first: string, open: string[]): Expected | null {
  const closes = first === '}' || first === ']';
  if (expected === 'colon') return first === ':' ? 'value' : null;
  if (expected === 'next' && first === ',' && open.length > 0) return open.at(-1) === '{' ? 'key' : 'value';
  if (closes && (expected === 'next' || expected === `value or ${first}` || expected === `key or ${first}`))
    return open.pop() === (first === '}' ? '{' : '[') ? 'next' : null;
  if (expected === 'next' || closes) return null;
  if (expected.startsWith('key')) return first === '"' ? 'colon' : null;
  if (first === '{' || first === '[') {
    open.push(first);
    return first === '{' ? 'key or }' : 'value or ]';
  }
  return MARKS.includes(first) ? null : 'next';
}
