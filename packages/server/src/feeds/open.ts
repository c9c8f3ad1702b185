// Opens the feeds of the configuration and brings them up to now: the simulated markets alone, or any of the real ones.
import type { Engine, FeedEvent, InstrumentSpec, MarketSymbol, MinuteEvent } from '@tickwire/engine';
import { type Config, ConfigError } from '../config.ts';
import type { Intake } from '../journal/intake.ts';
import type { Log } from '../ops/log.ts';
import type { Recorder } from '../store/recorder.ts';
import type { Restored } from '../store/restore.ts';
import type { MarketStore } from '../store/store.ts';
import type { MarketView } from '../views/market-view.ts';
import { earlierRuns } from './earlier-run.ts';
import type { Feed } from './feed.ts';
import { createOandaSource } from './oanda/feed.ts';
import { Ownership } from './ownership.ts';
import { PushFeed } from './push/feed.ts';
import { openSimFeed } from './sim/open.ts';
import type { Source } from './source.ts';
import { Supervisor } from './supervisor.ts';
import { configuredVenues } from './venues/configured.ts';

/** Pushed ticks this recent are live ones, and their market goes by the wall clock; older ones are history. */
const LIVE_MS = 60_000;
const WATCH_MS = 1_000;
/** After a restart the clock waits so long for what was missed: the wait for a venue's answer, and the way there. */
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
  /** Takes pushed ticks, where the configuration has it. */
  readonly push: PushFeed | null;
  /** Symbols whose source is connected. */
  connected(now: number): readonly MarketSymbol[];
  /**
   * What time it is in the markets; null where that is not known yet, or where what happened before is still to come in:
   * bars must not close, nor signals expire, on ticks that are being fetched.
   */
  clock(now: number): number | null;
  start(): void;
  stop(): void;
}

export type OpenFeeds = (options: OpenFeedsOptions) => Promise<FeedSet>;

export async function openFeeds(options: OpenFeedsOptions): Promise<FeedSet> {
  const { config, instruments, store, intake, restored, log, now } = options;
  if (config.realm === 'sim') {
    const sim = await openSimFeed(options);
    const clock = (time: number): number => {
      // What happened before this time goes before it: bars must not close on ticks that are still to come.
      sim.step(time);
      return time;
    };
    return {
      feeds: [sim],
      push: null,
      connected: () => sim.status().symbols,
      clock,
      start: () => sim.start(),
      stop: () => sim.stop(),
    };
  }
  const push = config.feeds.includes('push')
    ? new PushFeed({ symbols: instruments.map(({ symbol }) => symbol), intake })
    : null;
  const ownership = new Ownership({ accept: (events, source) => intake.accept(events, source), now, log });
  const sources = openSources(config, instruments, now);
  const earlier = restored && (await earlierRuns(store, sources, restored.until));
  const supervisors = sources.map((source) => {
    ownership.add(source.name, source.symbols);
    const accept = (events: readonly FeedEvent[]): void => {
      ownership.accept(source.name, events);
      if (events.some(({ kind }) => kind === 'disconnect')) ownership.lost(source.name);
    };
    const fill = (minutes: readonly MinuteEvent[]): void =>
      intake.fill(
        minutes.filter(({ symbol }) => ownership.owner(symbol) === source.name),
        source.name,
      );
    return new Supervisor({
      source,
      instruments,
      accept,
      fill,
      now,
      log,
      ...(earlier && { earlier: earlier(source) }),
    });
  });
  const feeds: Feed[] = push ? [push, ...supervisors] : supervisors;
  let watch: ReturnType<typeof setInterval> | null = null;
  let startedAt: number | null = null;
  /** A first start has missed nothing. */
  let settled = restored === null;
  return {
    feeds,
    push,
    connected(time) {
      const live = supervisors.map((supervisor) => supervisor.status()).filter(({ state }) => state === 'live');
      const owned = live.flatMap(({ name, symbols }) => symbols.filter((symbol) => ownership.owner(symbol) === name));
      return [...owned, ...(push?.activeSince(time - LIVE_MS) ?? [])];
    },
    clock(time) {
      settled ||= supervisors.every(({ isSettled }) => isSettled);
      settled ||= startedAt !== null && time - startedAt >= SETTLE_MS;
      if (supervisors.length > 0) return settled ? time : null;
      const latest = push?.lastEventAt ?? 0;
      return latest === 0 ? null : time - latest <= LIVE_MS ? time : latest;
    },
    start() {
      startedAt = now();
      for (const feed of feeds) feed.start();
      watch = setInterval(() => ownership.watch(), WATCH_MS);
    },
    stop() {
      if (watch) clearInterval(watch);
      for (const feed of feeds) feed.stop();
    },
  };
}

/** The sources of the configuration in its order: the first that offers a symbol owns it. */
function openSources(config: Config, instruments: readonly InstrumentSpec[], now: () => number): Source[] {
  const known = new Set<MarketSymbol>(instruments.map(({ symbol }) => symbol));
  const venues = new Map(configuredVenues(config).map((configured) => [`crypto:${configured.name}`, configured]));
  return config.feeds.flatMap((feed): Source[] => {
    if (feed === 'oanda') {
      const { oanda_account, oanda_token, oanda_host: host } = config;
      return [createOandaSource({ account: oanda_account!, token: oanda_token!, host, instruments, now })];
    }
    const configured = venues.get(feed);
    if (!configured) return [];
    const { name, venue, symbols } = configured;
    const unknown = [...symbols.values()].filter((symbol) => !known.has(symbol));
    if (unknown.length > 0) {
      throw new ConfigError(`${name}: ${unknown.join(', ')} is not in the catalogue: add it with TICKWIRE_INSTRUMENTS`);
    }
    const { ws_url, rest_url } = config.venues[name] ?? {};
    return [
      venue.create({
        symbols,
        ...(ws_url !== undefined && { wsUrl: ws_url }),
        ...(rest_url !== undefined && { restUrl: rest_url }),
      }),
    ];
  });
}
