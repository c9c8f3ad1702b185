// The model: two halves that read a text in different ways, and the mean of what they think.
import { createHash } from 'node:crypto';
import { Cnn } from './cnn.ts';
import { Embeddings } from './embeddings.ts';
import { normalise } from './normalise.ts';
import { Subwords } from './subwords.ts';
import { maskNames, type Target } from './target.ts';
import { tokenise } from './tokens.ts';
import { Transformer } from './transformer.ts';
import { readWeights } from './weights.ts';
import { Workspace } from './workspace.ts';

/** Probabilities, which sum to 1, and the score: positive − negative, from -1 to 1. */
export interface Sentiment {
  readonly positive: number;
  readonly neutral: number;
  readonly negative: number;
  readonly score: number;
}

export interface SentimentModel {
  /** Name and first digits of the SHA-256 of the file: two models never share one. */
  readonly version: string;
  /** Synchronous, and bounded whatever the text: see MAX_CHARACTERS, MAX_PIECES and MAX_WORDS. */
  classify(text: string, target?: Target): Sentiment;
}

const NAME = 'headline-1';

/** Reads a model from the bytes of its file (`modelFile`); throws a ModelFileError if they are damaged. */
export function loadModel(bytes: Uint8Array): SentimentModel {
  const weights = readWeights(bytes);
  const subwords = new Subwords(weights.vocabulary.pieces, weights.vocabulary.scores);
  const embeddings = new Embeddings(weights);
  const workspace = new Workspace(Transformer.sizeOf(weights) + Cnn.sizeOf(weights));
  const transformer = new Transformer(weights, embeddings, workspace);
  const cnn = new Cnn(weights, embeddings, workspace);

  return {
    version: `${NAME}-${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}`,
    classify(text, target) {
      const plain = normalise(text);
      const masked = target ? maskNames(plain, target) : { text: plain, turned: false };
      const { pieces, pieceWords, words } = tokenise(masked.text, subwords);
      const bySubwords = transformer.classify(pieces, pieceWords);
      const byWords = cnn.classify(words);
      const bad = (bySubwords[0] + byWords[0]) / 2;
      const neutral = (bySubwords[1] + byWords[1]) / 2;
      const good = (bySubwords[2] + byWords[2]) / 2;
      const [positive, negative] = masked.turned ? [bad, good] : [good, bad];
      return { positive, neutral, negative, score: positive - negative };
    },
  };
}
