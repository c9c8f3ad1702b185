// The weights of the model, by name and size. Sizes are fixed by training (training/). A file with other sizes is rejected
// here, so that the arithmetic needs no checks.
import { ModelFile, ModelFileError, type QuantisedMatrix } from './model-file.ts';

/** Width of the vectors in the subword network. */
export const WIDTH = 256;
/** Width of the vectors in the word network. */
export const WORD_WIDTH = 64;
/** Width of the GloVe word vectors, which both networks share. */
export const GLOVE_WIDTH = 100;
/** Width between the two feed-forward matrices of a transformer layer. */
export const FEED_FORWARD = 512;
/** Output channels of each convolution. */
export const CONV_CHANNELS = 128;
/** Convolutions over 1, 2, 3 and 4 neighbouring words. */
export const WINDOWS = [1, 2, 3, 4] as const;
/** Rows of the table of character n-grams; row 0 is unused. */
export const NGRAM_ROWS = 32_768;
/** Valence features of a word: positive and negative, in each of two lexicons. */
export const VALENCES = 4;
/** Negative, neutral, positive: the order of the outputs. */
export const CLASSES = 3;

export interface Linear {
  readonly matrix: QuantisedMatrix;
  /** Zero if left out. */
  readonly bias?: Float32Array;
}

export interface Norm {
  readonly gain: Float32Array;
  readonly shift: Float32Array;
}

/** The output layer of each network: layer norm, then a linear layer onto the classes. */
export interface HeadWeights {
  readonly norm: Norm;
  readonly matrix: Float32Array;
  readonly bias: Float32Array;
}

export interface TransformerLayerWeights {
  readonly beforeAttention: Norm;
  /** Queries, keys and values in one matrix. */
  readonly attention: Linear;
  readonly attentionOutput: Linear;
  readonly beforeFeedForward: Norm;
  readonly widen: Linear;
  readonly narrow: Linear;
}

export interface Weights {
  readonly vocabulary: {
    readonly pieces: readonly string[];
    /** Log-probability of each subword piece. */
    readonly scores: Float32Array;
    readonly vectors: QuantisedMatrix;
  };
  readonly glove: { readonly words: readonly string[]; readonly vectors: QuantisedMatrix };
  readonly lexicon: { readonly words: readonly string[]; readonly valences: Int8Array };
  readonly ngrams: QuantisedMatrix;
  readonly transformer: {
    /** Angular steps of the positional encoding. */
    readonly steps: Float32Array;
    readonly wordProjection: Linear;
    readonly valenceVectors: Float32Array;
    readonly layers: readonly TransformerLayerWeights[];
    readonly head: HeadWeights;
  };
  readonly cnn: {
    readonly wordProjection: Linear;
    readonly valenceVectors: Float32Array;
    /** Vectors for: no marker (unused), the target, another asset. */
    readonly markerVectors: Float32Array;
    readonly convolutions: readonly Linear[];
    readonly head: HeadWeights;
  };
}

export function readWeights(bytes: Uint8Array): Weights {
  const file = new ModelFile(bytes);
  if (file.width !== WIDTH) throw new ModelFileError(`the model is ${file.width} wide, but this code needs ${WIDTH}`);
  const pieces = file.names('pieces');
  const words = file.names('words');
  const lexicon = file.names('lexw');

  const linear = (name: string, outputs: number, inputs: number): Linear => ({
    matrix: file.matrix(name, outputs, inputs),
    bias: file.floats(`${name}.b`, outputs),
  });
  const norm = (name: string): Norm => ({
    gain: file.floats(`${name}.g`, WIDTH),
    shift: file.floats(`${name}.b`, WIDTH),
  });
  const head = (network: string, inputs: number): HeadWeights => ({
    norm: { gain: file.floats(`${network}.ln.weight`, inputs), shift: file.floats(`${network}.ln.bias`, inputs) },
    matrix: file.floats(`${network}.head.weight`, CLASSES * inputs),
    bias: file.floats(`${network}.head.bias`, CLASSES),
  });

  return {
    vocabulary: {
      pieces,
      scores: file.floats('score', pieces.length),
      vectors: file.matrix('emb', pieces.length, WIDTH),
    },
    glove: { words, vectors: file.matrix('glove', words.length, GLOVE_WIDTH) },
    lexicon: { words: lexicon, valences: file.integers('lexv', 2 * lexicon.length) },
    ngrams: file.matrix('ng', NGRAM_ROWS, WORD_WIDTH),
    transformer: {
      steps: file.floats('inv', WIDTH / 2),
      wordProjection: { matrix: file.matrix('u.gp', WIDTH, GLOVE_WIDTH) },
      valenceVectors: file.floats('u.lv', VALENCES * WIDTH),
      layers: Array.from({ length: file.layers }, (_, index) => ({
        beforeAttention: norm(`b${index}.ln1`),
        attention: linear(`b${index}.qkv`, 3 * WIDTH, WIDTH),
        attentionOutput: linear(`b${index}.o`, WIDTH, WIDTH),
        beforeFeedForward: norm(`b${index}.ln2`),
        widen: linear(`b${index}.f1`, FEED_FORWARD, WIDTH),
        narrow: linear(`b${index}.f2`, WIDTH, FEED_FORWARD),
      })),
      head: head('u', 2 * WIDTH),
    },
    cnn: {
      wordProjection: { matrix: file.matrix('w.gp', WORD_WIDTH, GLOVE_WIDTH) },
      valenceVectors: file.floats('w.lv', VALENCES * WORD_WIDTH),
      markerVectors: file.floats('w.sp.weight', 3 * WORD_WIDTH),
      convolutions: WINDOWS.map((window, index) => linear(`cv${index}`, CONV_CHANNELS, window * WORD_WIDTH)),
      head: head('w', WINDOWS.length * CONV_CHANNELS),
    },
  };
}
