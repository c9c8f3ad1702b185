// The subword network: a transformer over subword pieces, each with the features of its word, with mean and max pooling
// over the text.
import type { Embeddings } from './embeddings.ts';
import { classProbabilities, type Probabilities } from './head.ts';
import { addRow, addVector, KernelMemory, type LoadedLinear } from './kernel-memory.ts';
import { layerNorm } from './layer-norm.ts';
import { MAX_PIECES } from './tokenise.ts';
import {
  FEED_FORWARD,
  GLOVE_WIDTH,
  type HeadWeights,
  type Linear,
  type Norm,
  type TransformerLayerWeights,
  type Weights,
  WIDTH,
} from './weights.ts';

const HEADS = 4;
const HEAD_WIDTH = WIDTH / HEADS;
const EPSILON = 1e-6;
/** Piece vectors are doubled, as in the encoder they were taken from. */
const PIECE_FACTOR = 2;

interface Layer {
  readonly beforeAttention: Norm;
  readonly attention: LoadedLinear;
  readonly attentionOutput: LoadedLinear;
  readonly beforeFeedForward: Norm;
  readonly widen: LoadedLinear;
  readonly narrow: LoadedLinear;
}

const linearsOf = (layer: TransformerLayerWeights): Linear[] => [
  layer.attention,
  layer.attentionOutput,
  layer.widen,
  layer.narrow,
];

export class Transformer {
  private readonly values: Float32Array;
  private readonly positions: Float32Array;
  private readonly pieceVectors: Weights['vocabulary']['vectors'];
  private readonly valenceVectors: Float32Array;
  private readonly wordProjection: LoadedLinear;
  private readonly layers: readonly Layer[];
  private readonly head: HeadWeights;
  /** Addresses of buffers: word vectors, state, normalised state, and the output of a layer. */
  private readonly words: number;
  private readonly state: number;
  private readonly normed: number;
  private readonly wide: number;
  private readonly attentionWeights = new Float32Array(MAX_PIECES);

  constructor(
    weights: Weights,
    private readonly embeddings: Embeddings,
    private readonly memory: KernelMemory,
  ) {
    const { transformer } = weights;
    this.values = memory.values;
    this.positions = positionalEncoding(transformer.steps);
    this.pieceVectors = weights.vocabulary.vectors;
    this.valenceVectors = transformer.valenceVectors;
    this.wordProjection = memory.load(transformer.wordProjection);
    this.layers = transformer.layers.map((layer) => ({
      beforeAttention: layer.beforeAttention,
      attention: memory.load(layer.attention),
      attentionOutput: memory.load(layer.attentionOutput),
      beforeFeedForward: layer.beforeFeedForward,
      widen: memory.load(layer.widen),
      narrow: memory.load(layer.narrow),
    }));
    this.head = transformer.head;
    const [words, state, normed, wide] = BUFFERS;
    this.words = memory.allocate(words);
    this.state = memory.allocate(state);
    this.normed = memory.allocate(normed);
    this.wide = memory.allocate(wide);
  }

  /** Floats that this network needs in the kernel memory. */
  static sizeOf({ transformer }: Weights): number {
    const linears = [transformer.wordProjection, ...transformer.layers.flatMap(linearsOf)];
    return sum(linears.map(KernelMemory.sizeOf)) + sum(BUFFERS);
  }

  classify(pieces: readonly number[], pieceWords: readonly string[]): Probabilities {
    const count = pieces.length;
    this.embed(pieces, pieceWords);
    for (const layer of this.layers) {
      this.attend(layer, count);
      this.feedForward(layer, count);
    }
    this.pool(count);
    return classProbabilities(this.values, this.wide, this.head);
  }

  private embed(pieces: readonly number[], pieceWords: readonly string[]): void {
    const { values, embeddings } = this;
    const count = pieces.length;
    for (let i = 0; i < count; i += 1) embeddings.writeGlove(pieceWords[i]!, values, this.words + i * GLOVE_WIDTH);
    this.memory.apply(this.wordProjection, this.words, this.state, count);
    for (let i = 0; i < count; i += 1) {
      const at = this.state + i * WIDTH;
      addRow(this.pieceVectors, pieces[i]!, PIECE_FACTOR, values, at);
      addVector(this.positions, i * WIDTH, WIDTH, 1, values, at);
      embeddings.addValence(pieceWords[i]!, this.valenceVectors, values, at);
    }
  }

  private attend(layer: Layer, count: number): void {
    this.normalise(layer.beforeAttention, count);
    this.memory.apply(layer.attention, this.normed, this.wide, count);
    for (let head = 0; head < HEADS; head += 1) {
      for (let piece = 0; piece < count; piece += 1) this.attendFrom(piece, head, count);
    }
    this.memory.apply(layer.attentionOutput, this.normed, this.wide, count);
    this.addToState(this.wide, count);
  }

  /** Scaled dot-product attention from one piece to all pieces, in one head. */
  private attendFrom(piece: number, head: number, count: number): void {
    const { values, attentionWeights } = this;
    const stride = 3 * WIDTH;
    const query = this.wide + piece * stride + head * HEAD_WIDTH;
    const keys = this.wide + WIDTH + head * HEAD_WIDTH;
    let highest = Number.NEGATIVE_INFINITY;
    for (let other = 0; other < count; other += 1) {
      const match = dot(values, query, keys + other * stride) / Math.sqrt(HEAD_WIDTH);
      attentionWeights[other] = match;
      if (match > highest) highest = match;
    }
    let total = 0;
    for (let other = 0; other < count; other += 1) {
      const weight = Math.exp(attentionWeights[other]! - highest);
      attentionWeights[other] = weight;
      total += weight;
    }
    const out = this.normed + piece * WIDTH + head * HEAD_WIDTH;
    values.fill(0, out, out + HEAD_WIDTH);
    for (let other = 0; other < count; other += 1) {
      addVector(values, keys + WIDTH + other * stride, HEAD_WIDTH, attentionWeights[other]! / total, values, out);
    }
  }

  private feedForward(layer: Layer, count: number): void {
    const { values } = this;
    this.normalise(layer.beforeFeedForward, count);
    this.memory.apply(layer.widen, this.normed, this.wide, count);
    const end = this.wide + count * FEED_FORWARD;
    for (let at = this.wide; at < end; at += 1) if (values[at]! < 0) values[at] = 0;
    this.memory.apply(layer.narrow, this.wide, this.normed, count);
    this.addToState(this.normed, count);
  }

  private normalise(norm: Norm, count: number): void {
    for (let i = 0; i < count; i += 1) {
      layerNorm(this.values, this.state + i * WIDTH, this.normed + i * WIDTH, norm, EPSILON);
    }
  }

  private addToState(from: number, count: number): void {
    addVector(this.values, from, count * WIDTH, 1, this.values, this.state);
  }

  /** Mean and maximum of each dimension over all pieces. */
  private pool(count: number): void {
    const { values } = this;
    for (let i = 0; i < WIDTH; i += 1) {
      let total = 0;
      let highest = Number.NEGATIVE_INFINITY;
      for (let piece = 0; piece < count; piece += 1) {
        const value = values[this.state + piece * WIDTH + i]!;
        total += value;
        if (value > highest) highest = value;
      }
      values[this.wide + i] = total / count;
      values[this.wide + WIDTH + i] = highest;
    }
  }
}

/** Four independent sums, because each addition to one sum has to wait for the previous one. */
function dot(values: Float32Array, a: number, b: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let i = 0; i < HEAD_WIDTH; i += 4) {
    s0 += values[a + i]! * values[b + i]!;
    s1 += values[a + i + 1]! * values[b + i + 1]!;
    s2 += values[a + i + 2]! * values[b + i + 2]!;
    s3 += values[a + i + 3]! * values[b + i + 3]!;
  }
  return s0 + s1 + (s2 + s3);
}

const BUFFERS = [GLOVE_WIDTH, WIDTH, WIDTH, 3 * WIDTH].map((width) => KernelMemory.sizeOfRows(MAX_PIECES, width)) as [
  number,
  number,
  number,
  number,
];

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

/** Positional encoding: one row per position, sines in its first half and cosines in its second. */
function positionalEncoding(steps: Float32Array): Float32Array {
  const encoding = new Float32Array(MAX_PIECES * WIDTH);
  for (let position = 0; position < MAX_PIECES; position += 1) {
    steps.forEach((step, i) => {
      encoding[position * WIDTH + i] = Math.sin(position * step);
      encoding[position * WIDTH + WIDTH / 2 + i] = Math.cos(position * step);
    });
  }
  return encoding;
}
