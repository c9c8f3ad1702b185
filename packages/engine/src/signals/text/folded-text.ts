// A message as the parser reads it: lower case, without accents, decoration of letters and invisible characters. Each folded character
// knows where it came from, so that a value can be marked in the message as it was sent.
// Positions are counted in code points, as in Python; JavaScript gets them with `Array.from(text)`.

/** Of the longest message that Telegram sends. */
export const MAX_MESSAGE = 4096;

export interface FoldedText {
  /** One UTF-16 unit for each entry of `origin`. */
  readonly text: string;
  /** The same with the case of the message. */
  readonly cased: string;
  /** Position in the message, in code points, of each unit of `text`. */
  readonly origin: readonly number[];
  /** The message in code points. */
  readonly points: readonly string[];
}

/** Formatting characters that may change the order in which a message is shown, so that what is read is not what people see. */
const REORDERING = /[\u202a\u202b\u202d\u202e\u2066\u2067]/;
/** Without width: joiners, direction marks, variation selectors, the tatweel that stretches Arabic words. */
const INVISIBLE = /\ufe0e|\ufe0f|[\u00ad\u061c\u0640\u200b-\u200f\u202c\u2060\u2068\u2069\ufeff]/;
const KEYCAP = '\u20e3';
/** `①` to `⑨`, which also stand for keycaps. They number items of a list and are never part of a price. */
const CIRCLED_ONE = 0x2460;
const CIRCLED = /[\u2460-\u2468]/;
const CIRCLED_OTHER = /[\u2776-\u277e\u2780-\u2788\u278a-\u2792]/;

/** ASCII but digits, which a keycap may follow, and the backtick. */
const PLAIN = /^[\n\t -/:-_a-~]$/;

const SPELLINGS: Readonly<Record<string, string>> = {
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ة: 'ه',
  ى: 'ي',
  '٫': '.',
  '٬': ',',
  '،': ',',
  '；': ';',
  '–': '-',
  '—': '-',
  '‒': '-',
  '−': '-',
  '‐': '-',
  '‑': '-',
  '→': ' ',
  '’': "'",
  '‘': "'",
  '`': ' ',
  ß: 'ss',
};

/** The position of the first character that may reorder the message; -1 if there is none. */
export const reorderingAt = (points: readonly string[]): number => points.findIndex((point) => REORDERING.test(point));

export function foldText(message: string): FoldedText {
  const points = Array.from(message);
  let text = '';
  let cased = '';
  const origin: number[] = [];
  for (const [index, point] of points.entries()) {
    for (const unit of foldPoint(point, nextVisible(points, index))) {
      text += unit.toLowerCase();
      cased += unit;
      origin.push(index);
    }
  }
  return { text, cased, origin, points };
}

/** A word of the lexicon, folded like a message. */
export const foldWord = (word: string): string => foldText(word).text;

function nextVisible(points: readonly string[], index: number): string | undefined {
  const next = points[index + 1];
  return next === '\ufe0f' ? points[index + 2] : next;
}

/** UTF-16 units. */
function foldPoint(point: string, next: string | undefined): readonly string[] {
  if (PLAIN.test(point)) return [point];
  if (/[0-9]/.test(point)) return next === KEYCAP && point !== '0' ? [circled(Number(point))] : [point];
  if (point === KEYCAP || INVISIBLE.test(point)) return [];
  if (CIRCLED.test(point)) return [point];
  if (CIRCLED_OTHER.test(point)) return [circled(((point.codePointAt(0)! - 0x2776) % 10) + 1)];
  if (/\p{Nd}/u.test(point)) return [digitOf(point)];
  const plain = (SPELLINGS[point] ?? point).normalize('NFKD').replace(/\p{Mn}/gu, '');
  const spelled = Array.from(plain, (letter) => SPELLINGS[letter] ?? letter).join('');
  // What is left of surrogates is a picture: one unit that separates words.
  return /[\ud800-\udfff]/.test(spelled)
    ? ['\u25a0']
    : spelled.split('').filter((unit) => unit.toLowerCase().length === 1);
}

const circled = (value: number): string => String.fromCharCode(CIRCLED_ONE + value - 1);

/** Digits of any script: each has ten consecutive code points that begin with 0. */
function digitOf(point: string): string {
  const compatible = point.normalize('NFKD');
  if (/^[0-9]$/.test(compatible)) return compatible;
  const code = point.codePointAt(0)!;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  // Blocks of digits do not touch each other in the scripts of trading channels.
  return String((code - zero) % 10);
}
