// Layer normalisation, used by both networks.
import type { Norm } from './weights.ts';

/** Scales the values to mean 0 and variance 1, then applies the learnt gain and shift. */
export function layerNorm(values: Float32Array, from: number, to: number, norm: Norm, epsilon: number): void {
  const { gain, shift } = norm;
  const width = gain.length;
  let mean = 0;
  for (let i = 0; i < width; i += 1) mean += values[from + i]!;
  mean /= width;
  let variance = 0;
  for (let i = 0; i < width; i += 1) {
    const distance = values[from + i]! - mean;
    variance += distance * distance;
  }
  const scale = 1 / Math.sqrt(variance / width + epsilon);
  for (let i = 0; i < width; i += 1) values[to + i] = (values[from + i]! - mean) * scale * gain[i]! + shift[i]!;
}
