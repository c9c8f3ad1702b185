// Markets: instruments, quotes, newest bars, trading hours, feeds and pushed ticks.
import {
  type FeedReport,
  type HoursQuery,
  InstrumentRequest,
  type InstrumentSource,
  iso,
  type MarketQuery,
  type OverviewQuery,
  type PerpetualQuery,
  type PositionSizeQuery,
  type QuoteQuery,
  type QuotesQuery,
  type SymbolsQuery,
  type VenueInstrumentsQuery,
} from '@tickwire/contract';
import { asEpochMs, bySymbol, DAY_MS, type Engine, HOUR_MS, isMarketOpen, type MarketSymbol } from '@tickwire/engine';
import { actorOf } from '../access/caller.ts';
import { symbolNotFound } from '../errors/service-error.ts';
import { StoreError } from '../errors/store-error.ts';
import { type HandlerCall, writerRoutes } from '../http/handler.ts';
import { readJson } from '../http/json-body.ts';
import type { Module } from '../module/module.ts';
import type { Log } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { AuditStore, MarketStore } from '../store/store.ts';
import type { Catalogue } from './catalogue.ts';
import type { FeedStatus, HistoryStatus } from './feeds/feed.ts';
import type { FeedSet } from './feeds/open-feeds.ts';
import type { Intake } from './intake.ts';
import { createMarketHandlers, instrumentOf, type MarketHandlerSources } from './market-handlers.ts';
import { perpetualJson } from './perpetual-handlers.ts';
import { PERPETUAL_MS, type PerpetualIntake } from './perpetual-intake.ts';
import type { PushHandlers } from './push-handlers.ts';
import { FLUSH_MS, type Recorder } from './recorder.ts';
import type { SpikeFilter } from './spike-filter.ts';
import type { FlowChannel } from './streams/flow-channel.ts';
import type { PerpetualChannel } from './streams/perpetual-channel.ts';
import type { TickChannel } from './streams/tick-channel.ts';
import { MAX_FOUND, type VenueInstruments } from './venue-instruments.ts';

const CLOCK_MS = 100;
const PRUNE_MS = HOUR_MS;
/** Number in the store: when a run ended that stored everything; 0 while one runs, and after one that did not. */
export const STOPPED_AT = 'stopped_at';

export interface MarketModuleOptions extends MarketHandlerSources {
  readonly catalogue: Pick<Catalogue, 'read'>;
  readonly ticks: () => TickChannel;
  readonly flows: () => FlowChannel;
  readonly perpetuals: () => PerpetualChannel;
  /** `null` on a gateway node. */
  readonly writer: MarketWriter | null;
}

/** The market where its events are made. */
export interface MarketWriter {
  readonly engine: Engine;
  readonly intake: Intake;
  readonly perpetuals: PerpetualIntake;
  readonly recorder: Recorder;
  /** `null` for simulated markets. */
  readonly spikes: SpikeFilter | null;
  /** `null` until the state of the last run is restored. */
  readonly feeds: () => FeedSet | null;
  readonly push: PushHandlers;
  readonly venueInstruments: VenueInstruments;
  readonly audit: AuditStore['audit'];
  readonly historyStatus: () => readonly HistoryStatus[];
  /** `store` is `ok` while ticks, signals and firings can be written. */
  readonly checks: () => Readonly<Record<string, string>>;
  readonly store: Pick<MarketStore, 'pruneTape' | 'setNumber' | 'syncTape'>;
  readonly tapeDays: number;
  readonly now: () => number;
  readonly log: Log;
}

export function marketModule(options: MarketModuleOptions): Module {
  const { catalogue, market, ticks, flows, perpetuals, position, writer } = options;
  const handlers = createMarketHandlers(options);
  const perpetualSources = {
    resolve: (code: string) => market.resolve(code),
    state: (symbol: MarketSymbol) => perpetuals().state(symbol),
  };
  return {
    routes: {
      symbols: ({ query, now }) => handlers.symbols(query as SymbolsQuery, now),
      market: ({ params, query, now }) => handlers.market(params.symbol!, query as MarketQuery, now),
      quote: ({ params, query, now }) => handlers.quote(params.symbol!, query as QuoteQuery, now),
      quotes: ({ query, now }) => handlers.quotes(query as QuotesQuery, now),
      overview: ({ query, now }) => handlers.overview(query as OverviewQuery, now),
      hours: ({ params, query, now }) => handlers.hours(params.symbol!, query as HoursQuery, now),
      perpetual: ({ params, query }) => ({
        body: perpetualJson(params.symbol!, query as PerpetualQuery, perpetualSources),
        position: position(),
      }),
      positionSize: ({ query }) => handlers.positionSize(query as PositionSizeQuery),
      ...writerRoutes(writer, {
        feeds: (of) => feedsJson(of),
        venueInstruments: async ({ venueInstruments }, { params, query }) => {
          const { q } = query as VenueInstrumentsQuery;
          const { items, unavailable } = await venueInstruments.search(params.venue!, q, MAX_FOUND);
          return JSON.stringify({ items, count: items.length, unavailable });
        },
        addInstrument: (of, call) => addInstrument(of, call),
        priceSource: (of, { params }) => sourceJson(of, market.resolve(params.symbol!), params.symbol!),
        ingestTicks: ({ push }, { request, caller }) => push.ticks(request, caller!),
      }),
    },
    channels: () => [ticks(), flows(), perpetuals()],
    readers: [
      { phase: 'instruments', read: catalogue.read },
      { phase: 'prices', read: market.read },
      ...(writer ? [{ phase: 'tape' as const, read: writer.recorder.read }] : []),
    ],
    metrics: (metrics) => writer && observe(metrics, writer, options),
    start(timers) {
      if (!writer) return;
      const { intake, recorder, store, tapeDays, now, log } = writer;
      const feeds = writer.feeds()!;
      let second = 0;
      timers.every(CLOCK_MS, 'the clock', () => {
        const time = now();
        if (Math.floor(time / 1000) === second) return;
        second = Math.floor(time / 1000);
        passTime(feeds, intake, time);
      });
      timers.every(PERPETUAL_MS, 'the figures of perpetuals', () => writer.perpetuals.flush());
      timers.every(FLUSH_MS, 'recording', () => recorder.flush());
      timers.every(PRUNE_MS, 'pruning the tape', async () => {
        const days = await store.pruneTape(now() - tapeDays * DAY_MS);
        if (days > 0) log.info('deleted old tape', { days });
      });
      feeds.start();
    },
    stop() {
      writer?.feeds()?.stop();
      writer?.intake.stop();
    },
    async drain() {
      if (writer) await storeRest(writer);
    },
  };
}

async function addInstrument({ venueInstruments, audit, now }: MarketWriter, call: HandlerCall): Promise<string> {
  const { venue, symbol: code } = (await readJson(call.request, InstrumentRequest)).value;
  const actor = actorOf(call.caller!);
  const spec = await venueInstruments.add(venue, code, (symbol, of) =>
    audit({ at: Math.floor(now()), actor, action: 'instrument added', subject: `${symbol} of ${of}` }),
  );
  return JSON.stringify(instrumentOf(spec));
}

/** The last write of a run. The next start declares a gap unless everything was stored. */
async function storeRest({ recorder, store, now }: MarketWriter): Promise<void> {
  await recorder.drain();
  const { failure, waitingTicks } = recorder;
  if (failure)
    throw new StoreError(`${waitingTicks} ticks could not be stored: ${failure.message}`, { cause: failure });
  await store.syncTape();
  await store.setNumber(STOPPED_AT, now());
}

/** Tells the engine the time in the markets, if it is known. */
export function passTime(feeds: FeedSet, intake: Intake, now: number): void {
  const clock = feeds.clock(now);
  if (clock !== null) intake.clock(clock);
}

function sourceJson({ feeds }: MarketWriter, symbol: MarketSymbol | null | undefined, code: string): string {
  if (!symbol) throw symbolNotFound(code);
  const set = feeds();
  // The simulated markets are one feed that has all instruments.
  const source = set?.problems?.of(symbol) ?? { feed: set?.feeds[0]?.status().name ?? null, problem: null };
  return JSON.stringify({ symbol, ...source } satisfies InstrumentSource);
}

function feedsJson({ feeds, spikes, historyStatus }: MarketWriter): string {
  const problems = feeds()?.problems?.byFeed ?? new Map<string, string>();
  const history = new Map(historyStatus().map((status) => [status.venue, status]));
  const items = (feeds()?.feeds ?? []).map((feed) => feedReport(feed.status(), history, problems));
  const quarantine = (spikes?.quarantine ?? []).map(({ time, ...rest }) => ({ ...rest, time: iso(time) }));
  return JSON.stringify({ items, count: items.length, quarantine });
}

const feedReport = (
  { name, state, symbols, lastEventAt, lastError, delay, ...counts }: FeedStatus,
  history: ReadonlyMap<string, HistoryStatus>,
  problems: ReadonlyMap<string, string>,
): FeedReport => ({
  name,
  state,
  symbols: [...symbols],
  last_event_at: lastEventAt > 0 ? iso(lastEventAt) : null,
  connects: counts.connects,
  disconnects: counts.disconnects,
  duplicates: counts.duplicates,
  backfilled: counts.backfilled,
  gaps: counts.gaps,
  invalid_messages: counts.invalidMessages,
  history_bars_left: history.get(name)?.barsLeft ?? 0,
  last_error: lastError ?? history.get(name)?.lastError ?? null,
  problem: problems.get(name) ?? null,
  delay_ms: delay ?? null,
  clock_offset_ms: counts.clockOffsetMs ?? null,
});

const QUANTILE: Readonly<Record<string, string>> = { p50: '0.5', p99: '0.99' };

function observe(
  metrics: Metrics,
  { engine, intake, recorder, feeds, checks, now }: MarketWriter,
  { instruments, alwaysOpen }: MarketModuleOptions,
): void {
  metrics.counter('tickwire_ticks_accepted_total', 'Quotes and trades accepted', () => intake.accepted);
  metrics.counter('tickwire_ticks_refused_total', 'Quotes and trades refused, by reason', () =>
    [...intake.refused].map(([reason, count]) => [{ reason }, count] as const),
  );
  metrics.counter('tickwire_ticks_late_total', 'Ticks too late for their bar', () => engine.lateTicks);
  metrics.histogram('tickwire_intake_seconds', 'Time from a batch of ticks to its publication', intake.latency);
  const perFeed = (read: (status: FeedStatus) => number) => () =>
    (feeds()?.feeds ?? []).map((feed) => [{ feed: feed.status().name }, read(feed.status())] as const);
  const isLive = perFeed(({ state }) => (state === 'live' ? 1 : 0));
  const specs = bySymbol(instruments);
  const isTrading = (symbol: MarketSymbol): boolean =>
    alwaysOpen || isMarketOpen(specs.get(symbol)?.hours ?? 'always', asEpochMs(Math.floor(now())));
  const age = perFeed(({ lastEventAt, symbols }) =>
    symbols.some(isTrading) ? Math.max(0, now() - lastEventAt) / 1000 : 0,
  );
  metrics.gauge('tickwire_feed_live', '1 while the feed is connected', isLive);
  metrics.gauge('tickwire_feed_age_seconds', 'Age of the newest tick; 0 while all its markets are closed', age);
  metrics.gauge('tickwire_feed_delay_seconds', 'Time from the venue to this service', () =>
    (feeds()?.feeds ?? []).flatMap((feed) => {
      const { name, delay } = feed.status();
      return Object.entries(delay ?? {}).map(
        ([at, ms]) => [{ feed: name, quantile: QUANTILE[at]! }, ms / 1000] as const,
      );
    }),
  );
  metrics.gauge('tickwire_feed_clock_offset_seconds', 'How far the clock of the venue is ahead', () =>
    (feeds()?.feeds ?? []).flatMap((feed) => {
      const { name, clockOffsetMs } = feed.status();
      return typeof clockOffsetMs === 'number' ? [[{ feed: name }, clockOffsetMs / 1000] as const] : [];
    }),
  );
  const counted = (name: 'connects' | 'disconnects' | 'duplicates' | 'backfilled' | 'gaps' | 'invalidMessages') =>
    perFeed((status) => status[name]);
  metrics.counter('tickwire_feed_connects_total', 'Connections made', counted('connects'));
  metrics.counter('tickwire_feed_disconnects_total', 'Connections lost', counted('disconnects'));
  metrics.counter('tickwire_feed_duplicates_total', 'Trades received twice', counted('duplicates'));
  metrics.counter('tickwire_feed_backfilled_total', 'Missed trades fetched later', counted('backfilled'));
  metrics.counter('tickwire_feed_gaps_total', 'Gaps that could not be filled', counted('gaps'));
  metrics.counter(
    'tickwire_feed_invalid_messages_total',
    'Messages that could not be parsed',
    counted('invalidMessages'),
  );
  metrics.counter('tickwire_tape_ticks_written_total', 'Ticks written to the tape', () => recorder.ticksWritten);
  metrics.counter(
    'tickwire_tape_ticks_lost_total',
    'Ticks dropped because the store could not write them in time',
    () => recorder.ticksLost,
  );
  metrics.gauge('tickwire_tape_ticks_waiting', 'Ticks waiting to be written', () => recorder.waitingTicks);
  metrics.gauge('tickwire_store_ok', '1 while the store can write', () => Number(checks().store === 'ok'));
}
