// Splits a normalised text into the inputs of the two networks: subword pieces with their words, and words.
import { isMarker, separateMarkers, TARGET } from './markers.ts';
import type { SubwordTokeniser } from './subword-tokeniser.ts';

/** Further pieces and words are ignored, as in training. */
export const MAX_PIECES = 56;
export const MAX_WORDS = 40;

/** Numbers carry little meaning, so all are read as 10. Digits inside a word (q3) are kept. */
const NUMBER = /(?<![a-z\d])\d+(?:[.,]\d+)*/g;
const WORD = /[a-z]+(?:'[a-z]+)*|\d+|[^\sa-z\d]/gu;

const TARGET_PIECE = 3;
const OTHER_PIECE = 4;
/** An empty text is read as a full stop. */
const FULL_STOP = { piece: 6, word: '.' } as const;

export interface TokenisedText {
  readonly pieces: number[];
  /** For each piece, the word that contains its last character; empty if it ends before the word begins. */
  readonly pieceWords: string[];
  readonly words: string[];
}

export function tokenise(text: string, subwords: SubwordTokeniser): TokenisedText {
  const pieces: number[] = [];
  const pieceWords: string[] = [];
  const words: string[] = [];
  for (const chunk of separateMarkers(text.toLowerCase().replace(NUMBER, '10')).split(/\s+/)) {
    if (chunk === '') continue;
    if (pieces.length >= MAX_PIECES && words.length >= MAX_WORDS) break;
    if (isMarker(chunk)) {
      pieces.push(chunk === TARGET ? TARGET_PIECE : OTHER_PIECE);
      pieceWords.push(chunk);
      words.push(chunk);
      continue;
    }
    const characters: string[] = [];
    const wordOf: string[] = [];
    for (const [word] of chunk.matchAll(WORD)) {
      words.push(word);
      for (const character of word) {
        characters.push(character);
        wordOf.push(word);
      }
    }
    for (const { id, end } of subwords.split(characters)) {
      pieces.push(id);
      pieceWords.push(wordOf[end - 1] ?? '');
    }
  }
  if (pieces.length === 0) {
    pieces.push(FULL_STOP.piece);
    pieceWords.push('');
  }
  if (words.length === 0) words.push(FULL_STOP.word);
  return {
    pieces: pieces.slice(0, MAX_PIECES),
    pieceWords: pieceWords.slice(0, MAX_PIECES),
    words: words.slice(0, MAX_WORDS),
  };
}
