// The pipeline: everything that must exist exactly once. Feeds → intake → engine → journal → market view, recorder, signal
// service; the news pipeline; and the economic calendar.
import { join } from 'node:path';
import { iso } from '@tickwire/contract';
import {
  asEpochMs,
  bySymbol,
  DAY_MS,
  Engine,
  type GapEvent,
  type InstrumentSpec,
  type MarketSymbol,
  MINUTE_MS,
  trustedSources,
} from '@tickwire/engine';
import { type OpenModels, openModels } from '../ai/open-models.ts';
import { type Alerts, openAlerts } from '../alerts/open-alerts.ts';
import { type Calendar, openCalendar } from '../calendar/open-calendar.ts';
import { type ChatPublishing, openChatChannels } from '../chat-channels/open-chat-channels.ts';
import type { Config } from '../config/config.ts';
import { prepareDeliveryKey } from '../delivery/delivery-key-check.ts';
import type { Delivery } from '../delivery/open-delivery.ts';
import { UnsubscribeLinks } from '../delivery/unsubscribe-links.ts';
import { hiddenSource } from '../documents/source.ts';
import { VenueHistory } from '../import/venue/venue-history.ts';
import type { Journal } from '../journal/journal.ts';
import { openBarSource } from '../market/bar-source.ts';
import { feedHealth, type HistoryStatus } from '../market/feeds/feed.ts';
import type { FeedSet, OpenFeeds } from '../market/feeds/open-feeds.ts';
import { Intake } from '../market/intake.ts';
import { MarketView } from '../market/market-view.ts';
import { passTime, STOPPED_AT } from '../market/module.ts';
import { PerpetualIntake } from '../market/perpetual-intake.ts';
import { PushHandlers } from '../market/push-handlers.ts';
import { Recorder } from '../market/recorder.ts';
import { clockProblem, type Restored, restoreMarket } from '../market/restore.ts';
import { SpikeFilter } from '../market/spike-filter.ts';
import { VenueInstruments } from '../market/venue-instruments.ts';
import { targetsOf } from '../news/curation/sentiment-targets.ts';
import { type News, openNews } from '../news/open-news.ts';
import type { Log } from '../ops/log.ts';
import { headDestinations } from '../signals/head-destinations.ts';
import { HeadWriter } from '../signals/head-writer.ts';
import { logKeyFile } from '../signals/log-key.ts';
import { openSignals, type Signals } from '../signals/open-signals.ts';
import type { TapeBlock } from '../store/store.ts';
import { placeOf } from '../store/tape-rows.ts';
import { closeAfterFailure } from './app.ts';
import type { NodeContext } from './node-context.ts';
import type { ReadModels } from './read-models.ts';

export interface PipelineOptions extends NodeContext {
  readonly journal: Journal;
  /** Resolves when everything so far may be stored; rejects if it takes too long. Default: immediately. */
  readonly published?: () => Promise<void>;
  /** Sends the messages of alerts. */
  readonly delivery: Delivery;
  readonly openFeeds: OpenFeeds;
}

export interface Pipeline extends ReadModels {
  /** The history of each venue. */
  readonly historyStatus: () => readonly HistoryStatus[];
  readonly engine: Engine;
  readonly intake: Intake;
  readonly perpetuals: PerpetualIntake;
  readonly recorder: Recorder;
  /** `null` for simulated markets. */
  readonly spikes: SpikeFilter | null;
  readonly signals: Signals;
  readonly heads: HeadWriter;
  readonly news: News;
  readonly calendar: Calendar;
  readonly alerts: Alerts;
  readonly chats: ChatPublishing;
  readonly push: PushHandlers;
  /** Finds and adds instruments of venues. */
  readonly venueInstruments: VenueInstruments;
  /** `null` until `restore` has opened them. */
  readonly feeds: () => FeedSet | null;
  /** Fetches bars of the past; `null` until `restore` has opened the feeds. */
  readonly history: () => VenueHistory | null;
  /**
   * Restores the state of the last run, opens the feeds and catches up. The readers of the journal must be subscribed before: a
   * signal that the tape closes is appended to the journal. Returns what was restored, `null` on the first start.
   */
  restore(): Promise<Restored | null>;
  /** Closes everything after a failed start. */
  close(): Promise<void>;
}

/** Opens all parts. Closes what it opened if a step fails. */
export async function openPipeline(options: PipelineOptions): Promise<Pipeline> {
  const { config, catalogue, instruments, store, journal, access, lines, now, log } = options;
  const { nameOf, publisherOf } = access;
  const simulated = config.realm === 'sim';
  const opened = new AsyncDisposableStack();
  try {
    const engine = new Engine(instruments);
    const market = new MarketView(instruments);
    const barsUntil = (await store.market.number('bars_until')) ?? 0;
    const recorder = new Recorder({ store: store.market, instruments, log, barsUntil });
    const spikes = simulated ? null : new SpikeFilter(config.spike_percent);
    const intake = new Intake({ instruments, engine, journal, log, ...(spikes && { spikes }), now });
    const perpetuals = new PerpetualIntake(journal);
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
      hidden: { news: hiddenSource(config.news), calendar: hiddenSource(config.calendar) },
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
      folder: join(config.data, config.realm),
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
    const { ledger, judge } = signals;
    opened.defer(() => ledger.stop());
    const chats = await openChatChannels({
      config,
      store,
      service: signals.service,
      delivery: options.delivery,
      linkAlerts: alerts.linkTelegram,
      accountOf: (publicId) => access.keyring.account(publicId),
      deletedAccounts: () => access.keyring.deletedAccounts(),
      publicUrl: config.public_url,
      now,
      log,
    });
    const heads = new HeadWriter({
      head: () => ledger.head(),
      destinations: await headDestinations(config, store.heads),
      everyMs: config.head_minutes * MINUTE_MS,
      log,
    });
    let feeds: FeedSet | null = null;
    let history: VenueHistory | null = null;
    let storedUntil = 0;
    /** When the last run stopped with everything stored; 0 if it did not. */
    let stoppedAt: number | undefined;

    const onDamaged = (block: TapeBlock): void =>
      log.error('a block of the tape is damaged: its ticks are missing', placeOf(block));

    /** Ticks that the last run accepted and could not store. Venues are asked for what is missing; what was pushed is lost. */
    function declareLoss({ feeds: all, push }: FeedSet, { until }: Restored): void {
      // An ingest node completes the tape from the journal.
      if (!push || options.published) return;
      const fetched = new Set(all.flatMap((feed) => (feed === push ? [] : feed.status().symbols)));
      const time = asEpochMs(Math.floor(now()));
      const gaps = instruments.flatMap(({ symbol }): GapEvent[] => {
        const quote = signals.verifier.quote(symbol);
        if (fetched.has(symbol) || !quote) return [];
        const from = asEpochMs(Math.min(quote.time, time));
        return [{ kind: 'gap', symbols: [symbol], from, to: time, time }];
      });
      log.warn('the last run did not store everything: pushed ticks may be missing', { since: iso(until) });
      intake.accept(gaps, 'push');
    }

    async function restore(): Promise<Restored | null> {
      const parts = { instruments, engine, view: market, store: store.market, recorder };
      stoppedAt = await store.market.number(STOPPED_AT);
      await store.market.setNumber(STOPPED_AT, 0);
      await store.market.gatherTape(Math.max(0, barsUntil - DAY_MS));
      const restored = await restoreMarket({ ...parts, judge, replay: alerts.replay, onDamaged });
      storedUntil = restored?.until ?? 0;
      const problem = clockProblem(storedUntil, now());
      if (problem) log.error(problem);
      signals.restored();
      alerts.restored();
      for (const spec of instruments) {
        const last = market.tick(spec.symbol);
        if (last) spikes?.seed(spec, { ...last, kind: 'quote' });
      }
      const set = await options.openFeeds({ ...parts, config, intake, perpetuals, restored, log, now });
      feeds = set;
      recorder.connected = () => set.connected(now());
      passTime(set, intake, now());
      if (restored && stoppedAt === 0) declareLoss(set, restored);
      await recorder.drain();
      const sources = { instruments, feeds: set, store: store.market, view: market, recorder, intake, log, now };
      history = await VenueHistory.open(sources);
      await signals.live();
      await alerts.live(signals.events);
      return restored;
    }

    return {
      journal,
      engine,
      market,
      recorder,
      intake,
      perpetuals,
      spikes,
      signals,
      heads,
      news,
      calendar,
      alerts,
      chats,
      models,
      venueInstruments: new VenueInstruments({
        catalogue,
        venues: () => feeds?.venues ?? [],
        store: store.market,
        announce(spec, added, venue, venueSymbol) {
          journal.append([{ kind: 'instrument', spec, added }]);
          venue.add(venueSymbol, spec.symbol);
          void history
            ?.add(spec)
            .catch((error) => log.error('the past of an instrument waits', { symbol: spec.symbol, error }));
        },
        now,
      }),
      push: new PushHandlers({ feed: () => feeds?.push ?? null, lines }),
      feeds: () => feeds,
      history: () => history,
      historyStatus: () => history?.status ?? [],
      restore,
      checks: () => ({
        store: (recorder.failure ?? ledger.failure ?? alerts.writer.failure)?.message ?? 'ok',
        ...modelCheck(models),
        clock: clockProblem(storedUntil, now()) ?? 'ok',
        ...historyCheck(history),
        ...feedsCheck(feeds),
        ...Object.fromEntries(
          (feeds?.feeds ?? []).map((feed) => [`feed ${feed.status().name}`, feedHealth(feed.status())]),
        ),
      }),
      async close() {
        feeds?.stop();
        await opened.disposeAsync();
        // A start that failed has lost nothing.
        if (stoppedAt && !recorder.failure) await store.market.setNumber(STOPPED_AT, stoppedAt);
      },
    };
  } catch (error) {
    await closeAfterFailure(opened, log);
    throw error;
  }
}

/** For `/readyz`: how much of the past is still to be fetched. */
function historyCheck(history: VenueHistory | null): { history?: string } {
  const status = history?.status.filter(({ barsLeft }) => barsLeft > 0) ?? [];
  const left = status.map(({ venue, barsLeft }) => `${venue}: ${barsLeft} bars to fetch`);
  return left.length === 0 ? {} : { history: left.join(', ') };
}

/** For `/readyz`: said only if no venue is reachable. */
function feedsCheck(feeds: FeedSet | null): { feeds?: string } {
  const problem = feeds?.problems?.nothingReachable;
  return problem ? { feeds: problem } : {};
}

/** For `/readyz`: the local model, if it cannot be used. */
export const modelCheck = ({ local }: OpenModels): { model?: string } =>
  local.problem ? { model: local.problem } : {};

/** The configured models. They know the names of the instruments. */
export function openModelsFor(
  settings: Config,
  instruments: readonly InstrumentSpec[],
  now: () => number,
  log: Log,
): Promise<OpenModels> {
  const specs = bySymbol(instruments);
  const targets = (symbol: MarketSymbol) => targetsOf(symbol, specs.get(symbol)?.name, specs.get(symbol)?.underlying);
  return openModels({ settings, targetsOf: targets, now, log });
}
