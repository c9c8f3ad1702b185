// Derives the noise of the simulated markets from their seed. Each factor, each instrument and the headlines have their own
// 128-bit key, so that nothing follows from the prices of another one.
import { scryptSync } from 'node:crypto';
import { Noise } from './noise.ts';

/** Seeds below are short enough to try all of them against observed prices. Only a user sets one. */
export const SHORT_SEEDS = 2 ** 32;
/** About 10 ms for each guess of a seed. */
const STRETCH = { N: 2 ** 12 };

/** The last result: the markets, their past and the calendar use the same seed. */
let last: { readonly seed: number; readonly noise: Noise } | null = null;

export function noiseOfSeed(seed: number): Noise {
  if (last?.seed === seed) return last.noise;
  const secret = scryptSync(String(seed), 'tickwire simulated markets', 16, STRETCH);
  const [a, b, c, d] = [0, 4, 8, 12].map((at) => secret.readInt32LE(at));
  last = { seed, noise: new Noise(a!, b!, c!, d!) };
  return last.noise;
}
