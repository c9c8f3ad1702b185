// Intake, engine and journal with all active signals on the one instrument that ticks: without signals, with the verifier,
// and with desk and ledger around it, whose records are made, hashed and chained, and go nowhere.
import { generateKeyPairSync } from 'node:crypto';
import { CATALOGUE, type InstrumentSpec, type Verifier } from '@tickwire/engine';
import type { SimEvent } from '../../packages/server/src/feeds/sim/market.ts';
import type { MemoryJournal } from '../../packages/server/src/journal/memory-journal.ts';
import { silentLog } from '../../packages/server/src/ops/log.ts';
import { Desk } from '../../packages/server/src/signals/desk.ts';
import { Ledger } from '../../packages/server/src/signals/ledger.ts';
import type { SignalStore } from '../../packages/server/src/store/signal-store.ts';
import { ACTIVE, openChain, openVerifier, pump, type Taken } from './engine-stages.ts';
import { Crowd, dice, NEAR_TO_FAR, requestOf, rollTerms } from './signal-crowd.ts';

export const CHAINS = ['engine', 'verifier', 'desk'] as const;
export type ChainStage = (typeof CHAINS)[number];

export interface ChainRun extends Taken {
  readonly closings: number;
  readonly fills: number;
}

const PUBLISHER = { publicId: 'pub_bench', name: 'bench' };

/** Records come here and go nowhere. */
const noDisk = {
  log: async () => [],
  tail: async () => undefined,
  write: async () => {},
} as unknown as SignalStore;

/** Runs the batches, all of `spec`, through a new chain. */
export async function runChain(
  stage: ChainStage,
  spec: InstrumentSpec,
  batches: readonly SimEvent[][],
): Promise<ChainRun> {
  const chain = await openChain(batches);
  if (stage === 'engine') return { ...(await pump(chain, batches)), closings: 0, fills: 0 };
  const verifier = openVerifier(batches);
  if (stage === 'desk') return runDesk(verifier, spec, chain, batches);
  const crowd = new Crowd({ verifier, instruments: [spec], mark: ACTIVE, reach: NEAR_TO_FAR, seed: 1 });
  for (const order of crowd.orders()) verifier.add(order);
  chain.journal.subscribe(crowd.read);
  const taken = await pump(chain, batches);
  const { closings, fills } = crowd;
  if (verifier.active !== ACTIVE) throw new Error(`${verifier.active} signals are active, not ${ACTIVE}`);
  return { ...taken, closings, fills };
}

async function runDesk(
  verifier: Verifier,
  spec: InstrumentSpec,
  chain: Awaited<ReturnType<typeof openChain>>,
  batches: readonly SimEvent[][],
): Promise<ChainRun> {
  const { journal } = chain;
  let time: number = batches[0]![0]!.time;
  const { desk, ledger } = await openDesk(verifier, journal, () => time);
  const roll = dice(1);
  const refill = async (): Promise<void> => {
    while (verifier.active < ACTIVE) {
      const quote = verifier.quote(spec.symbol)!;
      time = quote.time;
      const published = Array.from({ length: ACTIVE - verifier.active }, () =>
        // Too near to the market for its spread: another one in its place.
        desk.publish(PUBLISHER, requestOf(spec, rollTerms(roll, spec, quote, NEAR_TO_FAR)), null).catch(() => null),
      );
      await Promise.all(published);
    }
    await ledger.settle();
  };
  await refill();
  journal.subscribe(desk.read);
  const taken = await pump(chain, batches, refill);
  const closings = [...desk.closedBy.values()].reduce((sum, count) => sum + count, 0);
  return { ...taken, closings, fills: 0 };
}

async function openDesk(
  verifier: Verifier,
  journal: MemoryJournal,
  now: () => number,
): Promise<{ readonly desk: Desk; readonly ledger: Ledger }> {
  const ledger = await Ledger.open({
    store: noDisk,
    // Signs nothing here.
    key: { privateKey: generateKeyPairSync('ed25519').privateKey, publicKey: '0'.repeat(64) },
    realm: 'sim',
    tapeWritten: async () => {},
    judgedSeq: () => journal.lastSeq,
    now,
    log: silentLog,
  });
  const desk = new Desk({
    instruments: CATALOGUE,
    verifier,
    ledger,
    store: noDisk,
    journal,
    isOpen: () => true,
    nameOf: (publisher) => publisher,
    maxActive: ACTIVE,
    now,
  });
  return { desk, ledger };
}
