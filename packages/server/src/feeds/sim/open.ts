// Brings the simulated markets up to now: from where the store left off, or with a history of their own.
import { asEpochMs, type Engine, type InstrumentSpec } from '@tickwire/engine';
import { type Config, ConfigError } from '../../config.ts';
import type { Restored } from '../../store/restore.ts';
import type { MarketStore } from '../../store/store.ts';
import type { MarketView } from '../../views/market-view.ts';
import type { FeedSink } from '../feed.ts';
import { SimFeed } from './feed.ts';
import { writeFirstHistory } from './first-history.ts';
import { SimMarket } from './market.ts';

/** After a longer absence history is made anew instead of filled minute by minute. */
const LONGEST_FILL_MS = 7 * 86_400_000;

export interface OpenSimOptions {
  readonly config: Config;
  readonly instruments: readonly InstrumentSpec[];
  readonly engine: Engine;
  readonly view: MarketView;
  readonly store: MarketStore;
  readonly sink: FeedSink;
  readonly restored: Restored | null;
  readonly now: () => number;
}

export async function openSimFeed({
  config,
  instruments,
  engine,
  view,
  store,
  sink,
  restored,
  now,
}: OpenSimOptions): Promise<SimFeed> {
  const { sim_seed: seed, sim_rate: rate, sim_hours: hours } = config;
  await holdSeed(store, seed);
  const market = new SimMarket(instruments, { seed, rate, hours });
  const feed = new SimFeed({ market, sink, now });
  let from = asEpochMs(restored ? restored.until + 1 : 0);
  if (now() - from > LONGEST_FILL_MS) {
    const until = SimFeed.reach(rate, now());
    await writeFirstHistory({ market, engine, view, store, until, keepUntil: from });
    from = until;
  }
  feed.catchUp(from);
  return feed;
}

/** Prices of another seed would jump: a store keeps the one it began with. */
async function holdSeed(store: MarketStore, seed: number): Promise<void> {
  const held = await store.number('sim_seed');
  if (held === undefined) await store.setNumber('sim_seed', seed);
  else if (held !== seed) {
    throw new ConfigError(
      `TICKWIRE_SIM_SEED is ${seed}, but the simulated markets in this data folder began with ${held}: keep that seed, or set TICKWIRE_DATA to another folder`,
    );
  }
}
