import { describe, expect, test } from 'bun:test';
import { OTHER, TARGET } from './markers.ts';
import { modelBytes } from './model.fixture.ts';
import { Subwords } from './subwords.ts';
import { MAX_PIECES, MAX_WORDS, tokenise } from './tokens.ts';
import { readWeights } from './weights.ts';

const { vocabulary } = readWeights(modelBytes);
const subwords = new Subwords(vocabulary.pieces, vocabulary.scores);
const spelt = (text: string): string[] => tokenise(text, subwords).pieces.map((id) => vocabulary.pieces[id]!);

describe('tokens', () => {
  test('spell a text in known pieces, and every piece knows its word', () => {
    const { pieceWords, words } = tokenise("Gold's bullishness", subwords);
    expect(spelt("Gold's bullishness").join('')).toBe("▁gold's▁bullishness");
    expect(words).toEqual(["gold's", 'bullishness']);
    expect(new Set(pieceWords)).toEqual(new Set(words));
  });

  test('have every number as ten, but not digits inside a word', () => {
    expect(tokenise('1,234.56 up q3', subwords).words).toEqual(['10', 'up', 'q', '3']);
  });

  test('have markers by themselves, even inside a word', () => {
    const { pieces, words } = tokenise(`${TARGET}gains on${OTHER}`, subwords);
    expect(words).toEqual([TARGET, 'gains', 'on', OTHER]);
    expect([pieces[0], pieces.at(-1)]).toEqual([3, 4]);
  });

  test('of nothing are a full stop', () => {
    expect(tokenise('', subwords)).toEqual({ pieces: [6], pieceWords: [''], words: ['.'] });
  });

  test('leave characters out that no piece has', () => {
    expect(tokenise('\ud800', subwords).pieces.length).toBeLessThanOrEqual(1);
  });

  test('are at most as many as the model reads', () => {
    const { pieces, pieceWords, words } = tokenise('stocks gain '.repeat(100), subwords);
    expect(pieces).toHaveLength(MAX_PIECES);
    expect(pieceWords).toHaveLength(MAX_PIECES);
    expect(words).toHaveLength(MAX_WORDS);
  });
});
