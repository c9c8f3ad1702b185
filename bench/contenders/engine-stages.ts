// The chain from intake to recorder in one process without sockets and disk, one reader of the journal more at each stage.
import { CATALOGUE, Engine, type QuoteEvent, Verifier } from '@tickwire/engine';
import type { SimEvent } from '../../packages/server/src/feeds/sim/market.ts';
import { LIMIT_SETTINGS } from '../../packages/server/src/gateway/limit-settings.ts';
import { Switchboard } from '../../packages/server/src/gateway/switchboard.ts';
import { Intake } from '../../packages/server/src/journal/intake.ts';
import { MemoryJournal } from '../../packages/server/src/journal/memory-journal.ts';
import { silentLog } from '../../packages/server/src/ops/log.ts';
import { Recorder } from '../../packages/server/src/store/recorder.ts';
import type { MarketStore } from '../../packages/server/src/store/store.ts';
import { MarketView } from '../../packages/server/src/views/market-view.ts';
import { Crowd, NEAR_TO_FAR } from './signal-crowd.ts';

export const STAGES = ['discard', 'engine', 'signals', 'view', 'gateway', 'recorder'] as const;
export type Stage = (typeof STAGES)[number];

/** Active signals of the bar. */
export const ACTIVE = 10_000;
/** Events handed over at once. */
const BATCH = 1_000;
/** The recorder flushes five times a second: so often at the rate the bar asks for. */
const FLUSH_EVERY = 100_000;

/** Signals here are judged, not published. */
const NO_SIGNALS = { epoch: 'bench', newest: 0, lastOf: () => ({ published: 0, any: 0 }) };

/** Encoded blocks come here and go nowhere. */
const noDisk = {
  async writeTape() {},
  async write() {},
} as unknown as MarketStore;

export function cut(events: readonly SimEvent[]): SimEvent[][] {
  const batches: SimEvent[][] = [];
  for (let at = 0; at < events.length; at += BATCH) batches.push(events.slice(at, at + BATCH));
  return batches;
}

export interface Chain {
  readonly journal: MemoryJournal;
  readonly intake: Intake;
  readonly end: number;
}

/** A new chain up to the journal, for all instruments. */
export async function openChain(batches: readonly SimEvent[][]): Promise<Chain> {
  const end = batches.at(-1)!.at(-1)!.time;
  const journal = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, silentLog);
  const engine = new Engine(CATALOGUE);
  return {
    journal,
    intake: new Intake({ instruments: CATALOGUE, engine, journal, log: silentLog, now: () => end }),
    end,
  };
}

/** A verifier that knows the first quote of each instrument, so that signals can be published before the start. */
export function openVerifier(batches: readonly SimEvent[][]): Verifier {
  const verifier = new Verifier(CATALOGUE);
  const first = new Map<string, QuoteEvent>();
  for (const batch of batches) {
    if (first.size === CATALOGUE.length) break;
    for (const event of batch) if (event.kind === 'quote' && !first.has(event.symbol)) first.set(event.symbol, event);
  }
  for (const { symbol, time, bid, ask } of first.values())
    verifier.seed(symbol, { kind: 'quote', seq: 0, time, bid, ask, source: 'sim' });
  return verifier;
}

export interface Taken {
  readonly seconds: number;
  /** Of all threads of the process: the compiler's and the collector's are among them. */
  readonly cpuSeconds: number;
}

/** Hands all batches to the intake; `behind` is told how many ticks were handed over since the start. */
export async function pump(
  { intake }: Chain,
  batches: readonly SimEvent[][],
  behind?: (ticks: number) => Promise<void> | null,
): Promise<Taken> {
  const cpu = process.cpuUsage();
  const started = performance.now();
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
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const sent = batches.reduce((sum, batch) => sum + batch.length, 0);
  if (intake.accepted !== sent) throw new Error(`the intake refused ${sent - intake.accepted} of ${sent} ticks`);
  return { seconds, cpuSeconds: (user + system) / 1e6 };
}

export interface StageRun {
  readonly seconds: number;
  readonly closings: number;
}

/** Runs all batches through a new chain. */
export async function runStage(stage: Stage, batches: readonly SimEvent[][]): Promise<StageRun> {
  if (stage === 'discard') return { seconds: discard(batches), closings: 0 };
  const chain = await openChain(batches);
  const { journal, end } = chain;
  const upTo = STAGES.indexOf(stage);
  const has = (reader: Stage): boolean => upTo >= STAGES.indexOf(reader);
  let crowd: Crowd | null = null;
  if (has('signals')) {
    crowd = crowdOn(openVerifier(batches));
    journal.subscribe(crowd.read);
  }
  const market = new MarketView(CATALOGUE);
  if (has('view')) journal.subscribe(market.read);
  if (has('gateway')) {
    const lines = new Switchboard({
      instruments: CATALOGUE,
      journal,
      market,
      signals: NO_SIGNALS,
      kept: LIMIT_SETTINGS.resume_messages.fallback,
      now: () => end,
      publish: () => {},
    });
    journal.subscribe((batch) => lines.read(batch));
  }
  const recorder = new Recorder({ store: noDisk, instruments: CATALOGUE, log: silentLog, barsUntil: 0 });
  if (has('recorder')) journal.subscribe(recorder.read);
  const all = batches.reduce((sum, batch) => sum + batch.length, 0);
  const flush = (ticks: number): Promise<void> | null =>
    ticks % FLUSH_EVERY === 0 || ticks === all ? recorder.flush() : null;
  const { seconds } = await pump(chain, batches, has('recorder') ? flush : undefined);
  return { seconds, closings: crowd?.closings ?? 0 };
}

/** The signals of the bar, on all instruments alike. */
function crowdOn(verifier: Verifier): Crowd {
  const instruments = CATALOGUE.filter(({ symbol }) => verifier.quote(symbol));
  const crowd = new Crowd({ verifier, instruments, mark: ACTIVE, reach: NEAR_TO_FAR, seed: 1 });
  for (const order of crowd.orders()) verifier.add(order);
  return crowd;
}

/** The floor: touches every event of the same batches, and does nothing with it. */
function discard(batches: readonly SimEvent[][]): number {
  const started = performance.now();
  let sum = 0;
  for (const batch of batches) for (const event of batch) sum += event.time;
  const seconds = (performance.now() - started) / 1000;
  // Used, so that the loop cannot be left out.
  if (sum === 0) throw new Error('there were no events');
  return seconds;
}
