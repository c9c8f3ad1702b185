// A text as the model was trained to see it: one line, plain quotes and dashes, no links, no handles, tickers replaced by a
// marker. The rules and their order are those of training/texts.py: a change here is a change of the model's input.
import { OTHER, withoutMarkers } from './markers.ts';

/**
 * Characters of a text that are read. The model itself ends after 56 pieces and 40 words, some 300 characters; the rest is
 * room for links and markup that fall away. What comes behind is ignored, so a text of any size costs the same.
 */
export const MAX_CHARACTERS = 4_096;

const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);
const REFERENCE = /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi;
const LINK = /https?:\/\/\S+|www\.\S+/g;
const RETWEET = /(?:^|(?<=\s))RT @\w+:?/g;
const HANDLE = /@\w+/g;
const LISTING = /\(?\b(?:NYSE|NASDAQ|NYSEAMERICAN|OTC|LON|TSX|ASX|HKG|NYSEARCA)\w*\s*:\s*\$?[A-Z.]+\)?/g;
const CASHTAG = /\$[A-Za-z][A-Za-z.]{0,6}\b/g;
const MARKERS_IN_A_ROW = new RegExp(`(?:${OTHER}[\\s,]*)+`, 'g');
const ELLIPSIS = /\.\.\.+|…/g;

export function normalise(raw: string): string {
  // Twice, because feeds escape what was escaped already: &amp;amp;
  const plain = unescaped(unescaped(withoutMarkers(cut(raw))));
  const line = cut(withoutMarkers(plain.normalize('NFKC')))
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2013\u2014]/g, '-')
    .replace(/\u20b9/g, 'Rs ')
    .replace(LINK, ' ')
    .replace(RETWEET, ' ')
    .replace(HANDLE, ' ')
    .replace(LISTING, ' ')
    .replace(CASHTAG, OTHER)
    .replace(MARKERS_IN_A_ROW, `${OTHER} `)
    .replace(ELLIPSIS, ' ')
    .replace(/\s+/g, ' ');
  return trimmed(line);
}

/** Character references as HTML has them; one that names no character stays as it is. */
function unescaped(text: string): string {
  return text.replace(REFERENCE, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** The first characters, without half of a surrogate pair at the end. */
function cut(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const last = text.charCodeAt(MAX_CHARACTERS - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? MAX_CHARACTERS - 1 : MAX_CHARACTERS);
}

/** Without spaces and dashes at both ends. By hand: the expression for the end takes quadratic time on a row of dashes. */
function trimmed(line: string): string {
  const isEdge = (at: number): boolean => line[at] === ' ' || line[at] === '-';
  let start = 0;
  let end = line.length;
  while (start < end && isEdge(start)) start += 1;
  while (end > start && isEdge(end - 1)) end -= 1;
  return line.slice(start, end);
}
