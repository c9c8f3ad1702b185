// Opens the feeds of the configuration and brings them up to date: the simulated markets, or any of the real ones.
import {
  type Engine,
  type FeedEvent,
  type InstrumentSpec,
  type MarketSymbol,
  MINUTE_MS,
  type MinuteEvent,
} from '@tickwire/engine';
import { type Config, ConfigError } from '../../config/config.ts';
import type { Log } from '../../ops/log.ts';
import type { MarketStore } from '../../store/store.ts';
import type { Intake } from '../intake.ts';
import type { MarketView } from '../market-view.ts';
import type { Recorder } from '../recorder.ts';
import type { Restored } from '../restore.ts';
import type { VenueConnector } from './connector.ts';
import { Failover } from './failover.ts';
import type { Feed } from './feed.ts';
import { createOandaConnector } from './oanda/oanda-connector.ts';
import { PushFeed } from './push/push-feed.ts';
import { loadResumePoints } from './resume-point.ts';
import { openSimFeed } from './sim/open-sim-feed.ts';
import { FeedSupervisor } from './supervisor.ts';
import { configuredVenues } from './venues/configured-venues.ts';
import { createVenueConnector } from './venues/venue-connector.ts';

/** Pushed ticks younger than this are live, and the market follows the wall clock; older ones are history. */
const LIVE_MS = MINUTE_MS;
const FAILOVER_CHECK_MS = 1_000;
/** How long the clock waits for the backfill after a restart: the hold of live events, plus time to connect. */
const SETTLE_MS = 20_000;

export interface OpenFeedsOptions {
  readonly config: Config;
  readonly instruments: readonly InstrumentSpec[];
  readonly engine: Engine;
  readonly view: MarketView;
  readonly store: MarketStore;
  readonly recorder: Recorder;
  readonly intake: Intake;
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
  /** The connectors that offer the symbol and have bars of the past, in the order of the configuration. Default: none. */
  historyOf?(symbol: MarketSymbol): readonly VenueConnector[];
  start(): void;
  stop(): void;
}

export type OpenFeeds = (options: OpenFeedsOptions) => Promise<FeedSet>;

export async function openFeeds(options: OpenFeedsOptions): Promise<FeedSet> {
  const { config, instruments, store, intake, restored, log, now } = options;
  if (config.realm === 'sim') return openSimFeedSet(options);
  const push = config.feeds.includes('push')
    ? new PushFeed({ symbols: instruments.map(({ symbol }) => symbol), intake })
    : null;
  const failover = new Failover({ accept: (events, source) => intake.accept(events, source), now, log });
  const connectors = createConnectors(config, instruments, now);
  const resumePointOf = restored && (await loadResumePoints(store, connectors, restored.until));
  const supervisors = connectors.map((connector) => {
    const { name } = connector;
    failover.add(name, connector.symbols);
    const accept = (events: readonly FeedEvent[]): void => {
      failover.accept(name, events);
      if (events.some(({ kind }) => kind === 'disconnect')) failover.markDown(name);
    };
    const fill = (minutes: readonly MinuteEvent[]): void =>
      intake.fill(
        minutes.filter(({ symbol }) => failover.owner(symbol) === name),
        name,
      );
    const resume = resumePointOf && { resume: resumePointOf(connector) };
    return new FeedSupervisor({ connector, instruments, accept, fill, now, log, ...resume });
  });
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
      const owned = live.flatMap(({ name, symbols }) => symbols.filter((symbol) => failover.owner(symbol) === name));
      return [...owned, ...(push?.activeSince(time - LIVE_MS) ?? [])];
    },
    clock(time) {
      isSettled ||= supervisors.every((supervisor) => supervisor.isSettled);
      isSettled ||= startedAt !== null && time - startedAt >= SETTLE_MS;
      if (supervisors.length > 0) return isSettled ? time : null;
      const latest = push?.lastEventAt ?? 0;
      return latest === 0 ? null : time - latest <= LIVE_MS ? time : latest;
    },
    historyOf: (symbol) => connectorsWithBars(connectors, symbol),
    start() {
      startedAt = now();
      for (const feed of feeds) feed.start();
      failoverTimer = setInterval(() => failover.check(), FAILOVER_CHECK_MS);
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

/** In the order of the configuration: the first connector that offers a symbol owns it. */
export function createConnectors(
  config: Config,
  instruments: readonly InstrumentSpec[],
  now: () => number,
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
    const { venue, symbols } = configured;
    const unknown = [...symbols.values()].filter((symbol) => !known.has(symbol));
    if (unknown.length > 0) {
      throw new ConfigError(
        `${venue.name}: not in the catalogue: ${unknown.join(', ')}. Add them with "tickwire instruments add"`,
      );
    }
    const { ws_url: wsUrl, rest_url: restUrl } = config.venues[venue.name] ?? {};
    const urls = { ...(wsUrl !== undefined && { wsUrl }), ...(restUrl !== undefined && { restUrl }) };
    return [createVenueConnector(venue, { symbols, ...urls })];
  });
}
