// What the simulated past is computed from, apart from the seed: the settings of the first start that had it. They stay in the
// store, because with other ones bars that were already served would change. In a cluster, gateways read them there.
import type { InstrumentSpec } from '@tickwire/engine';
import type { MarketStore } from '../../../store/store.ts';
import { type SimOptions, totalActivityOf } from './model.ts';
import { storedSeed } from './sim-seed.ts';

export async function keepPastSettings(
  store: Pick<MarketStore, 'number' | 'setNumber'>,
  instruments: readonly InstrumentSpec[],
  { rate, hours }: SimOptions,
): Promise<void> {
  if ((await store.number('sim_past_hours')) !== undefined) return;
  await store.setNumber('sim_past_rate', rate);
  await store.setNumber('sim_past_activity', totalActivityOf(instruments));
  // Last: the others are complete if this one exists.
  await store.setNumber('sim_past_hours', hours === 'real' ? 1 : 0);
}

/** `null` if the simulated markets of this store have not been started yet. */
export async function loadPastSettings(store: Pick<MarketStore, 'number'>): Promise<SimOptions | null> {
  const hours = await store.number('sim_past_hours');
  const seed = await storedSeed(store);
  if (hours === undefined || seed === undefined) return null;
  return {
    seed,
    rate: (await store.number('sim_past_rate'))!,
    totalActivity: (await store.number('sim_past_activity'))!,
    hours: hours === 1 ? 'real' : 'always',
  };
}
