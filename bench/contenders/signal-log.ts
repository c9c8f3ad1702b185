// Writes a signal log as the service does: simulated markets run through intake, engine and journal; signals are published by the
// signal service and stored by the ledger; ticks go to the tape. Runs past midnight, so that the first day is sealed.
import { join } from 'node:path';
import { asEpochMs, CATALOGUE, Engine, type InstrumentSpec, MINUTE_MS, Verifier } from '@tickwire/engine';
import { MemoryJournal } from '../../packages/server/src/journal/memory-journal.ts';
import { SimMarket } from '../../packages/server/src/market/feeds/sim/sim-market.ts';
import { Intake } from '../../packages/server/src/market/intake.ts';
import { Recorder } from '../../packages/server/src/market/recorder.ts';
import { silentLog as log } from '../../packages/server/src/ops/log.ts';
import { Ledger } from '../../packages/server/src/signals/ledger.ts';
import { openLogKey } from '../../packages/server/src/signals/log-key.ts';
import { PublicationLimits } from '../../packages/server/src/signals/publication-limits.ts';
import { sealTapeDays } from '../../packages/server/src/signals/seal-tape.ts';
import { SignalService } from '../../packages/server/src/signals/signal-service.ts';
import { openSqliteStore } from '../../packages/server/src/store/sqlite/open-sqlite-store.ts';
import { unlimitedPublisher } from '../../packages/server/testing/signals/unlimited-publisher.fixture.ts';
import { type Distances, randomTerms, seededRandom, signalRequest } from './signal-pool.ts';

const MIDNIGHT = Date.UTC(2026, 2, 3);
const BEFORE = 45 * MINUTE_MS;
/** From this time on the first day is sealed. */
const SEALED = 20 * MINUTE_MS;
const SYMBOLS = new Set(['EURUSD', 'XAUUSD', 'BTCUSD']);
/** Quotes per second of the three instruments together. */
const RATE = 20;
/** Approximate duration of a log, whatever its number of records. */
const MINUTES = 90;
const REACH: Distances = { nearest: 0.0001, farthest: 0.002, waiting: 0.5, expiryMinutes: 30 };
const PUBLISHERS = ['pub_first', 'pub_second', 'pub_third', 'pub_fourth'].map((id) => unlimitedPublisher(id));

/** Returns the number of records written, at least `wanted`. */
export async function writeLog(folder: string, wanted: number, onProgress: (records: number) => void): Promise<number> {
  const instruments = CATALOGUE.filter(({ symbol }) => SYMBOLS.has(symbol));
  const store = openSqliteStore({ folder, realm: 'sim', exclusive: true });
  let time = MIDNIGHT - BEFORE;
  const now = (): number => time;
  const journal = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, log);
  const recorder = new Recorder({ store: store.market, instruments, log, barsUntil: time });
  const verifier = new Verifier(instruments);
  const ledger = await Ledger.open({
    store: store.signals,
    key: openLogKey(join(folder, 'sim', 'log-key.pem')),
    realm: 'sim',
    flushTape: () => recorder.drain(),
    judgedSeq: () => journal.lastSeq,
    now,
    log,
  });
  const desk = new SignalService({
    instruments,
    verifier,
    ledger,
    store: store.signals,
    journal,
    isOpen: () => true,
    nameOf: (publisher) => publisher,
    limits: new PublicationLimits(wanted),
    now,
  });
  const intake = new Intake({ instruments, engine: new Engine(instruments), journal, log, now });
  journal.subscribe(desk.read);
  journal.subscribe(recorder.read);
  const market = new SimMarket(instruments, { seed: 7, rate: RATE, hours: 'always' });
  const roll = seededRandom(1);
  const publish = async (spec: InstrumentSpec, index: number): Promise<void> => {
    const quote = verifier.quote(spec.symbol);
    if (!quote) return;
    const request = signalRequest(spec, randomTerms(roll, spec, { ...quote, time: asEpochMs(time) }, REACH));
    const note = index % 3 === 0 ? { note: `${spec.symbol} looks like it, ${time}` } : {};
    // Rejected if it is too close to the market for its spread, which does not affect the log.
    await desk.publish(PUBLISHERS[index % PUBLISHERS.length]!, { ...request, ...note }, null).catch(() => {});
  };

  // Most signals have two records: published and closed.
  const perMinute = Math.ceil(wanted / 2 / MINUTES);
  while (ledger.length < wanted || time <= MIDNIGHT + SEALED) {
    const events = market.collect(asEpochMs(time), asEpochMs(time + MINUTE_MS));
    time += MINUTE_MS;
    intake.accept(events, 'sim');
    intake.clock(time);
    await Promise.all(
      Array.from({ length: perMinute }, (_, index) => publish(instruments[index % instruments.length]!, index)),
    );
    await ledger.drain();
    onProgress(ledger.length);
  }
  await recorder.drain();
  await sealTapeDays({
    store,
    folder: join(folder, 'sim'),
    now: time,
    log,
    missingDays: new Set(),
    seal: (day) => ledger.seal(day),
  });
  await ledger.drain();
  await ledger.markJudged();
  await store.close();
  return ledger.length;
}
