// The floor: where the markets happen. Feeds, engine and recorder, the verifier and the log of signals, the newsroom: what
// there must be one of. Feed → intake → engine → journal → view, recorder, verifier.
import { join } from 'node:path';
import { Engine, type InstrumentSpec } from '@tickwire/engine';
import { type OpenModels, openModels } from '../ai/open.ts';
import type { Config } from '../config.ts';
import { healthOf } from '../feeds/feed.ts';
import type { FeedSet, OpenFeeds } from '../feeds/open.ts';
import { Intake } from '../journal/intake.ts';
import type { Journal, JournalReader } from '../journal/journal.ts';
import { SpikeFilter } from '../journal/spike-filter.ts';
import { targetsOf } from '../news/curation/targets.ts';
import { type News, openNews } from '../news/open.ts';
import type { Log } from '../ops/log.ts';
import type { Timers } from '../ops/timers.ts';
import { HeadWriter } from '../signals/head-writer.ts';
import { openSignals, type Signals } from '../signals/open.ts';
import { sealDays } from '../signals/seal.ts';
import { FLUSH_MS, Recorder } from '../store/recorder.ts';
import { type Restored, restoreMarket } from '../store/restore.ts';
import type { Store } from '../store/store.ts';
import { MarketView } from '../views/market-view.ts';
import type { Access } from './access.ts';

const DAY_MS = 86_400_000;
const CLOCK_MS = 100;
const PRUNE_MS = 3_600_000;
const MARK_MS = 10_000;
const MEASURE_MS = 60_000;

export interface OpenFloorOptions {
  readonly config: Config;
  readonly instruments: readonly InstrumentSpec[];
  readonly store: Store;
  readonly journal: Journal;
  /** Hands the recorder what may be stored; everything at once where left out. */
  readonly record?: (reader: JournalReader) => void;
  /** Everything that happened so far may be stored when this resolves; it throws where that cannot be waited for. */
  readonly published?: () => Promise<void>;
  readonly access: Pick<Access, 'nameOf' | 'publisherOf'>;
  readonly openFeeds: OpenFeeds;
  readonly now: () => number;
  readonly log: Log;
}

export interface Floor {
  readonly journal: Journal;
  readonly engine: Engine;
  readonly market: MarketView;
  readonly recorder: Recorder;
  readonly intake: Intake;
  readonly spikes: SpikeFilter | null;
  readonly signals: Signals;
  readonly news: News;
  readonly models: OpenModels;
  readonly feeds: FeedSet;
  readonly restored: Restored | null;
  /** What `/readyz` says of it. */
  checks(): Record<string, string>;
  start(timers: Timers): void;
  /** Nothing more comes in. */
  quiet(): Promise<void>;
  /** Everything that happened is written. */
  settle(): Promise<void>;
}

export async function openFloor(options: OpenFloorOptions): Promise<Floor> {
  const { config, instruments, store, journal, access, now, log } = options;
  const { nameOf, publisherOf } = access;
  const simulated = config.realm === 'sim';
  const folder = join(config.data, config.realm);
  const engine = new Engine(instruments);
  const market = new MarketView(instruments);
  const barsUntil = (await store.market.number('bars_until')) ?? 0;
  const recorder = new Recorder({ store: store.market, instruments, log, barsUntil });
  const spikes = simulated ? null : new SpikeFilter(config.spike_percent);
  const intake = new Intake({ instruments, engine, journal, log, ...(spikes && { spikes }), now });
  const signals = await openSignals({
    store,
    instruments,
    recorder,
    journal,
    ...(options.published && { published: options.published }),
    realm: config.realm,
    folder,
    keyFile: config.log_key,
    maxActive: config.max_active_signals,
    alwaysOpen: simulated && config.sim_hours === 'always',
    nameOf,
    publisherOf,
    now,
    log,
  });
  const { desk, ledger, judge } = signals;
  const restored = await restoreMarket({ store: store.market, instruments, engine, view: market, recorder, judge });
  signals.restored();
  journal.subscribe(market.read);
  if (options.record) options.record(recorder.read);
  else journal.subscribe(recorder.read);
  journal.subscribe(desk.read);
  journal.subscribe(signals.feed.read);
  journal.subscribe(signals.records.read);
  const feeds = await options.openFeeds({
    config,
    instruments,
    engine,
    view: market,
    store: store.market,
    recorder,
    intake,
    restored,
    log,
    now,
  });
  const models = await openModelsFor(config, instruments, now, log);
  const news = await openNews({ config, instruments, store, journal, models: models.models, now, log });
  journal.subscribe(news.feed.read);
  recorder.connected = () => feeds.connected(now());
  const passTime = (time: number): void => {
    const clock = feeds.clock(time);
    if (clock !== null) intake.clock(clock);
  };
  passTime(now());
  await recorder.flush();
  await signals.live();
  const heads = new HeadWriter({
    head: () => ledger.head(),
    file: config.head_file,
    webhook: config.head_webhook,
    everyMs: config.head_minutes * 60_000,
    log,
  });

  return {
    journal,
    engine,
    market,
    recorder,
    intake,
    spikes,
    signals,
    news,
    models,
    feeds,
    restored,
    checks: () => ({
      store: (recorder.failure ?? ledger.failure)?.message ?? 'ok',
      ...Object.fromEntries(feeds.feeds.map((feed) => [`feed ${feed.status().name}`, healthOf(feed.status())])),
    }),
    start(timers) {
      let second = 0;
      timers.every(CLOCK_MS, 'the clock', () => {
        const time = now();
        if (Math.floor(time / 1000) === second) return;
        second = Math.floor(time / 1000);
        passTime(time);
      });
      timers.every(FLUSH_MS, 'recording', () => recorder.flush());
      timers.every(PRUNE_MS, 'pruning the tape', async () => {
        const days = await store.market.pruneTape(now() - config.tape_days * DAY_MS);
        if (days > 0) log.info('old tape dropped', { days });
      });
      timers.every(MARK_MS, 'marking how far signals were judged', () => ledger.mark());
      const gone = new Set<string>();
      timers.every(PRUNE_MS, 'sealing days of the tape', () =>
        sealDays({ store, folder, now: now(), log, gone, seal: (day) => ledger.seal(day) }),
      );
      timers.every(MEASURE_MS, 'measuring moves after news', () => news.measure(now()));
      timers.every(PRUNE_MS, 'forgetting old news', () => news.prune(now()));
      timers.every(PRUNE_MS, 'forgetting gaps', () => desk.forgetGaps());
      heads.start();
      news.start();
      feeds.start();
    },
    async quiet() {
      feeds.stop();
      await news.stop();
      await models.models.stop();
    },
    async settle() {
      await recorder.flush();
      await ledger.settle();
      await ledger.mark().catch((error) => log.error('the signal log could not be marked', { error }));
      await heads.stop();
    },
  };
}

/** The models of the configuration, which know what an instrument is called. */
export function openModelsFor(
  settings: Config,
  instruments: readonly InstrumentSpec[],
  now: () => number,
  log: Log,
): Promise<OpenModels> {
  const nameOf = new Map(instruments.map(({ symbol, name }) => [symbol, name]));
  return openModels({ settings, targetsOf: (symbol) => targetsOf(symbol, nameOf.get(symbol)), now, log });
}
