// The bars that readers of history see: those of the store, and in simulated markets also the ones that are computed.
import type { InstrumentSpec, MarketSymbol } from '@tickwire/engine';
import type { Config } from '../config/config.ts';
import type { MarketStore } from '../store/store.ts';
import { SimBarSource } from './feeds/sim/sim-bar-source.ts';

export interface BarSource extends Pick<MarketStore, 'bars' | 'watched'> {
  /**
   * Start of the first stored bar; `null` if there is none. Only where earlier ones are computed: files of all bars begin with
   * it, unless an earlier time is asked for.
   */
  storedFrom?(symbol: MarketSymbol): Promise<number | null>;
}
export type StoredBars = Pick<MarketStore, 'bars' | 'watched' | 'number'>;

/** `now` in epoch milliseconds. */
export function openBarSource(
  { realm }: Pick<Config, 'realm'>,
  instruments: readonly InstrumentSpec[],
  store: StoredBars,
  now: () => number,
): BarSource {
  return realm === 'sim' ? new SimBarSource({ store, instruments, now }) : store;
}
