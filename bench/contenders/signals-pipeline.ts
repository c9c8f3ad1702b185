// Intake, engine and journal with all active signals on the one instrument that ticks: without signals, with the verifier, and
// with signal service and ledger, whose records are built, hashed, chained and discarded.
import { generateKeyPairSync } from 'node:crypto';
import { CATALOGUE, type InstrumentSpec, type Verifier } from '@tickwire/engine';
import type { MemoryJournal } from '../../packages/server/src/journal/memory-journal.ts';
import type { SimEvent } from '../../packages/server/src/market/feeds/sim/sim-market.ts';
import { silentLog } from '../../packages/server/src/ops/log.ts';
import { Ledger } from '../../packages/server/src/signals/ledger.ts';
import { PublicationLimits } from '../../packages/server/src/signals/publication-limits.ts';
import { SignalService } from '../../packages/server/src/signals/signal-service.ts';
import type { SignalStore } from '../../packages/server/src/store/signal-store.ts';
import { unlimitedPublisher } from '../../packages/server/testing/signals/unlimited-publisher.fixture.ts';
import { ACTIVE, feedBatches, openVerifier, startEngine, type TimeUsed } from './engine-pipeline.ts';
import { NEAR_TO_FAR, randomTerms, SignalPool, seededRandom, signalRequest } from './signal-pool.ts';

export const SIGNAL_STAGES = ['engine', 'verifier', 'desk'] as const;
export type SignalsStage = (typeof SIGNAL_STAGES)[number];

export interface StageResult extends TimeUsed {
  readonly closings: number;
  readonly fills: number;
}

const PUBLISHER = unlimitedPublisher('pub_bench', 'bench');

/** Discards records. */
const noDisk = {
  log: async () => [],
  tail: async () => undefined,
  write: async () => {},
} as unknown as SignalStore;

/** Runs the batches, all of `spec`, through a new pipeline. */
export async function runSignalsStage(
  stage: SignalsStage,
  spec: InstrumentSpec,
  batches: readonly SimEvent[][],
): Promise<StageResult> {
  const chain = await startEngine(batches.at(-1)!.at(-1)!.time);
  if (stage === 'engine') return { ...(await feedBatches(chain, batches)), closings: 0, fills: 0 };
  const verifier = openVerifier(batches);
  if (stage === 'desk') return runDesk(verifier, spec, chain, batches);
  const pool = new SignalPool({ verifier, instruments: [spec], mark: ACTIVE, reach: NEAR_TO_FAR, seed: 1 });
  for (const order of pool.orders()) verifier.add(order);
  chain.journal.subscribe(pool.read);
  const taken = await feedBatches(chain, batches);
  const { closings, fills } = pool;
  if (verifier.active !== ACTIVE) throw new Error(`${verifier.active} signals are active, not ${ACTIVE}`);
  return { ...taken, closings, fills };
}

async function runDesk(
  verifier: Verifier,
  spec: InstrumentSpec,
  chain: Awaited<ReturnType<typeof startEngine>>,
  batches: readonly SimEvent[][],
): Promise<StageResult> {
  const { journal } = chain;
  let time: number = batches[0]![0]!.time;
  const { desk, ledger } = await openDesk(verifier, journal, () => time);
  const roll = seededRandom(1);
  const refill = async (): Promise<void> => {
    while (verifier.active < ACTIVE) {
      const quote = verifier.quote(spec.symbol)!;
      time = quote.time;
      const published = Array.from({ length: ACTIVE - verifier.active }, () =>
        // Too close to the market for its spread: replaced by another one.
        desk
          .publish(PUBLISHER, signalRequest(spec, randomTerms(roll, spec, quote, NEAR_TO_FAR)), null)
          .catch(() => null),
      );
      await Promise.all(published);
    }
    await ledger.drain();
  };
  await refill();
  journal.subscribe(desk.read);
  const taken = await feedBatches(chain, batches, refill);
  const closings = [...desk.closedBy.values()].reduce((sum, count) => sum + count, 0);
  return { ...taken, closings, fills: 0 };
}

async function openDesk(
  verifier: Verifier,
  journal: MemoryJournal,
  now: () => number,
): Promise<{ readonly desk: SignalService; readonly ledger: Ledger }> {
  const ledger = await Ledger.open({
    store: noDisk,
    // Does not sign anything here.
    key: { privateKey: generateKeyPairSync('ed25519').privateKey, publicKey: '0'.repeat(64) },
    realm: 'sim',
    flushTape: async () => {},
    judgedSeq: () => journal.lastSeq,
    now,
    log: silentLog,
  });
  const desk = new SignalService({
    instruments: CATALOGUE,
    verifier,
    ledger,
    store: noDisk,
    journal,
    isOpen: () => true,
    nameOf: (publisher) => publisher,
    limits: new PublicationLimits(ACTIVE),
    now,
  });
  return { desk, ledger };
}
