// Derives the keys of the simulated markets from their seed: one for each factor, each instrument and the headlines.
import { createHmac, scryptSync } from 'node:crypto';
import { keyedByName } from './noise.ts';

/** Seeds below are short enough to try all of them against observed prices. Only a user sets one, or an earlier release. */
export const SHORT_SEEDS = 2 ** 32;
/** Seeds are below this. */
export const SEED_LIMIT = 2 ** 48;
/** About 10 ms for each guess of a seed. */
const STRETCH = { N: 2 ** 12 };

/** A 32-bit key by name. Those of a long seed are independent: an instrument cannot be computed from fewer than all of its keys. */
export function keysOfSeed(seed: number): (name: string) => number {
  if (seed < SHORT_SEEDS) return (name) => keyedByName(seed, name);
  const secret = scryptSync(String(seed), 'tickwire simulated markets', 32, STRETCH);
  return (name) => createHmac('sha256', secret).update(name).digest().readInt32BE();
}
