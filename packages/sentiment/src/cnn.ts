// The word network: convolutions over one to four neighbouring words, with max pooling over the text.
import type { Embeddings } from './embeddings.ts';
import { classProbabilities, type Probabilities } from './head.ts';
import { KernelMemory, type LoadedLinear } from './kernel-memory.ts';
import { MAX_WORDS } from './tokenise.ts';
import { CONV_CHANNELS, GLOVE_WIDTH, type Linear, type Weights, WINDOWS, WORD_WIDTH } from './weights.ts';

/** Zero padding at both ends: a window may extend beyond the text by all but one word. */
const PADDING = Math.max(...WINDOWS) - 1;

const BUFFERS = {
  glove: KernelMemory.sizeOfRows(MAX_WORDS, GLOVE_WIDTH),
  projected: KernelMemory.sizeOfRows(MAX_WORDS, WORD_WIDTH),
  text: (MAX_WORDS + 2 * PADDING) * WORD_WIDTH,
  windows: KernelMemory.sizeOfRows(MAX_WORDS + PADDING, Math.max(...WINDOWS) * WORD_WIDTH),
  outputs: KernelMemory.sizeOfRows(MAX_WORDS + PADDING, CONV_CHANNELS),
  features: WINDOWS.length * CONV_CHANNELS,
} as const;

const linearsOf = ({ cnn }: Weights): Linear[] => [cnn.wordProjection, ...cnn.convolutions];

export class Cnn {
  private readonly values: Float32Array;
  private readonly wordProjection: LoadedLinear;
  private readonly convolutions: readonly LoadedLinear[];
  private readonly weights: Weights['cnn'];
  private readonly buffers: Readonly<Record<keyof typeof BUFFERS, number>>;

  constructor(
    weights: Weights,
    private readonly embeddings: Embeddings,
    private readonly memory: KernelMemory,
  ) {
    this.weights = weights.cnn;
    this.values = memory.values;
    this.wordProjection = memory.load(weights.cnn.wordProjection);
    this.convolutions = weights.cnn.convolutions.map((convolution) => memory.load(convolution));
    this.buffers = {
      glove: memory.allocate(BUFFERS.glove),
      projected: memory.allocate(BUFFERS.projected),
      text: memory.allocate(BUFFERS.text),
      windows: memory.allocate(BUFFERS.windows),
      outputs: memory.allocate(BUFFERS.outputs),
      features: memory.allocate(BUFFERS.features),
    };
  }

  /** Floats that this network needs in the kernel memory. */
  static sizeOf(weights: Weights): number {
    const sizes = [...linearsOf(weights).map(KernelMemory.sizeOf), ...Object.values(BUFFERS)];
    return sizes.reduce((total, size) => total + size, 0);
  }

  classify(words: readonly string[]): Probabilities {
    this.embed(words);
    WINDOWS.forEach((window, index) => {
      this.convolve(window, index, words.length);
    });
    return classProbabilities(this.values, this.buffers.features, this.weights.head);
  }

  private embed(words: readonly string[]): void {
    const { values, embeddings, weights } = this;
    const { glove, projected, text } = this.buffers;
    words.forEach((word, i) => {
      embeddings.writeGlove(word, values, glove + i * GLOVE_WIDTH);
    });
    this.memory.apply(this.wordProjection, glove, projected, words.length);
    values.fill(0, text, text + BUFFERS.text);
    values.copyWithin(text + PADDING * WORD_WIDTH, projected, projected + words.length * WORD_WIDTH);
    words.forEach((word, i) => {
      const at = text + (PADDING + i) * WORD_WIDTH;
      embeddings.addNgrams(word, values, at);
      embeddings.addValence(word, weights.valenceVectors, values, at);
      embeddings.addMarker(word, weights.markerVectors, values, at);
    });
  }

  /** Copies every window of the text to a row, applies the convolution to all rows, and keeps the maximum per channel. */
  private convolve(window: number, index: number, words: number): void {
    const { values } = this;
    const { text, windows, outputs, features } = this.buffers;
    const count = words + window - 1;
    const width = window * WORD_WIDTH;
    const first = text + (PADDING + 1 - window) * WORD_WIDTH;
    for (let i = 0; i < count; i += 1) {
      const start = first + i * WORD_WIDTH;
      values.copyWithin(windows + i * width, start, start + width);
    }
    this.memory.apply(this.convolutions[index]!, windows, outputs, count);
    const out = features + index * CONV_CHANNELS;
    const { bias } = this.weights.convolutions[index]!;
    for (let channel = 0; channel < CONV_CHANNELS; channel += 1) {
      // A window of zeros yields the bias: in training every text was padded with some.
      let maximum = Math.max(0, bias?.[channel] ?? 0);
      for (let i = 0; i < count; i += 1) maximum = Math.max(maximum, values[outputs + i * CONV_CHANNELS + channel]!);
      values[out + channel] = maximum;
    }
  }
}
