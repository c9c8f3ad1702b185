// Opens the feeds of the configuration and brings them up to date: the simulated markets, or any of the real ones.
import {
  type Engine,
  type FeedEvent,
  type InstrumentSpec,
  type MarketSymbol,
  MINUTE_MS,
  type MinuteEvent,
} from '@tickwire/engine';
import { ConfigError } from '../../config/config.ts';
import type { Log } from '../../ops/log.ts';
import type { MarketStore } from '../../store/store.ts';
import type { Intake } from '../intake.ts';
import type { MarketView } from '../market-view.ts';
import type { PerpetualIntake } from '../perpetual-intake.ts';
import type { Recorder } from '../recorder.ts';
import type { Restored } from '../restore.ts';
import type { VenueConnector } from './connector.ts';
import { Failover } from './failover.ts';
import { type FeedFailure, isLasting } from './failure.ts';
import type { Feed } from './feed.ts';
import { FeedProblemLog } from './feed-problem-log.ts';
import { FeedProblems } from './feed-problems.ts';
import { createOandaConnector } from './oanda/oanda-connector.ts';
import { PushFeed } from './push/push-feed.ts';
import { loadResumePoints } from './resume-point.ts';
import { openSimFeed } from './sim/open-sim-feed.ts';
import { FeedSupervisor } from './supervisor.ts';
import { configuredVenues, type ServiceConfig } from './venues/configured-venues.ts';
import type { VenueTiming } from './venues/venue.ts';
import { createVenueConnector } from './venues/venue-connector.ts';

/** Pushed ticks younger than this are live, and the market follows the wall clock; older ones are history. */
const LIVE_MS = MINUTE_MS;
const FAILOVER_CHECK_MS = 1_000;
/** How long the clock waits for the backfill after a restart: the hold of live events, plus time to connect. */
const SETTLE_MS = 20_000;

export interface OpenFeedsOptions {
  readonly config: ServiceConfig;
  readonly instruments: readonly InstrumentSpec[];
  readonly engine: Engine;
  readonly view: MarketView;
  readonly store: MarketStore;
  readonly recorder: Recorder;
  readonly intake: Intake;
  readonly perpetuals: PerpetualIntake;
  readonly restored: Restored | null;
  readonly log: Log;
  readonly now: () => number;
}

export interface FeedSet {
  readonly feeds: readonly Feed[];
  /** Takes pushed ticks; `null` if not configured. */
  readonly push: PushFeed | null;
  /** Symbols whose source is connected. */
  connected(now: number): readonly MarketSymbol[];
  /**
   * The time in the markets; `null` if it is not known yet or a backfill is still running: bars must not close, and signals
   * must not expire, before the missed ticks are in.
   */
  clock(now: number): number | null;
  /** The venues whose listed instruments can be added while they run. Default: none. */
  readonly venues?: readonly ListedVenue[];
  /** The connectors that offer the symbol and have bars of the past, in the order of the configuration. Default: none. */
  historyOf?(symbol: MarketSymbol): readonly VenueConnector[];
  /** Left out for feeds without venues. */
  readonly problems?: FeedProblems;
  start(): void;
  stop(): void;
}

/** A venue with a list of instruments. */
export interface ListedVenue
  extends Required<Pick<VenueConnector, 'name' | 'symbols' | 'maxSymbols' | 'listInstruments'>> {
  /** Streams an instrument from now on. Its symbol must be in the catalogue. */
  add(venueSymbol: string, symbol: MarketSymbol): void;
}

export type OpenFeeds = (options: OpenFeedsOptions) => Promise<FeedSet>;

export async function openFeeds(options: OpenFeedsOptions): Promise<FeedSet> {
  const { config, instruments, store, intake, perpetuals, restored, log, now } = options;
  if (config.realm === 'sim') return openSimFeedSet(options);
  const push = config.feeds.includes('push') ? new PushFeed({ instruments, intake }) : null;
  const failover = new Failover({
    accept: (events, source) => intake.accept(events, source),
    refuses: (source, symbol) => {
      const supervisor = supervised.get(source);
      if (!supervisor) return false;
      return supervisor.status().refused?.has(symbol) === true || !isSubscribed(source, symbol);
    },
    now,
    log,
  });
  const connectors = createConnectors(config, instruments, now);
  const isSubscribed = (name: string, symbol: MarketSymbol): boolean =>
    connectors.find((connector) => connector.name === name)?.isSubscribed?.(symbol) ?? true;
  const resumePointOf = restored && (await loadResumePoints(store, connectors, restored.until));
  const supervisors = connectors.map((connector) => {
    const { name } = connector;
    failover.add(name, connector.symbols);
    const accept = (events: readonly FeedEvent[]): void => {
      failover.accept(name, events);
      if (events.some(({ kind }) => kind === 'disconnect')) failover.markDown(name);
    };
    const owns = (symbol: MarketSymbol): boolean => failover.owner(symbol) === name;
    const fill = (minutes: readonly MinuteEvent[]): void =>
      intake.fill(
        minutes.filter(({ symbol }) => owns(symbol)),
        name,
      );
    const resume = resumePointOf && { resume: resumePointOf(connector) };
    const onFailure = (failure: FeedFailure): void => failover.markDown(name, isLasting(failure));
    return new FeedSupervisor({
      connector,
      instruments,
      accept,
      fill,
      perpetuals: perpetuals.sinkFor(name, owns),
      onFailure,
      now,
      log,
      ...resume,
    });
  });
  const supervised = new Map(supervisors.map((supervisor) => [supervisor.status().name, supervisor]));
  const titles = new Map(connectors.map(({ name, title }) => [name, title]));
  const problems = new FeedProblems(
    () =>
      supervisors
        .map((supervisor) => supervisor.status())
        .map((status) => ({
          ...status,
          title: titles.get(status.name)!,
          isSubscribed: (symbol) => isSubscribed(status.name, symbol),
        })),
    failover,
    push !== null,
    () => push !== null && push.activeSince(now() - LIVE_MS).length > 0,
  );
  const problemLog = new FeedProblemLog(problems, log);
  const feeds: Feed[] = push ? [push, ...supervisors] : supervisors;
  let failoverTimer: ReturnType<typeof setInterval> | null = null;
  let startedAt: number | null = null;
  /** A first start has missed nothing. */
  let isSettled = restored === null;
  return {
    feeds,
    push,
    connected(time) {
      const live = supervisors.map((supervisor) => supervisor.status()).filter(({ state }) => state === 'live');
      const owned = live.flatMap(({ name, symbols, refused }) =>
        symbols.filter(
          (symbol) => failover.owner(symbol) === name && isSubscribed(name, symbol) && !refused?.has(symbol),
        ),
      );
      return [...owned, ...(push?.activeSince(time - LIVE_MS) ?? [])];
    },
    clock(time) {
      isSettled ||= supervisors.every((supervisor) => supervisor.isSettled);
      isSettled ||= startedAt !== null && time - startedAt >= SETTLE_MS;
      if (supervisors.length > 0) return isSettled ? time : null;
      const latest = push?.lastEventAt ?? 0;
      return latest === 0 ? null : time - latest <= LIVE_MS ? time : latest;
    },
    venues: listedVenues(connectors, (name, symbol) => failover.add(name, [symbol])),
    historyOf: (symbol) => connectorsWithBars(connectors, symbol),
    problems,
    start() {
      startedAt = now();
      for (const feed of feeds) feed.start();
      failoverTimer = setInterval(() => {
        failover.check();
        problemLog.check(now());
      }, FAILOVER_CHECK_MS);
    },
    stop() {
      if (failoverTimer) clearInterval(failoverTimer);
      for (const feed of feeds) feed.stop();
    },
  };
}

async function openSimFeedSet(options: OpenFeedsOptions): Promise<FeedSet> {
  const sim = await openSimFeed(options);
  return {
    feeds: [sim],
    push: null,
    connected: () => sim.status().symbols,
    clock(time) {
      // Ticks before this time must come first: bars must not close before their ticks are in.
      return sim.step(time) ? time : null;
    },
    start: () => sim.start(),
    stop: () => sim.stop(),
  };
}

export const connectorsWithBars = (connectors: readonly VenueConnector[], symbol: MarketSymbol): VenueConnector[] =>
  connectors.filter(({ symbols, fetchBars }) => fetchBars && symbols.includes(symbol));

/** `onAdd` is told of a symbol before its events arrive. */
export const listedVenues = (
  connectors: readonly VenueConnector[],
  onAdd: (venue: string, symbol: MarketSymbol) => void = () => {},
): ListedVenue[] =>
  connectors.flatMap((connector) => {
    const { name, symbols, maxSymbols = Number.POSITIVE_INFINITY, listInstruments, add } = connector;
    if (!listInstruments || !add) return [];
    return {
      ...{ name, symbols, maxSymbols, listInstruments },
      add(venueSymbol, symbol) {
        onAdd(name, symbol);
        add(venueSymbol, symbol);
      },
    };
  });

/** In the order of the configuration: the first connector that offers a symbol owns it. */
export function createConnectors(
  config: ServiceConfig,
  instruments: readonly InstrumentSpec[],
  now: () => number,
  timing: Partial<VenueTiming> = {},
): VenueConnector[] {
  const known = new Set<MarketSymbol>(instruments.map(({ symbol }) => symbol));
  const venues = new Map(configuredVenues(config).map((configured) => [configured.venue.name, configured]));
  return config.feeds.flatMap((feed): VenueConnector[] => {
    if (feed === 'oanda') {
      const { oanda_account, oanda_token, oanda_host: host } = config;
      return [createOandaConnector({ account: oanda_account!, token: oanda_token!, host, instruments, now })];
    }
    const configured = venues.get(feed);
    if (!configured) return [];
    const { venue, symbols, configured: count } = configured;
    const unknown = [...symbols.values()].filter((symbol) => !known.has(symbol));
    if (unknown.length > 0) {
      throw new ConfigError(
        `${venue.name}: not in the catalogue: ${unknown.join(', ')}. Add them with "tickwire instruments add"`,
      );
    }
    const { ws_url: wsUrl, rest_url: restUrl } = config.venues[venue.name] ?? {};
    const urls = { ...(wsUrl !== undefined && { wsUrl }), ...(restUrl !== undefined && { restUrl }) };
    return [createVenueConnector(venue, { symbols, configured: count, timing, proxies: config.proxies, ...urls })];
  });
}
