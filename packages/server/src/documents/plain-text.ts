// Converts a title as a source sends it to plain text. For every input:
//
// - Markup is removed, then character references are decoded, then invisible characters are removed, and all of this is
//   repeated until nothing changes. Text that was encoded twice is decoded twice, and tags that appear then are removed.
// - Remaining <, > and straight quotes are punctuation, and become ‹ › “ ” ‘ ’. A consumer that forgets to escape gets no
//   tag and cannot be led out of an attribute.
// - Control characters, zero-width characters, bidirectional overrides and isolates, tag characters, variation selectors
//   and other invisible characters are removed. At most three combining marks follow each other. White space becomes one
//   space. The result is in NFC.
import { decodeHTMLStrict } from 'entities/decode';
import { stripMarkup } from './strip-markup.ts';

/** Only this many UTF-16 units of the input are read, so that 10 MB cost no more. */
const MAX_INPUT = 16_384;
export const TITLE_LENGTH = 300;
/** No title is encoded this often by mistake. If references remain, their ampersands are removed. */
const MAX_ROUNDS = 6;

const ALREADY_PLAIN = /^[!#-%(-;=?-~]+(?: [!#-%(-;=?-~]+)*$/;
const SPACES = /[\s\p{Z}]+/gu;
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\ufffd\u2800]+/gu;
const STACKED_MARKS = /(\p{M}{3})\p{M}+/gu;
/** An ampersand that was encoded any number of times. */
const AMPERSANDS = /&(?:(?:amp|#0*38|#x0*26);)+/gi;
/** Browsers also decode these without a semicolon: numbers, and the characters that markup consists of. */
const UNTERMINATED =
  /(&#[xX][\da-fA-F]+(?![\da-fA-F;])|&#\d+(?![\d;])|&(?:amp|lt|gt|quot|AMP|LT|GT|QUOT)(?![a-zA-Z\d]*;))/g;

/** At most `limit` code points, cut at a word. */
export function plainText(raw: string, limit = TITLE_LENGTH): string {
  const input = raw.length > MAX_INPUT ? raw.slice(0, MAX_INPUT) : raw;
  if (ALREADY_PLAIN.test(input)) return shorten(input, limit);
  return shorten(replacePunctuation(decode(input).normalize('NFC').replace(STACKED_MARKS, '$1')), limit);
}

function decode(input: string): string {
  let text = removeInvisible(input);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = removeInvisible(decodeReferences(stripMarkup(text).replace(AMPERSANDS, '&')));
    if (next === text) return text;
    text = next;
  }
  return removeInvisible(stripMarkup(text).replaceAll('&', ''));
}

const decodeReferences = (text: string): string =>
  text.includes('&') ? decodeHTMLStrict(text.replace(UNTERMINATED, '$1;')) : text;

const removeInvisible = (text: string): string => text.replace(SPACES, ' ').replace(INVISIBLE, '').trim();

/** Straight quotes open at the start of a word and close elsewhere. The full-width forms are treated alike. */
const replacePunctuation = (text: string): string =>
  text
    .replace(/[<＜﹤]/g, '‹')
    .replace(/[>＞﹥]/g, '›')
    .replace(/(^|[\s([{‘“–—-])["＂]/g, '$1“')
    .replace(/["＂]/g, '”')
    .replace(/(^|[\s([{“–—-])['＇]/g, '$1‘')
    .replace(/['＇]/g, '’')
    .replace(/ {2,}/g, ' ')
    .trim();

function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const points = [...text];
  if (points.length <= limit) return text;
  const head = points.slice(0, limit - 1).join('');
  const word = points[limit - 1] === ' ' ? head.length : head.lastIndexOf(' ');
  // A word longer than half of the limit is cut; otherwise a text without spaces would become empty.
  return `${(word > head.length / 2 ? head.slice(0, word) : head).trimEnd()}…`;
}
