// The seed of the simulated markets. Whoever knows it can compute all future prices, so a new store gets a random one.
// A store keeps its first seed, because prices of another one would jump. In a cluster it is in the database.
import { randomBytes } from 'node:crypto';
import { ConfigError } from '../../../config/config.ts';
import type { MarketStore } from '../../../store/store.ts';
import { SHORT_SEEDS } from './seed-keys.ts';

/** The seed of the store. A new store gets the `configured` one, or a random one if it is `null`. */
export async function simSeed(
  store: Pick<MarketStore, 'number' | 'setNumber'>,
  configured: number | null,
): Promise<number> {
  const stored = await storedSeed(store);
  if (stored !== undefined && configured !== null && stored !== configured) {
    // A random seed is a secret, and this message ends in a log.
    const started = stored < SHORT_SEEDS ? `${stored}: use that seed` : 'a random one: remove the setting';
    throw new ConfigError(
      `TICKWIRE_SIM_SEED is ${configured}, but the simulated markets of this store were started with ${started}, or start with an empty store`,
    );
  }
  if (stored !== undefined) return stored;
  const seed = configured ?? randomSeed();
  await store.setNumber('sim_seed', seed);
  return seed;
}

/** At least 2^32 and below 2^53, the largest number that a store keeps exactly. */
function randomSeed(): number {
  const seed = Number(randomBytes(8).readBigUInt64LE() >> 11n);
  return seed < SHORT_SEEDS ? randomSeed() : seed;
}

/** `undefined` if the store is new. */
export const storedSeed = (store: Pick<MarketStore, 'number'>): Promise<number | undefined> => store.number('sim_seed');
