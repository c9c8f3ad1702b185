// Normalises a text to the form that the model was trained on: one line, plain quotes and dashes, no links or handles, and
// tickers replaced with a marker. Rules and order match training/texts.py: a change here changes the model's input.
import { OTHER, removeMarkers } from './markers.ts';

/**
 * Characters that are read; the rest of a text is ignored, so that work is bounded. The model reads 56 pieces and 40 words,
 * about 300 characters; the limit leaves space for links and markup that are removed.
 */
export const MAX_CHARACTERS = 4_096;

const NAMED_REFERENCES: ReadonlyMap<string, string> = new Map([
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
const CONSECUTIVE_MARKERS = new RegExp(`(?:${OTHER}[\\s,]*)+`, 'g');
const ELLIPSIS = /\.\.\.+|…/g;

export function normalise(raw: string): string {
  // Twice, because some feeds escape twice: &amp;amp;
  const plain = decodeReferences(decodeReferences(removeMarkers(truncate(raw))));
  const line = truncate(removeMarkers(plain.normalize('NFKC')))
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2013\u2014]/g, '-')
    .replace(/\u20b9/g, 'Rs ')
    .replace(LINK, ' ')
    .replace(RETWEET, ' ')
    .replace(HANDLE, ' ')
    .replace(LISTING, ' ')
    .replace(CASHTAG, OTHER)
    .replace(CONSECUTIVE_MARKERS, `${OTHER} `)
    .replace(ELLIPSIS, ' ')
    .replace(/\s+/g, ' ');
  return trim(line);
}

/** Decodes HTML character references; an unknown one is kept. */
function decodeReferences(text: string): string {
  return text.replace(REFERENCE, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED_REFERENCES.get(name) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Truncates a text without splitting a surrogate pair. */
function truncate(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const last = text.charCodeAt(MAX_CHARACTERS - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? MAX_CHARACTERS - 1 : MAX_CHARACTERS);
}

/** Removes spaces and dashes at both ends. A regular expression takes quadratic time on a long run of dashes. */
function trim(line: string): string {
  const isEdge = (at: number): boolean => line[at] === ' ' || line[at] === '-';
  let start = 0;
  let end = line.length;
  while (start < end && isEdge(start)) start += 1;
  while (end > start && isEdge(end - 1)) end -= 1;
  return line.slice(start, end);
}
