// The word half: convolutions over one to four neighbouring words; the strongest answer of each anywhere in the text decides.
import type { Embeddings } from './embeddings.ts';
import { classProbabilities, type Probabilities } from './head.ts';
import { MAX_WORDS } from './tokens.ts';
import { CHANNELS, GLOVE_WIDTH, type Linear, type Weights, WINDOWS, WORD_WIDTH } from './weights.ts';
import { type LoadedLinear, Workspace } from './workspace.ts';

/** A window may hang over either end of the text by all but one word; there it sees zeros. */
const OVERHANG = Math.max(...WINDOWS) - 1;

const BUFFERS = {
  glove: Workspace.sizeOfRows(MAX_WORDS, GLOVE_WIDTH),
  projected: Workspace.sizeOfRows(MAX_WORDS, WORD_WIDTH),
  text: (MAX_WORDS + 2 * OVERHANG) * WORD_WIDTH,
  windows: Workspace.sizeOfRows(MAX_WORDS + OVERHANG, Math.max(...WINDOWS) * WORD_WIDTH),
  answers: Workspace.sizeOfRows(MAX_WORDS + OVERHANG, CHANNELS),
  features: WINDOWS.length * CHANNELS,
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
    private readonly workspace: Workspace,
  ) {
    this.weights = weights.cnn;
    this.values = workspace.values;
    this.wordProjection = workspace.load(weights.cnn.wordProjection);
    this.convolutions = weights.cnn.convolutions.map((convolution) => workspace.load(convolution));
    this.buffers = {
      glove: workspace.allocate(BUFFERS.glove),
      projected: workspace.allocate(BUFFERS.projected),
      text: workspace.allocate(BUFFERS.text),
      windows: workspace.allocate(BUFFERS.windows),
      answers: workspace.allocate(BUFFERS.answers),
      features: workspace.allocate(BUFFERS.features),
    };
  }

  /** Room that this half takes in the workspace. */
  static sizeOf(weights: Weights): number {
    const sizes = [...linearsOf(weights).map(Workspace.sizeOf), ...Object.values(BUFFERS)];
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
    this.workspace.apply(this.wordProjection, glove, projected, words.length);
    values.fill(0, text, text + BUFFERS.text);
    values.copyWithin(text + OVERHANG * WORD_WIDTH, projected, projected + words.length * WORD_WIDTH);
    words.forEach((word, i) => {
      const at = text + (OVERHANG + i) * WORD_WIDTH;
      embeddings.addLetters(word, values, at);
      embeddings.addValence(word, weights.valenceVectors, values, at);
      embeddings.addMarker(word, weights.markerVectors, values, at);
    });
  }

  /** Lays out every window of the text as one row, applies the convolution to all, and keeps its strongest answers. */
  private convolve(window: number, index: number, words: number): void {
    const { values } = this;
    const { text, windows, answers, features } = this.buffers;
    const count = words + window - 1;
    const width = window * WORD_WIDTH;
    const first = text + (OVERHANG + 1 - window) * WORD_WIDTH;
    for (let i = 0; i < count; i += 1) {
      const start = first + i * WORD_WIDTH;
      values.copyWithin(windows + i * width, start, start + width);
    }
    this.workspace.apply(this.convolutions[index]!, windows, answers, count);
    const out = features + index * CHANNELS;
    const { bias } = this.weights.convolutions[index]!;
    for (let channel = 0; channel < CHANNELS; channel += 1) {
      // A window of zeros answers with the bias: in training every text had some behind it.
      let strongest = Math.max(0, bias?.[channel] ?? 0);
      for (let i = 0; i < count; i += 1) strongest = Math.max(strongest, values[answers + i * CHANNELS + channel]!);
      values[out + channel] = strongest;
    }
  }
}
