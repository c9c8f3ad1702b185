// Writes a signal log as the service does: simulated markets through intake, engine and journal, signals published at the
// desk, stored by the ledger, the ticks on the tape; over a midnight, so that the first day is sealed.
import { join } from 'node:path';
import { asEpochMs, CATALOGUE, Engine, type InstrumentSpec, Verifier } from '@tickwire/engine';
import { SimMarket } from '../../packages/server/src/feeds/sim/market.ts';
import { Intake } from '../../packages/server/src/journal/intake.ts';
import { MemoryJournal } from '../../packages/server/src/journal/memory-journal.ts';
import { silentLog as log } from '../../packages/server/src/ops/log.ts';
import { Desk } from '../../packages/server/src/signals/desk.ts';
import { Ledger } from '../../packages/server/src/signals/ledger.ts';
import { openLogKey } from '../../packages/server/src/signals/log-key.ts';
import { sealDays } from '../../packages/server/src/signals/seal.ts';
import { Recorder } from '../../packages/server/src/store/recorder.ts';
import { openSqliteStore } from '../../packages/server/src/store/sqlite/open.ts';
import { dice, type Reach, requestOf, rollTerms } from './signal-crowd.ts';

const MIDNIGHT = Date.UTC(2026, 2, 3);
const MINUTE = 60_000;
const BEFORE = 45 * MINUTE;
/** The first day is sealed from here on. */
const SEALED = 20 * MINUTE;
const SYMBOLS = new Set(['EURUSD', 'XAUUSD', 'BTCUSD']);
/** Quotes per second over the three. */
const RATE = 20;
/** A log is about so many minutes long, whatever its size. */
const MINUTES = 90;
const REACH: Reach = { nearest: 0.0001, farthest: 0.002, waiting: 0.5, expiryMinutes: 30 };
const PUBLISHERS = ['pub_first', 'pub_second', 'pub_third', 'pub_fourth'].map((id) => ({ publicId: id, name: id }));

/** Returns the number of records, which is at least `wanted`. */
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
    tapeWritten: () => recorder.flush(),
    judgedSeq: () => journal.lastSeq,
    now,
    log,
  });
  const desk = new Desk({
    instruments,
    verifier,
    ledger,
    store: store.signals,
    journal,
    isOpen: () => true,
    nameOf: (publisher) => publisher,
    maxActive: wanted,
    now,
  });
  const intake = new Intake({ instruments, engine: new Engine(instruments), journal, log, now });
  journal.subscribe(desk.read);
  journal.subscribe(recorder.read);
  const market = new SimMarket(instruments, { seed: 7, rate: RATE, hours: 'always' });
  const roll = dice(1);
  const publish = async (spec: InstrumentSpec, index: number): Promise<void> => {
    const quote = verifier.quote(spec.symbol);
    if (!quote) return;
    const request = requestOf(spec, rollTerms(roll, spec, { ...quote, time: asEpochMs(time) }, REACH));
    const note = index % 3 === 0 ? { note: `${spec.symbol} looks like it, ${time}` } : {};
    // Too near to the market for its spread: refused, and none the worse for the log.
    await desk.publish(PUBLISHERS[index % PUBLISHERS.length]!, { ...request, ...note }, null).catch(() => {});
  };

  // Most signals are two records: published and closed.
  const perMinute = Math.ceil(wanted / 2 / MINUTES);
  while (ledger.length < wanted || time <= MIDNIGHT + SEALED) {
    const events = market.collect(asEpochMs(time), asEpochMs(time + MINUTE));
    time += MINUTE;
    intake.accept(events, 'sim');
    intake.clock(time);
    await Promise.all(
      Array.from({ length: perMinute }, (_, index) => publish(instruments[index % instruments.length]!, index)),
    );
    await ledger.settle();
    onProgress(ledger.length);
  }
  await recorder.flush();
  await sealDays({
    store,
    folder: join(folder, 'sim'),
    now: time,
    log,
    gone: new Set(),
    seal: (day) => ledger.seal(day),
  });
  await ledger.settle();
  await ledger.mark();
  await store.close();
  return ledger.length;
}
