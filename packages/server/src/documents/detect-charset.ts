// Detects the charset of a text that declares none: Cyrillic, Greek, Hebrew, Arabic, Japanese, Chinese and Korean. chardet
// compares the bytes with the statistics of each charset. It is given only the words with other than ASCII bytes, because
// markup and English words would hide them.
import { analyse } from 'chardet';

/** Bytes of such words that are looked at: several hundred headlines. */
const MAX_SAMPLE = 16_384;
/** A text with fewer bytes above ASCII shows nothing. */
const MIN_BYTES = 16;
/** Share of the bytes above ASCII in words of a single-byte charset. Words of Latin scripts have fewer. */
const MIN_DENSITY = 0.75;
/** Least confidence of chardet, in percent. It gives 10 to a charset that merely allows the bytes. */
const MIN_CONFIDENCE = 12;
/** East Asian charsets also allow Thai, for example, with a confidence of up to 65. */
const MIN_EAST_ASIAN_CONFIDENCE = 66;
/** Share of the letters and symbols above ASCII that are letters of the script. */
const MIN_LETTERS = 0.9;

const SPACE = 0x20;
const CYRILLIC = /^\p{Script=Cyrillic}$/u;
const JAPANESE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]$/u;
const CHINESE = /^\p{Script=Han}$/u;
const KOREAN = /^[\p{Script=Hangul}\p{Script=Han}]$/u;
const EAST_ASIAN = new Set([JAPANESE, CHINESE, KOREAN]);
const GREEK = /^\p{Script=Greek}$/u;
const HEBREW = /^\p{Script=Hebrew}$/u;
const ARABIC = /^\p{Script=Arabic}$/u;

/** From a name of chardet to the label of the encoding and its script. */
const CHARSETS = new Map<string, readonly [string, RegExp]>([
  ['windows-1251', ['windows-1251', CYRILLIC]],
  ['ISO-8859-5', ['iso-8859-5', CYRILLIC]],
  // KOI8-U is KOI8-R with Ukrainian letters in place of box drawings.
  ['KOI8-R', ['koi8-u', CYRILLIC]],
  ['Shift_JIS', ['shift_jis', JAPANESE]],
  ['EUC-JP', ['euc-jp', JAPANESE]],
  ['GB18030', ['gb18030', CHINESE]],
  ['Big5', ['big5', CHINESE]],
  ['EUC-KR', ['euc-kr', KOREAN]],
  ['ISO-8859-7', ['iso-8859-7', GREEK]],
  ['windows-1253', ['windows-1253', GREEK]],
  ['ISO-8859-8', ['windows-1255', HEBREW]],
  ['windows-1255', ['windows-1255', HEBREW]],
  ['ISO-8859-6', ['iso-8859-6', ARABIC]],
  ['windows-1256', ['windows-1256', ARABIC]],
]);

/** Label of the encoding; `null` if the text is in a Latin script, or too short to tell. */
export function detectCharset(bytes: Uint8Array): string | null {
  const sample = wordsAboveAscii(bytes);
  if (!hasAdjacentBytes(sample)) return null;
  const letters = sample.filter((byte) => byte !== SPACE).length;
  const isDense = sample.filter((byte) => byte >= 0x80).length >= MIN_DENSITY * letters;
  for (const { name, confidence } of analyse(sample)) {
    const [label, script] = CHARSETS.get(name) ?? [];
    if (!label || !script) continue;
    const isEastAsian = EAST_ASIAN.has(script);
    if (!isEastAsian && !isDense) continue;
    const needed = isEastAsian ? MIN_EAST_ASIAN_CONFIDENCE : MIN_CONFIDENCE;
    if (confidence >= needed && isWrittenIn(script, sample, label)) return label;
  }
  return null;
}

/** In every charset here, a word consists of bytes from 0x40 on; spaces, digits and the marks of XML are below. */
function wordsAboveAscii(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(MAX_SAMPLE);
  let length = 0;
  for (let start = 0; start < bytes.length && length < MAX_SAMPLE; start++) {
    let end = start;
    let isAscii = true;
    for (; end < bytes.length && bytes[end]! >= 0x40; end++) isAscii &&= bytes[end]! < 0x80;
    if (!isAscii && length + end - start < MAX_SAMPLE) {
      sample.set(bytes.subarray(start, end), length);
      length += end - start;
      sample[length++] = SPACE;
    }
    start = end;
  }
  return sample.subarray(0, length);
}

/** In Latin scripts, letters above ASCII are mostly single: "für", "élève". In the others, they are next to each other. */
function hasAdjacentBytes(sample: Uint8Array): boolean {
  let count = 0;
  let adjacent = 0;
  for (let at = 0; at < sample.length; at++) {
    if (sample[at]! < 0x80) continue;
    count++;
    if ((sample[at - 1] ?? 0) >= 0x80 || (sample[at + 1] ?? 0) >= 0x80) adjacent++;
  }
  return count >= MIN_BYTES && adjacent > count / 2;
}

function isWrittenIn(script: RegExp, sample: Uint8Array, label: string): boolean {
  let text: string;
  try {
    // East Asian text may be cut within a character, which becomes U+FFFD.
    text = new TextDecoder(label as Bun.Encoding, { fatal: !EAST_ASIAN.has(script) }).decode(sample);
  } catch {
    return false;
  }
  let count = 0;
  let letters = 0;
  for (const character of text) {
    if (character <= '\u007f' || /[\p{P}\p{N}\p{Z}]/u.test(character)) continue;
    count++;
    if (script.test(character)) letters++;
  }
  return letters >= MIN_LETTERS * count;
}
