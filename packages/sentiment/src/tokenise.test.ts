import { describe, expect, test } from 'bun:test';
import { modelBytes } from '../testing/model.ts';
import { OTHER, TARGET } from './markers.ts';
import { SubwordTokeniser } from './subword-tokeniser.ts';
import { MAX_PIECES, MAX_WORDS, tokenise } from './tokenise.ts';
import { readWeights } from './weights.ts';

const { vocabulary } = readWeights(modelBytes);
const subwords = new SubwordTokeniser(vocabulary.pieces, vocabulary.scores);
const piecesOf = (text: string): string[] => tokenise(text, subwords).pieces.map((id) => vocabulary.pieces[id]!);

describe('tokenise', () => {
  test('splits a text into known pieces, each with its word', () => {
    const { pieceWords, words } = tokenise("Gold's bullishness", subwords);
    expect(piecesOf("Gold's bullishness").join('')).toBe("▁gold's▁bullishness");
    expect(words).toEqual(["gold's", 'bullishness']);
    expect(new Set(pieceWords)).toEqual(new Set(words));
  });

  test('replaces numbers with 10, but not digits inside a word', () => {
    expect(tokenise('1,234.56 up q3', subwords).words).toEqual(['10', 'up', 'q', '3']);
  });

  test('separates markers from words', () => {
    const { pieces, words } = tokenise(`${TARGET}gains on${OTHER}`, subwords);
    expect(words).toEqual([TARGET, 'gains', 'on', OTHER]);
    expect([pieces[0], pieces.at(-1)]).toEqual([3, 4]);
  });

  test('reads an empty text as a full stop', () => {
    expect(tokenise('', subwords)).toEqual({ pieces: [6], pieceWords: [''], words: ['.'] });
  });

  test('skips characters that are in no piece', () => {
    expect(tokenise('\ud800', subwords).pieces.length).toBeLessThanOrEqual(1);
  });

  test('limits the number of pieces and words', () => {
    const { pieces, pieceWords, words } = tokenise('stocks gain '.repeat(100), subwords);
    expect(pieces).toHaveLength(MAX_PIECES);
    expect(pieceWords).toHaveLength(MAX_PIECES);
    expect(words).toHaveLength(MAX_WORDS);
  });
});
