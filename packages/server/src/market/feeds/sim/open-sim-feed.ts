// Opens the simulated markets and brings them up to date: from the end of the store, or with a new history.
import { asEpochMs, DAY_MS, type Engine, type EpochMs, type InstrumentSpec } from '@tickwire/engine';
import type { Config } from '../../../config/config.ts';
import type { MarketStore } from '../../../store/store.ts';
import type { Intake } from '../../intake.ts';
import type { MarketView } from '../../market-view.ts';
import type { Recorder } from '../../recorder.ts';
import type { Restored } from '../../restore.ts';
import { writeInitialHistory } from './initial-history.ts';
import { keepPastSettings } from './past-settings.ts';
import { MAX_FILL_MS, SimFeed } from './sim-feed.ts';
import { SimMarket } from './sim-market.ts';
import { simSeed } from './sim-seed.ts';

/** Ticks generated on the first start: enough to show an active market, few enough to start quickly. */
const INITIAL_EVENTS = 30_000;
/** Where the last history ends, stored before its bars. */
const HISTORY_UNTIL = 'sim_history_until';

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
  const { sim_rate: rate, sim_hours: hours } = config;
  const seed = await simSeed(store, config.sim_seed);
  const market = new SimMarket(instruments, { seed, rate, hours });
  await keepPastSettings(store, instruments, market.options);
  const sink = intake.sinkFor('sim');
  const feed: SimFeed = new SimFeed({
    market,
    sink,
    now,
    stored: () => recorder.drain(),
    async renew(from) {
      const keepUntil = from > 0 ? await completeDay(feed, from, intake, recorder) : from;
      // One that was interrupted is written again up to the same end: up to a later one, some of its bars would be left.
      const begun = asEpochMs((await store.number(HISTORY_UNTIL)) ?? 0);
      const isInterrupted = begun > from && now() - begun <= MAX_FILL_MS;
      const until = isInterrupted ? begun : SimFeed.catchUpStart(rate, now(), INITIAL_EVENTS);
      await store.setNumber(HISTORY_UNTIL, until);
      await writeInitialHistory({ market, engine, view, store, until, keepUntil });
      // Readers of streams get none of it. Before the clock, which ends signals whose deadline is in the gap.
      const { state, symbols } = feed.status();
      if (state === 'waiting') sink.accept([{ kind: 'gap', symbols, from: keepUntil, to: until, time: until }]);
      // The recorder continues from there.
      intake.clock(until);
      return until;
    },
  });
  await feed.catchUp(asEpochMs(restored ? restored.until + 1 : 0));
  return feed;
}

/** Fills the day on which the service stopped, so that its longer bars are complete and no day mixes two histories. */
async function completeDay(feed: SimFeed, from: EpochMs, intake: Intake, recorder: Recorder): Promise<EpochMs> {
  const next = asEpochMs(Math.ceil(from / DAY_MS) * DAY_MS);
  await feed.fill(from, next);
  intake.clock(next);
  await recorder.drain();
  return next;
}
