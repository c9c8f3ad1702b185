// The pipeline: everything that must exist exactly once. Feeds → intake → engine → journal → market view, recorder, signal
// service; the news pipeline; and the economic calendar.
import { join } from 'node:path';
import { DAY_MS, Engine, HOUR_MS, type InstrumentSpec, MINUTE_MS, SECOND_MS, trustedSources } from '@tickwire/engine';
import { type OpenModels, openModels } from '../ai/open-models.ts';
import { type Alerts, openAlerts } from '../alerts/open-alerts.ts';
import { type Calendar, hiddenSource, openCalendar } from '../calendar/open-calendar.ts';
import type { Config } from '../config/config.ts';
import { prepareDeliveryKey } from '../delivery/delivery-key-check.ts';
import type { Delivery } from '../delivery/open-delivery.ts';
import { UnsubscribeLinks } from '../delivery/unsubscribe-links.ts';
import type { Journal, JournalReader } from '../journal/journal.ts';
import { openBarSource } from '../market/bar-source.ts';
import { feedHealth } from '../market/feeds/feed.ts';
import type { FeedSet, OpenFeeds } from '../market/feeds/open-feeds.ts';
import { HistogramFill } from '../market/histogram-fill.ts';
import { Intake } from '../market/intake.ts';
import { MarketView } from '../market/market-view.ts';
import { FLUSH_MS, Recorder } from '../market/recorder.ts';
import { type Restored, restoreMarket } from '../market/restore.ts';
import { SpikeFilter } from '../market/spike-filter.ts';
import { targetsOf } from '../news/curation/sentiment-targets.ts';
import { hiddenNews, type News, openNews } from '../news/open-news.ts';
import type { Log } from '../ops/log.ts';
import type { Timers } from '../ops/timers.ts';
import { headDestinations } from '../signals/head-destinations.ts';
import { HeadWriter } from '../signals/head-writer.ts';
import { logKeyFile } from '../signals/log-key.ts';
import { LogRequests } from '../signals/log-requests.ts';
import { openSignals, type Signals } from '../signals/open-signals.ts';
import { TapeSealer } from '../signals/tape-sealer.ts';
import type { Store } from '../store/store.ts';
import type { Access } from './access.ts';
import { closeAfterFailure } from './app.ts';

const CLOCK_MS = 100;
const PRUNE_MS = HOUR_MS;
const MARK_MS = 10_000;
const SEAL_CHECK_MS = SECOND_MS;
const REQUESTS_MS = SECOND_MS;
const MEASURE_MS = MINUTE_MS;
/** One instrument and day at a time, so that the market is not delayed. */
const FILL_MS = SECOND_MS;

/** The parts of the pipeline that read the journal. */
export interface PipelineReaders {
  readonly market: MarketView;
  readonly recorder: Recorder;
  readonly signals: Signals;
  readonly news: News;
  readonly alerts: Alerts;
  readonly calendar: Calendar;
}

export interface PipelineOptions {
  readonly config: Config;
  readonly instruments: readonly InstrumentSpec[];
  readonly store: Store;
  readonly journal: Journal;
  /** All journal readers of the node, in the order in which each batch is delivered. */
  readonly readersOf: (parts: PipelineReaders) => readonly JournalReader[];
  /** Resolves when everything so far may be stored; rejects if it takes too long. Default: immediately. */
  readonly published?: () => Promise<void>;
  readonly access: Pick<Access, 'nameOf' | 'publisherOf' | 'keyring'>;
  /** Sends the messages of alerts. */
  readonly delivery: Delivery;
  readonly openFeeds: OpenFeeds;
  readonly now: () => number;
  readonly log: Log;
}

export interface Pipeline extends PipelineReaders {
  readonly journal: Journal;
  readonly engine: Engine;
  readonly intake: Intake;
  /** `null` for simulated markets. */
  readonly spikes: SpikeFilter | null;
  readonly models: OpenModels;
  readonly feeds: FeedSet;
  readonly heads: HeadWriter;
  /** `null` on the first start. */
  readonly restored: Restored | null;
  /** For `/readyz`. */
  checks(): Record<string, string>;
  start(timers: Timers): void;
  /** Stops feeds, news sources and models: nothing new is appended to the journal. */
  stopIntake(): Promise<void>;
  /** Resolves when everything so far is stored. */
  drain(): Promise<void>;
}

/** Opens all parts, restores the state of the last run and catches up. Closes what it opened if a step fails. */
export async function openPipeline(options: PipelineOptions): Promise<Pipeline> {
  const { config, instruments, store, journal, access, now, log } = options;
  const { nameOf, publisherOf } = access;
  const simulated = config.realm === 'sim';
  const folder = join(config.data, config.realm);
  const opened = new AsyncDisposableStack();
  try {
    const engine = new Engine(instruments);
    const market = new MarketView(instruments);
    const barsUntil = (await store.market.number('bars_until')) ?? 0;
    const recorder = new Recorder({ store: store.market, instruments, log, barsUntil });
    const spikes = simulated ? null : new SpikeFilter(config.spike_percent);
    const intake = new Intake({ instruments, engine, journal, log, ...(spikes && { spikes }), now });
    const models = await openModelsFor(config, instruments, now, log);
    opened.defer(() => models.models.stop());
    const news = await openNews({ config, instruments, store, journal, models: models.models, now, log });
    opened.defer(() => news.stop());
    const calendar = await openCalendar({ config, instruments, store, journal, now, log });
    opened.defer(() => calendar.stop());
    await prepareDeliveryKey(store.market, config, log);
    const links = new UnsubscribeLinks(config);
    const alerts = await openAlerts({
      store,
      instruments,
      journal,
      ...(options.published && { published: options.published }),
      market,
      bars: openBarSource(config, instruments, store.market, now),
      delivery: options.delivery,
      accountOf: (publicId) => access.keyring.account(publicId),
      deletedAccounts: () => access.keyring.deletedAccounts(),
      nameOf,
      publisherOf,
      unsubscribeUrl: (destination) => links.urlOf(destination),
      hidden: { news: hiddenNews(config.news), calendar: hiddenSource(config.calendar) },
      isReplay: config.realm === 'replay',
      now,
      log,
    });
    opened.defer(() => alerts.stop());
    const signals = await openSignals({
      store,
      instruments,
      recorder,
      journal,
      ...(options.published && { published: options.published }),
      realm: config.realm,
      folder,
      keyFile: logKeyFile(config),
      maxActive: config.max_active_signals,
      alwaysOpen: simulated && config.sim_hours === 'always',
      restoredQuoteTime: (symbol) => market.restoredQuoteTime(symbol),
      isQuarantined: (symbol) => intake.isQuarantined(symbol),
      isTrusted: trustedSources(config.trusted_sources ?? undefined),
      nameOf,
      publisherOf,
      now,
      log,
    });
    const { service, ledger, judge } = signals;
    opened.defer(() => ledger.stop());
    // Before the tape is replayed: a signal that it closes is appended to the journal.
    const readers = options.readersOf({ market, recorder, signals, news, calendar, alerts });
    for (const reader of readers) journal.subscribe(reader);
    const restored = await restoreMarket({
      ...{ store: store.market, instruments, engine, view: market, recorder, judge },
      replay: alerts.replay,
    });
    signals.restored();
    alerts.restored();
    for (const spec of instruments) {
      const last = market.tick(spec.symbol);
      if (last) spikes?.seed(spec, { ...last, kind: 'quote' });
    }
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
    opened.defer(() => feeds.stop());
    recorder.connected = () => feeds.connected(now());
    const passTime = (time: number): void => {
      const clock = feeds.clock(time);
      if (clock !== null) intake.clock(clock);
    };
    passTime(now());
    await recorder.drain();
    await signals.live();
    await alerts.live(signals.events);
    const sealer = new TapeSealer({ store, folder, log, seal: (day) => ledger.seal(day) });
    const requests = new LogRequests({ store: store.access, realm: config.realm, service, now });
    const histograms = new HistogramFill({
      store: store.market,
      instruments,
      tapeDays: config.tape_days,
      log,
      now,
    });
    const heads = new HeadWriter({
      head: () => ledger.head(),
      destinations: await headDestinations(config, store.heads),
      everyMs: config.head_minutes * MINUTE_MS,
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
      calendar,
      alerts,
      models,
      feeds,
      heads,
      restored,
      checks: () => ({
        store: (recorder.failure ?? ledger.failure ?? alerts.writer.failure)?.message ?? 'ok',
        ...Object.fromEntries(feeds.feeds.map((feed) => [`feed ${feed.status().name}`, feedHealth(feed.status())])),
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
          if (days > 0) log.info('deleted old tape', { days });
        });
        timers.every(FILL_MS, 'filling volume at price', () => histograms.step());
        timers.every(MARK_MS, 'marking how far signals were judged', () => ledger.markJudged());
        timers.every(SEAL_CHECK_MS, 'sealing days of the tape', () => sealer.run(now()), { immediately: true });
        timers.every(REQUESTS_MS, 'requests of the command line', () => requests.run(), { immediately: true });
        timers.every(MEASURE_MS, 'measuring moves after news', () => news.measure(now()));
        timers.every(PRUNE_MS, 'deleting old news', () => news.prune(now()));
        timers.every(PRUNE_MS, 'deleting old gaps', () => service.forgetGaps());
        timers.every(PRUNE_MS, 'deleting old calendar events', () => calendar.prune(now()));
        alerts.start(timers);
        news.start();
        calendar.start();
        feeds.start();
        // Last, so that a feed that fails to start leaves no timer.
        heads.start();
      },
      async stopIntake() {
        feeds.stop();
        intake.stop();
        await news.stop();
        await calendar.stop();
        await models.models.stop();
      },
      async drain() {
        await sealer.stop();
        await recorder.drain();
        await ledger.stop();
        await alerts.stop();
        await ledger.markJudged().catch((error) => log.error('the signal log could not be marked', { error }));
        await heads.stop();
      },
    };
  } catch (error) {
    await closeAfterFailure(opened, log);
    throw error;
  }
}

/** The configured models. They know the names of the instruments. */
export function openModelsFor(
  settings: Config,
  instruments: readonly InstrumentSpec[],
  now: () => number,
  log: Log,
): Promise<OpenModels> {
  const nameOf = new Map(instruments.map(({ symbol, name }) => [symbol, name]));
  return openModels({ settings, targetsOf: (symbol) => targetsOf(symbol, nameOf.get(symbol)), now, log });
}
