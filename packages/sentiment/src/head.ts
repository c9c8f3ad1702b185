// The output layer of each network: turns its features into class probabilities.
import { layerNorm } from './layer-norm.ts';
import { CLASSES, type HeadWeights } from './weights.ts';

/** Probabilities of negative, neutral and positive, which sum to 1. */
export type Probabilities = readonly [number, number, number];

const EPSILON = 1e-5;

/** Normalises the features at `at` in place. */
export function classProbabilities(values: Float32Array, at: number, head: HeadWeights): Probabilities {
  layerNorm(values, at, at, head.norm, EPSILON);
  const width = head.norm.gain.length;
  const logits: number[] = [];
  for (let label = 0; label < CLASSES; label += 1) {
    let sum = head.bias[label]!;
    for (let i = 0; i < width; i += 1) sum += head.matrix[label * width + i]! * values[at + i]!;
    logits.push(sum);
  }
  const highest = Math.max(...logits);
  const [negative, neutral, positive] = logits.map((logit) => Math.exp(logit - highest)) as [number, number, number];
  const total = negative + neutral + positive;
  return [negative / total, neutral / total, positive / total];
}
