// Splits a folded message into tokens: numbers, words with their meaning, instruments, marks and line breaks.
import type { FoldedText } from './folded-text.ts';
import { type InstrumentNames, type NamedInstrument, squeeze } from './instrument-names.ts';
import { LEXICON, MAX_PHRASE, type Meaning } from './lexicon.ts';

/** From and to are positions in the folded text. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

export type Token = Place &
  (
    | { readonly kind: 'number'; readonly text: string }
    | { readonly kind: 'ordinal'; readonly value: number }
    | { readonly kind: 'word'; readonly meaning: Meaning | 'unknown' }
    | { readonly kind: 'instrument'; readonly named: NamedInstrument }
    | { readonly kind: 'mark'; readonly text: string }
    | { readonly kind: 'break' }
  );

/** With at most four digits before the first letter: `1000PEPE`. */
const STARTS_NAME = /^\d{0,4}\p{L}/u;
const LETTER = /[\p{L}]/u;
const LETTERS = /\p{L}+/uy;
/** `68.5k` is a number of thousands. */
const NUMBER = /(?:\d+(?:[.,']\d+)*|(?<!\p{L})[.,]\d+)(?:k(?![\p{L}\d]))?/uy;
/** A currency after a name: `Gold/USD`. */
const CURRENCY_AFTER = /[ \t]?[/-]?[ \t]?(usdt|usdc|busd|usd|eur|gbp|jpy|chf|aud|cad|nzd)(?![\p{L}\d])/iuy;
const RUN = /[\p{L}\d]{1,32}/uy;
/** With bounds that no name exceeds. */
const SYMBOL_RUN = /[\p{L}\d]{1,32}(?:[.&/_:-][\p{L}\d]{1,16}){0,3}(?:[#+](?![\p{L}\d]))?/uy;
/** Between the words of a phrase: a space, or one of these signs with or without spaces. */
const BETWEEN_WORDS = /(?: ?[-./&'_] ?| +)(?=\p{L})/uy;
/** Between the two parts of a name that is written apart. */
const BETWEEN_PARTS = /[ \t]*[/&_\\-]?[ \t]*(?=[\p{L}\d])/uy;
const JOINERS = /[.&/_:-]/;

export function tokenize({ text, cased }: FoldedText, names: InstrumentNames): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const token = readToken(text, cased, at, names);
    if (token) tokens.push(token);
    at = token?.to ?? at + 1;
  }
  return tokens;
}

function readToken(text: string, cased: string, from: number, names: InstrumentNames): Token | null {
  const char = text[from]!;
  if (char === '\n') return { kind: 'break', from, to: from + 1 };
  if (/\s/.test(char)) return null;
  if (char >= '\u2460' && char <= '\u2468')
    return { kind: 'ordinal', value: char.charCodeAt(0) - 0x2460 + 1, from, to: from + 1 };
  const startsRun = from === 0 || !/[\p{L}\d]/u.test(text[from - 1]!);
  if (startsRun && STARTS_NAME.test(text.slice(from, from + 8))) {
    const named = readInstrument(cased, from, names);
    if (named) return named;
  }
  const number = match(NUMBER, text, from);
  if (number !== undefined) return { kind: 'number', text: number, from, to: from + number.length };
  if (LETTER.test(char)) return readWord(text, from);
  return { kind: 'mark', text: char, from, to: from + 1 };
}

/** The longest phrase of the lexicon. Digits end a word: `TP1`, `50pips`. */
function readWord(text: string, from: number): Token {
  let to = from;
  let phrase = '';
  let found: { readonly meaning: Meaning; readonly to: number } | undefined;
  let first = from;
  for (let count = 0; count < MAX_PHRASE; count++) {
    const word = match(LETTERS, text, to)!;
    to += word.length;
    phrase += count === 0 ? word : ` ${word}`;
    if (count === 0) first = to;
    const meaning = LEXICON.get(phrase);
    if (meaning) found = { meaning, to };
    const gap = match(BETWEEN_WORDS, text, to);
    if (gap === undefined) break;
    to += gap.length;
  }
  return found ? { kind: 'word', from, ...found } : { kind: 'word', meaning: 'unknown', from, to: first };
}

/** The longest text from here that names an instrument. */
function readInstrument(cased: string, from: number, names: InstrumentNames): Token | null {
  const run = match(SYMBOL_RUN, cased, from)!;
  if (LEXICON.has(run.toLowerCase())) return null;
  const apart = readApart(cased, from, names);
  for (let length = run.length; length > 0; length = shorter(run, length)) {
    if (apart && apart.to - from >= length) return apart;
    const spelled = run.slice(0, length);
    const named = names.find(spelled);
    if (!named) continue;
    if (named.isNickname) {
      const currency = match(CURRENCY_AFTER, cased, from + length);
      if (currency !== undefined) {
        const symbols = named.symbols.filter((symbol) =>
          symbol.endsWith(currency.replace(/[^a-z]/gi, '').toUpperCase()),
        );
        return { kind: 'instrument', named: { symbols }, from, to: from + length + currency.length };
      }
    }
    const rest = run.slice(length);
    return { kind: 'instrument', named: isOther(rest, names) ? { symbols: [] } : named, from, to: from + length };
  }
  return apart;
}

/** Without its last part. */
function shorter(run: string, length: number): number {
  for (let at = length - 1; at > 0; at--) if (JOINERS.test(run[at]!) || /[#+]/.test(run[at]!)) return at;
  return 0;
}

/** Whether what is joined to a name makes it another instrument: `BTC/USDT`, `BTCUSD.P`, `XAU-PERP`. */
function isOther(rest: string, names: InstrumentNames): boolean {
  if (!JOINERS.test(rest[0] ?? '')) return false;
  const next = rest.slice(1).split(JOINERS)[0]!;
  const folded = next.toLowerCase();
  const meaning = LEXICON.get(folded) ?? LEXICON.get(/^\p{L}*/u.exec(folded)![0]);
  if (meaning !== undefined) return meaning === 'other-market';
  return !/^\d/.test(next) && names.find(next) === undefined;
}

/** Names of two or three words: `Dow Jones`, `EUR / USD`, `US 30`. */
function readApart(cased: string, from: number, names: InstrumentNames): Token | null {
  let to = from;
  let found: Token | null = null;
  for (let count = 1; count <= 4; count++) {
    const part = match(RUN, cased, to);
    if (part === undefined) break;
    to += part.length;
    if (count > 1) {
      const text = cased.slice(from, to);
      const named = names.find(squeeze(text));
      if (named) found = { kind: 'instrument', named, from, to };
    }
    const gap = match(BETWEEN_PARTS, cased, to);
    if (gap === undefined) break;
    to += gap.length;
  }
  return found;
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
