// The model: two networks, a transformer over subwords and a CNN over words. The result is the mean of both.
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
// The bundler copies the file and makes the path relative to the bundle.
import model from '../model/sentiment.bin' with { type: 'file' };
import { clauseOf } from './clauses.ts';
import { Cnn } from './cnn.ts';
import { nameDirections } from './comparisons.ts';
import { Embeddings } from './embeddings.ts';
import { turnInverseMoves } from './inverse-moves.ts';
import { KernelMemory } from './kernel-memory.ts';
import { turnNegations } from './negations.ts';
import { normalise } from './normalise.ts';
import { SubwordTokeniser } from './subword-tokeniser.ts';
import { maskNames, type SentimentTarget } from './target.ts';
import { tokenise } from './tokenise.ts';
import { Transformer } from './transformer.ts';
import { readWeights } from './weights.ts';

/** Probabilities, which sum to 1, and the score: positive − negative, from −1 to 1. */
export interface TextSentiment {
  readonly positive: number;
  readonly neutral: number;
  readonly negative: number;
  readonly score: number;
}

export interface SentimentModel {
  /** Name and first digits of the SHA-256 of the file, unique for each model. */
  readonly version: string;
  /**
   * Synchronous, with bounded work for any text: see MAX_CHARACTERS, MAX_PIECES and MAX_WORDS. A rise of rates is good news for a
   * currency and bad news for stocks, so the model reads the category of a news item, if it is known.
   */
  classify(text: string, target?: SentimentTarget, category?: string): TextSentiment;
}

const NAME = 'headline-3';
/** Version of the model in `modelFile`, known without loading it. */
export const MODEL_VERSION = `${NAME}-9d4eb567`;
/** Those that the model was trained with. */
const CATEGORIES = new Set(['crypto', 'forex', 'gold', 'macro']);

/** Path of the model file. The caller reads it: this package does no I/O. */
export const modelFile: string = resolve(import.meta.dirname, model);

/** Loads a model from the bytes of `modelFile`. Throws a ModelFileError if they are damaged. */
export function loadModel(bytes: Uint8Array): SentimentModel {
  const weights = readWeights(bytes);
  const subwords = new SubwordTokeniser(weights.vocabulary.pieces, weights.vocabulary.scores);
  const embeddings = new Embeddings(weights);
  const memory = new KernelMemory(Transformer.sizeOf(weights) + Cnn.sizeOf(weights));
  const transformer = new Transformer(weights, embeddings, memory);
  const cnn = new Cnn(weights, embeddings, memory);

  return {
    version: `${NAME}-${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}`,
    classify(text, target, category) {
      const plain = turnInverseMoves(turnNegations(nameDirections(normalise(text))));
      const masked = target ? maskNames(clauseOf(plain, target), target) : { text: plain, inverted: false };
      const { pieces, pieceWords, words } = tokenise(withCategory(masked.text, category), subwords);
      const bySubwords = transformer.classify(pieces, pieceWords);
      const byWords = cnn.classify(words);
      const negativeMean = (bySubwords[0] + byWords[0]) / 2;
      const neutral = (bySubwords[1] + byWords[1]) / 2;
      const positiveMean = (bySubwords[2] + byWords[2]) / 2;
      const [positive, negative] = masked.inverted ? [negativeMean, positiveMean] : [positiveMean, negativeMean];
      return { positive, neutral, negative, score: positive - negative };
    },
  };
}

const withCategory = (text: string, category: string | undefined): string =>
  category !== undefined && CATEGORIES.has(category) ? `${category}: ${text}` : text;
