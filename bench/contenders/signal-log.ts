// Writes a signal log as the service does: simulated markets run through intake, engine and journal; signals are published by the
// signal service and stored by the ledger; ticks go to the tape. Runs past midnight, so that the first day is sealed.
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { join } from 'node:path';
import { canonicalJson, type SignalRequest } from '@tickwire/contract';
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
/** Signatures begin this long before the time of publication, and rise by a millisecond. */
const SIGNED_BEFORE = 20_000;
/** Quotes per second of the three instruments together. */
const RATE = 20;
/** Approximate duration of a log, whatever its number of records. */
const MINUTES = 90;
const REACH: Distances = { nearest: 0.0001, farthest: 0.002, waiting: 0.5, expiryMinutes: 30 };
const PUBLISHERS = ['pub_first', 'pub_second', 'pub_third', 'pub_fourth'].map((id) => unlimitedPublisher(id));

export interface LogOptions {
  /** Least number of records. */
  readonly wanted: number;
  /** Whether publishers sign their signals. */
  readonly signed: boolean;
  readonly onProgress: (records: number) => void;
}

/** A publisher with a signing key. Each signature is later than the one before, and at most seconds old. */
class Signer {
  readonly publicKey: string;
  readonly #privateKey: KeyObject;
  #last = 0;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    this.#privateKey = privateKey;
    this.publicKey = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex');
  }

  signed(publisher: string, request: SignalRequest, now: number): SignalRequest {
    this.#last = Math.max(this.#last + 1, now - SIGNED_BEFORE);
    const signed_at = new Date(this.#last).toISOString();
    const { note, ...sent } = request;
    const hash = note === undefined ? {} : { note_sha256: createHash('sha256').update(note).digest('hex') };
    const text = canonicalJson({ action: 'publish', publisher, signed_at, ...sent, ...hash });
    return {
      ...request,
      signed: { signed_at, signature: sign(null, Buffer.from(text), this.#privateKey).toString('hex') },
    };
  }
}

/** Returns the number of records written. */
export async function writeLog(folder: string, { wanted, signed, onProgress }: LogOptions): Promise<number> {
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
  const signers = new Map(signed ? PUBLISHERS.map(({ publicId }) => [publicId, new Signer()] as const) : []);
  for (const [publisher, { publicKey }] of signers) await desk.setSigningKey(publisher, publicKey);
  const publish = async (spec: InstrumentSpec, index: number): Promise<void> => {
    const quote = verifier.quote(spec.symbol);
    if (!quote) return;
    const request = signalRequest(spec, randomTerms(roll, spec, { ...quote, time: asEpochMs(time) }, REACH));
    const note = index % 3 === 0 ? { note: `${spec.symbol} looks like it, ${time}` } : {};
    // Rejected if it is too close to the market for its spread, which does not affect the log.
    const publisher = PUBLISHERS[index % PUBLISHERS.length]!;
    const unsigned = { ...request, ...note };
    const signer = signers.get(publisher.publicId);
    const sent = signer ? signer.signed(publisher.publicId, unsigned, time) : unsigned;
    await desk.publish(publisher, sent, null).catch(() => {});
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
