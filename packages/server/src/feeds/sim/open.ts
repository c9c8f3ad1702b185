// Brings the simulated markets up to now: from where the store left off, or with a history of their own.
import { asEpochMs, type Engine, type EpochMs, type InstrumentSpec } from '@tickwire/engine';
import { type Config, ConfigError } from '../../config.ts';
import type { Intake } from '../../journal/intake.ts';
import type { Recorder } from '../../store/recorder.ts';
import type { Restored } from '../../store/restore.ts';
import type { MarketStore } from '../../store/store.ts';
import type { MarketView } from '../../views/market-view.ts';
import { SimFeed } from './feed.ts';
import { writeFirstHistory } from './first-history.ts';
import { SimMarket } from './market.ts';

const DAY_MS = 86_400_000;
/** Ticks before a first start: enough to see a market at work, few enough not to wait for. */
const FIRST_EVENTS = 60_000;
/** After a longer absence history is made anew instead of filled minute by minute. */
const LONGEST_FILL_MS = 7 * DAY_MS;

export interface OpenSimOptions {
  readonly config: Config;
  readonly instruments: readonly InstrumentSpec[];
  readonly engine: Engine;
  readonly view: MarketView;
  readonly store: MarketStore;
  readonly intake: Intake;
  readonly recorder: Recorder;
  readonly restored: Restored | null;
  readonly now: () => number;
}

export async function openSimFeed({
  config,
  instruments,
  engine,
  view,
  store,
  intake,
  recorder,
  restored,
  now,
}: OpenSimOptions): Promise<SimFeed> {
  const { sim_seed: seed, sim_rate: rate, sim_hours: hours } = config;
  await holdSeed(store, seed);
  const market = new SimMarket(instruments, { seed, rate, hours });
  const feed = new SimFeed({ market, sink: intake.from('sim'), now });
  let from = asEpochMs(restored ? restored.until + 1 : 0);
  if (now() - from > LONGEST_FILL_MS) {
    if (restored) from = await completeDay(feed, from, intake, recorder);
    const until = SimFeed.reach(rate, now(), FIRST_EVENTS);
    await writeFirstHistory({ market, engine, view, store, until, keepUntil: from });
    from = until;
  }
  feed.catchUp(from);
  return feed;
}

/** Fills the day the service stopped on, so that its longer bars are whole and no day's bars have two sources. */
async function completeDay(feed: SimFeed, from: EpochMs, intake: Intake, recorder: Recorder): Promise<EpochMs> {
  const next = asEpochMs(Math.ceil(from / DAY_MS) * DAY_MS);
  feed.fill(from, next);
  intake.clock(next);
  await recorder.flush();
  return next;
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
