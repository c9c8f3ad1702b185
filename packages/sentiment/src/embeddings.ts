// Features of a single word: its GloVe vector, its valence in two lexicons, and its character n-grams.

import { addRow, addVector, unpackRow } from './kernel-memory.ts';
import { OTHER, TARGET } from './markers.ts';
import type { QuantisedMatrix } from './model-file.ts';
import { GLOVE_WIDTH, NGRAM_ROWS, VALENCES, type Weights } from './weights.ts';

/** The lexicons hold tenths: AFINN from −5 to 5, VADER from −4 to 4. Both are scaled to −1 to 1. */
const AFINN_SCALE = 50;
const VADER_SCALE = 40;

const MIN_NGRAM = 3;
const MAX_NGRAM = 5;
/** Further n-grams are ignored; shorter ones come first. */
const MAX_NGRAMS = 24;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

const withoutPossessive = (word: string): string => (word.endsWith("'s") ? word.slice(0, -2) : word);
const byName = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.map((name, row) => [name, row]));

export class Embeddings {
  private readonly gloveRows: ReadonlyMap<string, number>;
  private readonly glove: QuantisedMatrix;
  private readonly lexiconRows: ReadonlyMap<string, number>;
  private readonly lexiconValences: Int8Array;
  private readonly ngrams: QuantisedMatrix;

  constructor(weights: Pick<Weights, 'glove' | 'lexicon' | 'ngrams'>) {
    this.gloveRows = byName(weights.glove.words);
    this.glove = weights.glove.vectors;
    this.lexiconRows = byName(weights.lexicon.words);
    this.lexiconValences = weights.lexicon.valences;
    this.ngrams = weights.ngrams;
  }

  /** Writes the GloVe vector of a word; zeros for an unknown word. */
  writeGlove(word: string, out: Float32Array, at: number): void {
    const row = this.gloveRows.get(word) ?? this.gloveRows.get(withoutPossessive(word));
    if (row === undefined) out.fill(0, at, at + GLOVE_WIDTH);
    else unpackRow(this.glove, row, out, at);
  }

  /** Adds the valence vectors of a word, weighted by its values in the lexicons. */
  addValence(word: string, vectors: Float32Array, out: Float32Array, at: number): void {
    const row = this.lexiconRows.get(withoutPossessive(word));
    if (row === undefined) return;
    const width = vectors.length / VALENCES;
    const afinn = this.lexiconValences[2 * row]! / AFINN_SCALE;
    const vader = this.lexiconValences[2 * row + 1]! / VADER_SCALE;
    // Rows of `vectors`: positive by AFINN, positive by VADER, negative by AFINN, negative by VADER.
    if (afinn !== 0) addVector(vectors, afinn > 0 ? 0 : 2 * width, width, Math.abs(afinn), out, at);
    if (vader !== 0) addVector(vectors, vader > 0 ? width : 3 * width, width, Math.abs(vader), out, at);
  }

  /** Adds the mean vector of the character n-grams of a word, which covers words that no table contains. */
  addNgrams(word: string, out: Float32Array, at: number): void {
    if (word.length < 2 || word[0]! < 'a' || word[0]! > 'z') return;
    const rows = characterNgrams(word);
    for (const row of rows) addRow(this.ngrams, row, 1 / rows.length, out, at);
  }

  /** Adds the marker vector if the word is a marker. */
  addMarker(word: string, vectors: Float32Array, out: Float32Array, at: number): void {
    const width = vectors.length / 3;
    if (word === TARGET) addVector(vectors, width, width, 1, out, at);
    else if (word === OTHER) addVector(vectors, 2 * width, width, 1, out, at);
  }
}

/** Table rows of the 3- to 5-grams of `<word>`, hashed with FNV-1a. */
export function characterNgrams(word: string): number[] {
  const bounded = `<${word}>`;
  const rows: number[] = [];
  for (let length = MIN_NGRAM; length <= MAX_NGRAM; length += 1) {
    for (let start = 0; start + length <= bounded.length; start += 1) {
      if (rows.length === MAX_NGRAMS) return rows;
      let hash = FNV_OFFSET;
      for (let i = start; i < start + length; i += 1) hash = Math.imul(hash ^ bounded.charCodeAt(i), FNV_PRIME);
      rows.push(((hash >>> 0) % (NGRAM_ROWS - 1)) + 1);
    }
  }
  return rows;
}
