// The pipeline from intake to recorder in one process, without sockets and disk. Each stage adds one consumer of the journal.
import {
  type AlertBook,
  type AlertInput,
  CATALOGUE,
  Engine,
  type InstrumentSpec,
  type PriceEvent,
  type QuoteEvent,
  Verifier,
} from '@tickwire/engine';
import { RowAllowance } from '../../packages/server/src/access/row-allowance.ts';
import { LIMIT_SETTINGS } from '../../packages/server/src/config/limit-settings.ts';
import { LiveIndicators } from '../../packages/server/src/history/live-indicators.ts';
import { ReadWork } from '../../packages/server/src/http/read-work.ts';
import type { JournalReader } from '../../packages/server/src/journal/journal.ts';
import { MemoryJournal } from '../../packages/server/src/journal/memory-journal.ts';
import { Intake } from '../../packages/server/src/market/intake.ts';
import { MarketView } from '../../packages/server/src/market/market-view.ts';
import { Recorder } from '../../packages/server/src/market/recorder.ts';
import { silentLog } from '../../packages/server/src/ops/log.ts';
import type { MarketStore } from '../../packages/server/src/store/store.ts';
import { isItemChannel } from '../../packages/server/src/ws/channel.ts';
import { Hub } from '../../packages/server/src/ws/hub.ts';
import { StreamCounts } from '../../packages/server/src/ws/stream-counts.ts';
import { openChannels } from '../../packages/server/testing/ws/channels.fixture.ts';
import { openAlerts } from './alert-crowd.ts';
import { NEAR_TO_FAR, SignalPool } from './signal-pool.ts';

export const STAGES = ['engine', 'signals', 'view', 'gateway', 'recorder', 'alerts'] as const;
export type EngineStage = (typeof STAGES)[number];

/** Active signals that the target requires. */
export const ACTIVE = 10_000;
/** Alerts of all kinds that the target requires beside them. */
export const ALERTS = 10_000;
/** Events per batch. */
const BATCH = 1_000;
/** Ticks between flushes: the recorder flushes five times a second at the target rate. */
const FLUSH_EVERY = 100_000;

/** Signals are judged here, not published. */
const NO_SIGNALS = {
  epoch: 'bench',
  newest: 0,
  lastOf: () => ({ published: 0, filled: 0, changed: 0, closed: 0 }),
  lastAt: async () => new Map(),
  after: async () => [],
};

/** Discards encoded blocks. */
const noDisk = {
  async writeTape() {},
  async write() {},
} as unknown as MarketStore;

export function toBatches(events: readonly PriceEvent[]): PriceEvent[][] {
  const batches: PriceEvent[][] = [];
  for (let at = 0; at < events.length; at += BATCH) batches.push(events.slice(at, at + BATCH));
  return batches;
}

export interface EnginePipeline {
  readonly journal: MemoryJournal;
  readonly intake: Intake;
}

/** A new pipeline up to the journal. `end`: time of the last tick. */
export async function startEngine(
  end: number,
  instruments: readonly InstrumentSpec[] = CATALOGUE,
): Promise<EnginePipeline> {
  const journal = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, silentLog);
  const engine = new Engine(instruments);
  return { journal, intake: new Intake({ instruments, engine, journal, log: silentLog, now: () => end }) };
}

/** The first quote of each instrument. */
export function firstQuotes(batches: readonly PriceEvent[][]): QuoteEvent[] {
  const first = new Map<string, QuoteEvent>();
  for (const batch of batches) {
    for (const event of batch) if (event.kind === 'quote' && !first.has(event.symbol)) first.set(event.symbol, event);
  }
  return [...first.values()];
}

/** A verifier with the first quotes, so that signals can be published before the start. */
export function openVerifier(
  batches: readonly PriceEvent[][],
  instruments: readonly InstrumentSpec[] = CATALOGUE,
): Verifier {
  const verifier = new Verifier(instruments);
  for (const { symbol, time, bid, ask } of firstQuotes(batches))
    verifier.seedQuote(symbol, { kind: 'quote', seq: 0, time, bid, ask, source: 'sim' });
  return verifier;
}

export interface TimeUsed {
  /** CPU time of all threads of the process, including compiler and garbage collector. */
  readonly cpuSeconds: number;
}

/** Feeds all batches to the intake; `behind` receives the number of ticks fed since the start. */
export async function feedBatches(
  { intake }: EnginePipeline,
  batches: readonly PriceEvent[][],
  behind?: (ticks: number) => Promise<void> | null,
): Promise<TimeUsed> {
  const before = intake.accepted;
  const cpu = process.cpuUsage();
  let second = 0;
  let handed = 0;
  for (const batch of batches) {
    const { time } = batch[0]!;
    if (Math.floor(time / 1000) !== second) {
      second = Math.floor(time / 1000);
      intake.clock(time);
    }
    intake.accept(batch, 'sim');
    handed += batch.length;
    const work = behind?.(handed);
    if (work) await work;
  }
  const { user, system } = process.cpuUsage(cpu);
  const sent = batches.reduce((sum, batch) => sum + batch.length, 0);
  if (intake.accepted - before !== sent)
    throw new Error(`the intake refused ${sent - (intake.accepted - before)} of ${sent} ticks`);
  return { cpuSeconds: (user + system) / 1e6 };
}

export interface StageRun extends TimeUsed {
  readonly closings: number;
}

/** Runs all batches through a new pipeline. */
export async function runStage(
  stage: EngineStage,
  batches: readonly PriceEvent[][],
  instruments: readonly InstrumentSpec[] = CATALOGUE,
): Promise<StageRun> {
  const end = batches.at(-1)!.at(-1)!.time;
  const chain = await startEngine(end, instruments);
  const { journal } = chain;
  const upTo = STAGES.indexOf(stage);
  const has = (reader: EngineStage): boolean => upTo >= STAGES.indexOf(reader);
  let pool: SignalPool | null = null;
  if (has('signals')) {
    pool = publishSignals(openVerifier(batches, instruments), instruments);
    journal.subscribe(pool.read);
  }
  const market = new MarketView(instruments);
  if (has('view')) journal.subscribe(market.read);
  if (has('gateway')) {
    const now = (): number => end;
    const hub = new Hub({
      now,
      publish: () => {},
      audienceOf: () => 1_000,
      sockets: () => 1_000,
      counts: new StreamCounts(),
    });
    const channels = openChannels({
      instruments,
      journal,
      market,
      signals: NO_SIGNALS,
      indicators: new LiveIndicators({ store: { bars: async () => [] }, view: market }, new ReadWork(), {}),
      rows: new RowAllowance(),
      capacity: LIMIT_SETTINGS.resume_messages.fallback,
      simulated: false,
      now,
    });
    for (const channel of channels) if (!isItemChannel(channel)) hub.register(channel);
    journal.subscribe(hub.read);
  }
  const recorder = new Recorder({ store: noDisk, instruments, log: silentLog, barsUntil: 0 });
  if (has('recorder')) journal.subscribe(recorder.read);
  if (has('alerts')) journal.subscribe(readAlerts(openAlerts(firstQuotes(batches), ALERTS, false).book));
  const all = batches.reduce((sum, batch) => sum + batch.length, 0);
  const flush = (ticks: number): Promise<void> | null =>
    ticks % FLUSH_EVERY === 0 || ticks === all ? recorder.flush() : null;
  const { cpuSeconds } = await feedBatches(chain, batches, has('recorder') ? flush : undefined);
  return { cpuSeconds, closings: pool?.closings ?? 0 };
}

/** A reader of the journal that judges the alerts of a book. */
export const readAlerts =
  (book: AlertBook): JournalReader =>
  ({ firstSeq, events }) => {
    for (let at = 0; at < events.length; at++) book.read(firstSeq + at, events[at] as AlertInput);
  };

/** The signals of the target, spread evenly over all instruments. */
export function publishSignals(verifier: Verifier, catalogue: readonly InstrumentSpec[] = CATALOGUE): SignalPool {
  const instruments = catalogue.filter(({ symbol }) => verifier.quote(symbol));
  const pool = new SignalPool({ verifier, instruments, mark: ACTIVE, reach: NEAR_TO_FAR, seed: 1 });
  for (const order of pool.orders()) verifier.add(order);
  return pool;
}
