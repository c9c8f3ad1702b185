// The modules of a node: first the domains, whose readers and routes every node has, then those that serve clients.
import { join } from 'node:path';
import { bySymbol, type MarketSymbol } from '@tickwire/engine';
import type { Caller } from '../access/caller.ts';
import { RowAllowance, type RowCounter } from '../access/row-allowance.ts';
import type { SignInThrottle } from '../access/sign-in-throttle.ts';
import { waitForKeySync } from '../access/wait-for-key-sync.ts';
import { accountsModule } from '../accounts/module.ts';
import { aiModule } from '../ai/module.ts';
import { alertsModule } from '../alerts/module.ts';
import { calendarModule } from '../calendar/module.ts';
import { chatChannelsModule } from '../chat-channels/module.ts';
import { UnsubscribeLinks } from '../delivery/unsubscribe-links.ts';
import { hiddenSource } from '../documents/source.ts';
import { historyModule } from '../history/module.ts';
import { settledBars } from '../history/settled-bars.ts';
import { once } from '../http/conditional-response.ts';
import { IdempotentSecrets } from '../http/idempotent-secrets.ts';
import { venueHistoryModule } from '../import/venue/module.ts';
import { readPosition } from '../journal/read-position.ts';
import { type BarSource, openBarSource } from '../market/bar-source.ts';
import { marketModule } from '../market/module.ts';
import { FlowChannel } from '../market/streams/flow-channel.ts';
import { PerpetualChannel } from '../market/streams/perpetual-channel.ts';
import { TickChannel } from '../market/streams/tick-channel.ts';
import { mcpModule } from '../mcp/module.ts';
import type { Module } from '../module/module.ts';
import { newsModule } from '../news/module.ts';
import type { Log } from '../ops/log.ts';
import { pagesModule } from '../pages/module.ts';
import { type ReplayModule, replayModule } from '../replay/module.ts';
import { SESSION_KEPT_MS } from '../replay/replay-sessions.ts';
import { signalsModule } from '../signals/module.ts';
import { TWO_FACTOR_KEY } from '../store/two-factor-store.ts';
import { eventStreams } from '../streams/event-streams.ts';
import { udfModule } from '../udf/module.ts';
import { type KeptDocuments, LocalDocuments } from '../work/kept-documents.ts';
import type { Gateway } from '../ws/gateway.ts';
import type { NodeContext } from './node-context.ts';
import type { Pipeline } from './pipeline.ts';
import type { ReadModels } from './read-models.ts';
import { serviceModule } from './service-module.ts';

/** All gateways load a change of keys within a moment. One that does not respond must not delay sign-ins for longer. */
const SHARE_CHANGES_MS = 3_000;

export interface DomainOptions extends NodeContext {
  readonly readModels: ReadModels;
  /** The pipeline in this process; `null` on a gateway node. */
  readonly pipeline: Pipeline | null;
  readonly startedAt: number;
  /** Counts rows of files over all gateways. Default: in this process. */
  readonly rowCounter?: RowCounter;
}

/** The modules of all domains, and what other modules share with them. */
export interface Domains {
  readonly modules: readonly Module[];
  readonly bars: BarSource;
  /** Rows per day and account. */
  readonly rows: RowAllowance;
}

export function openDomains(options: DomainOptions): Domains {
  const { config, catalogue, instruments, store, access, readModels, pipeline } = options;
  const { lines, idempotency, reads, startedAt, now, log } = options;
  const { journal, market, news, calendar, models } = readModels;
  const { feed, trackRecords: records, events } = readModels.signals;
  const { keyring, nameOf, publisherOf } = access;
  const simulated = config.realm === 'sim';
  const specs = bySymbol(instruments);
  // Whose bars are read are fetched first.
  const asked = (symbol: MarketSymbol): void => pipeline?.history()?.asked(symbol);
  const stored = pipeline
    ? {
        bars: (range: Parameters<typeof store.market.bars>[0]) => {
          asked(range.symbol);
          return store.market.bars(range);
        },
        watched: store.market.watched,
        fetched: store.market.fetched,
        number: store.market.number,
      }
    : {
        bars: settledBars(store.market, market),
        watched: (...query: Parameters<typeof store.market.watched>) => store.market.watched(...query),
        fetched: store.market.fetched,
        number: (name: Parameters<typeof store.market.number>[0]) => store.market.number(name),
      };
  const bars = openBarSource(config, instruments, stored, now);
  const rows = new RowAllowance(options.rowCounter);
  const resolve = (code: string) => market.resolve(code);
  const requireConfirmed = (caller: Caller) => keyring.requireConfirmed(caller);
  const shared = {
    instruments,
    market,
    simulated,
    /** Simulated markets without trading hours. */
    alwaysOpen: simulated && config.sim_hours === 'always',
    position: readPosition(journal),
    ...(config.realm === 'replay' && { marketTime: () => market.time }),
  };
  const sources = { instruments, journal, market, capacity: config.resume_messages, now };
  const ticks = once(() => new TickChannel(sources));
  const flows = once(() => new FlowChannel(sources));
  const isPerpetual = (symbol: MarketSymbol): boolean => specs.get(symbol)?.contract === 'perpetual';
  const perpetuals = once(() => new PerpetualChannel({ isPerpetual, journal }));
  const secrets = new IdempotentSecrets(idempotency, now);
  const modules = [
    marketModule({
      ...shared,
      catalogue,
      startedAt,
      ticks,
      flows,
      perpetuals,
      history: bars,
      asked,
      writer: pipeline && {
        ...pipeline,
        audit: (entry) => store.access.audit(entry),
        store: store.market,
        tapeDays: config.tape_days,
        now,
        log,
      },
    }),
    ...(pipeline ? [venueHistoryModule(pipeline.history)] : []),
    historyModule({
      ...shared,
      journal,
      ticks,
      flows,
      store: bars,
      tape: store.market,
      volumes: store.market,
      ...(pipeline && { recorded: () => isRecorded(pipeline) }),
      venueSymbols: catalogue.venueSymbols,
      tapeDays: config.tape_days,
      rows,
      reads,
      tiers: config.tiers,
      requireConfirmed,
      now,
    }),
    newsModule({
      feed: news.feed,
      store: store.news,
      market,
      history: bars,
      writer: pipeline?.news ?? null,
      lines,
      now,
    }),
    calendarModule({ feed: calendar.feed, resolve, writer: pipeline?.calendar ?? null, lines, now }),
    // Stopped after news, which is scored until it has stopped.
    aiModule({
      models,
      store: store.access,
      sources: {
        spec: (symbol) => specs.get(symbol)!,
        quote: (symbol) => market.tick(symbol),
        bar: (symbol, timeframe) => market.latestBar(symbol, timeframe),
        flow: (symbol) => market.flow(symbol),
        signals: (symbol) => feed.activeOf(symbol),
        news: (symbol) => news.feed.of(symbol),
      },
      resolve,
      spec: (symbol) => specs.get(symbol)!,
      recordCall: (caller) => keyring.recordAiCall(caller),
      requestsPerDay: config.llm_requests_per_day,
      isWriter: pipeline !== null,
      now,
    }),
    signalsModule({
      instruments,
      feed,
      records,
      events,
      store,
      market,
      nameOf,
      publisherOf,
      marks: calendar.feed.marks,
      publicRecords: config.public_records === 'on',
      writer: pipeline && {
        ...pipeline.signals,
        heads: pipeline.heads,
        realm: config.realm,
        folder: join(config.data, config.realm),
        resolve,
        idempotency,
        requireConfirmed,
        now,
        log,
      },
    }),
    alertsModule({
      writer: pipeline?.alerts ?? null,
      store: store.alerts,
      resolve,
      secrets,
    }),
    chatChannelsModule({ writer: pipeline?.chats ?? null, store, secrets }),
  ];
  return { modules, bars, rows };
}

/** Whether everything so far is on the tape. */
async function isRecorded({ recorder }: Pipeline): Promise<boolean> {
  await recorder.drain();
  return recorder.failure === null;
}

export interface ReplayOptions extends NodeContext, Pick<Domains, 'bars' | 'rows'> {
  readonly readModels: ReadModels;
  readonly gateway: Gateway;
  /** Keeps replay sessions for all gateways. Default: in this process. */
  readonly sessions?: KeptDocuments;
}

export function openReplays({
  config,
  catalogue,
  store,
  access,
  bars,
  gateway,
  ...options
}: ReplayOptions): ReplayModule {
  const { keyring, guard, failures, nameOf, publisherOf } = access;
  const { readModels, sessions: kept = new LocalDocuments(SESSION_KEPT_MS, options.now) } = options;
  const simulated = config.realm === 'sim';
  return replayModule({
    ...options,
    kept,
    savedRecords: store.access,
    nameOf,
    publisherOf,
    bars,
    market: readModels.market,
    store: store.market,
    signals: store.signals,
    documents: {
      news: store.news,
      calendar: store.calendar,
      hiddenNews: hiddenSource(config.news),
      hiddenCalendar: hiddenSource(config.calendar),
    },
    simulated,
    alwaysOpen: simulated && config.sim_hours === 'always',
    venueSymbols: catalogue.venueSymbols,
    tapeDays: config.tape_days,
    tiers: config.tiers,
    requireConfirmed: (caller: Caller) => keyring.requireConfirmed(caller),
    keyring,
    guard,
    failures,
    countsWith: gateway,
    limits: config,
  });
}

export interface ServedOptions extends NodeContext, Pick<Domains, 'bars' | 'rows'> {
  readonly readModels: ReadModels;
  readonly gateway: Gateway;
  /** Counts sign-ins over all gateways. Default: in this process. */
  readonly throttle?: SignInThrottle;
  /** Open authenticated connections of all gateways. Default: those of this process. */
  readonly clients?: () => number;
  readonly stopping: () => boolean;
  readonly startedAt: number;
}

/** Health checks, which every node has. */
export function openServiceModule({ readModels, gateway, clients, stopping, startedAt }: ServedOptions): Module {
  const { market, signals, models } = readModels;
  return serviceModule({
    market,
    clients: clients ?? (() => gateway.slots.total),
    activeSignals: () => signals.feed.active,
    models: () => models.models.available(),
    checks: () => readModels.checks(),
    stopping,
    startedAt,
  });
}

/** The modules of a node that serves clients. */
export function servedModules(options: ServedOptions): readonly Module[] {
  const { config, instruments, store, access, readModels, bars, rows, gateway, idempotency, reads, now, log } = options;
  const { throttle, stopping } = options;
  const { keyring, guard, publisherOf } = access;
  const { market, news, signals } = readModels;
  const simulated = config.realm === 'sim';
  const isGateway = config.role === 'gateway';
  return [
    openServiceModule(options),
    accountsModule({
      store: store.access,
      signals: store.signals,
      keyring,
      guard,
      idempotency,
      registration: config.registration,
      ...(throttle && { throttle }),
      ...(isGateway && { shareChanges: () => waitForKeySync(store.access, SHARE_CHANGES_MS).catch(() => false) }),
      keyCreationsPerDay: config.key_creations_per_day,
      revokedKeyDays: config.revoked_key_days,
      tiers: config.tiers,
      audit: { days: config.audit_days, maxEntries: config.audit_entries },
      // The gateways of a cluster share no folder, so they have a key only if it is configured.
      twoFactorKey: config.two_factor_key ?? (isGateway ? null : join(config.data, TWO_FACTOR_KEY)),
      connections: gateway.connections,
      markets: options.markets,
      resolveSymbol: (code) => market.resolve(code),
      log,
      now,
    }),
    udfModule({
      instruments,
      market,
      bars,
      marks: { signals: signals.feed, news: news.feed },
      simulated,
      allowance: rows,
      now,
    }),
    mcpModule({
      guard,
      reads,
      publicOrigin: config.public_url && new URL(config.public_url).origin,
      stopping,
      now,
      log,
    }),
    pagesModule({
      simulated,
      publicRecords: config.public_records === 'on' ? { records: signals.trackRecords, market, publisherOf } : null,
      // A gateway without the key of destinations cannot check links.
      links: isGateway && config.delivery_key === null ? null : new UnsubscribeLinks(config),
      delivery: store.delivery,
      log,
    }),
    { routes: { eventStream: eventStreams({ gateway, guard, keyring, now }) } },
  ];
}

/** Ends what brings new events. */
export async function stopModules(modules: readonly Module[]): Promise<void> {
  for (const module of modules) await module.stop?.();
}

/** Resolves when everything so far is stored, or with `false` if some of it cannot be. */
export async function drainModules(modules: readonly Module[], log: Log): Promise<boolean> {
  let stored = true;
  for (const module of modules)
    await module.drain?.().catch((error) => {
      stored = false;
      log.error('not everything could be stored', { error });
    });
  return stored;
}
