// Makes plain text of whatever a source calls a title. The rule, which holds for every input:
//
// - markup is removed, then character references are decoded, then characters that cannot be seen are removed, and all of
//   it again until nothing changes. Text that was encoded twice is therefore decoded twice, and what then is a tag goes;
// - what is left of <, > and straight quotes are signs of a sentence, and leave as ‹ › “ ” ‘ ’. So even a reader that
//   forgets to escape, in text or in an attribute, gets no tag and cannot leave the attribute;
// - controls, zero-width characters, bidirectional overrides and isolates, tags, variation selectors and other invisible
//   characters are removed, piles of combining marks are cut to three, white space is one space, the form is NFC.
import { decodeReferences } from './character-references.ts';
import { withoutMarkup } from './markup.ts';

/** UTF-16 units of the input that are read; what is behind is ignored, so that 10 MB cost no more than this. */
const READ = 16_384;
export const TITLE_LENGTH = 300;
/** Nobody encodes a title more often by mistake. What still holds references then loses its ampersands. */
const ROUNDS = 6;

const NEEDS_NOTHING = /^[!#-%(-;=?-~]+(?: [!#-%(-;=?-~]+)*$/;
const SPACES = /[\s\p{Z}]+/gu;
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\ufffd\u2800]+/gu;
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu;
/** An ampersand written as a reference any number of times over. */
const AMPERSANDS = /&(?:(?:amp|#0*38|#x0*26);)+/gi;

/** At most `limit` code points, cut at a word. */
export function plainText(raw: string, limit = TITLE_LENGTH): string {
  const input = raw.length > READ ? raw.slice(0, READ) : raw;
  if (NEEDS_NOTHING.test(input)) return shortened(input, limit);
  return shortened(quotesOfPrint(withoutSigns(input).normalize('NFC').replace(PILED_MARKS, '$1')), limit);
}

function withoutSigns(input: string): string {
  let text = visible(input);
  for (let round = 0; round < ROUNDS; round++) {
    const next = visible(decodeReferences(withoutMarkup(text).replace(AMPERSANDS, '&')));
    if (next === text) return text;
    text = next;
  }
  return visible(withoutMarkup(text).replaceAll('&', ''));
}

const visible = (text: string): string => text.replace(SPACES, ' ').replace(INVISIBLE, '').trim();

/** Straight quotes open at the start of a word and close elsewhere; the wide forms of < and > are the same signs. */
const quotesOfPrint = (text: string): string =>
  text
    .replace(/[<＜﹤]/g, '‹')
    .replace(/[>＞﹥]/g, '›')
    .replace(/(^|[\s([{‘“–—-])["＂]/g, '$1“')
    .replace(/["＂]/g, '”')
    .replace(/(^|[\s([{“–—-])['＇]/g, '$1‘')
    .replace(/['＇]/g, '’')
    .replace(/ {2,}/g, ' ')
    .trim();

function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const points = [...text];
  if (points.length <= limit) return text;
  const head = points.slice(0, limit - 1).join('');
  const word = points[limit - 1] === ' ' ? head.length : head.lastIndexOf(' ');
  // A word that is longer than half of all is cut: a text without spaces would be nothing.
  return `${(word > head.length / 2 ? head.slice(0, word) : head).trimEnd()}…`;
}
