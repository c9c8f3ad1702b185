// Writes a real log to a real store: simulated markets across midnight, with data loss; signals of every kind published
// by the service, judged by the engine and stored by the ledger. The tape of the first day is sealed, that of the
// second is not.
import { join } from 'node:path';
import {
  asEpochMs,
  CATALOGUE,
  Engine,
  type EpochMs,
  type FeedStatusEvent,
  type MarketSymbol,
  MINUTE_MS,
  type PriceEvent,
  type QuoteEvent,
  Verifier,
} from '@tickwire/engine';
import { MemoryJournal } from '../../src/journal/memory-journal.ts';
import { SimMarket } from '../../src/market/feeds/sim/sim-market.ts';
import { Intake } from '../../src/market/intake.ts';
import { Recorder } from '../../src/market/recorder.ts';
import { silentLog } from '../../src/ops/log.ts';
import { Ledger } from '../../src/signals/ledger.ts';
import { openLogKey } from '../../src/signals/log-key.ts';
import { PublicationLimits } from '../../src/signals/publication-limits.ts';
import { sealTapeDays } from '../../src/signals/seal-tape.ts';
import { SignalService } from '../../src/signals/signal-service.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { unlimitedPublisher } from './unlimited-publisher.fixture.ts';

/** Between the two days of the log. */
export const MIDNIGHT = Date.UTC(2026, 2, 3);
const SYMBOLS = ['EURUSD', 'XAUUSD', 'BTCUSD'] as MarketSymbol[];
const log = silentLog;
/** Pushes some of the ticks, and publishes too. */
export const PUSHER = 'pub_pusher';

export interface RealLogOptions {
  readonly folder: string;
  /** Minutes before midnight at which it begins, and its length. The first day is sealed if it lasts until 00:20. */
  readonly before?: number;
  readonly minutes?: number;
  /** Signals published per minute. */
  readonly perMinute?: number;
  readonly losses?: boolean;
}

/** Deterministic: the same log each time, except for ids, keys and names. */
export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export async function writeRealLog(options: RealLogOptions): Promise<Ledger> {
  const { folder, before = 10, minutes = 40, perMinute = 1, losses = true } = options;
  const start = MIDNIGHT - before * MINUTE_MS;
  const instruments = CATALOGUE.filter(({ symbol }) => SYMBOLS.includes(symbol));
  const store = openSqliteStore({ folder, realm: 'sim', exclusive: true });
  let time = start;
  const now = (): number => time;
  const journal = await MemoryJournal.open(
    { load: async () => 1, save: (number) => store.market.setNumber('seq_reserved', number) },
    log,
  );
  const recorder = new Recorder({ store: store.market, instruments, log, barsUntil: start });
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
  const service = new SignalService({
    instruments,
    verifier,
    ledger,
    store: store.signals,
    journal,
    isOpen: () => true,
    nameOf: (publisher) => publisher,
    limits: new PublicationLimits(1_000_000),
    now,
  });
  const intake = new Intake({ instruments, engine: new Engine(instruments), journal, log, now });
  journal.subscribe(service.read);
  journal.subscribe(recorder.read);
  const market = new SimMarket(instruments, { seed: 7, rate: 6, hours: 'always' });
  const roll = dice(1);
  const open: { id: string; publisher: string }[] = [];

  for (let minute = 0; minute < minutes; minute++) {
    const events = market.collect(asEpochMs(time), asEpochMs(time + MINUTE_MS));
    time += MINUTE_MS;
    const lost = losses
      ? SYMBOLS[minute % 24 === 7 ? 0 : minute % 24 === 13 ? 1 : minute % 24 === 19 ? 2 : -1]
      : undefined;
    const source = minute % 10 === 3 ? `push:${PUSHER}` : 'sim';
    intake.accept(
      events.filter(({ symbol }) => symbol !== lost),
      source,
    );
    if (lost) lose(intake, lost, events, minute % 24, time - MINUTE_MS);
    intake.clock(time);
    for (let count = 0; count < perMinute; count++) {
      const publisher = roll() < 0.3 ? PUSHER : 'pub_other';
      const published = await publishOne(service, verifier, roll, publisher, time);
      if (published) open.push({ id: published, publisher });
    }
    if (roll() < 0.1 && open.length > 0) {
      const [{ id, publisher }] = open.splice(Math.floor(roll() * open.length), 1) as [(typeof open)[number]];
      // It may have closed already, or its source may be disconnected.
      await service.close({ publicId: publisher, name: publisher }, id).catch(() => {});
    }
    await ledger.drain();
  }
  await recorder.drain();
  const end = time;
  time = MIDNIGHT + 20 * MINUTE_MS;
  if (end >= time)
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
  return ledger;
}

/** A minute in which the source was disconnected: backfilled by trades, by a bar, or not at all. */
function lose(intake: Intake, symbol: MarketSymbol, events: readonly PriceEvent[], how: number, from: number): void {
  const symbols = [symbol];
  const [start, end] = [asEpochMs(from), asEpochMs(from + MINUTE_MS - 1)];
  const tell = (event: FeedStatusEvent): void => intake.accept([event], 'sim');
  tell({ kind: 'disconnect', symbols, time: start });
  const mine = events.filter((event) => event.symbol === symbol);
  if (how === 7)
    intake.accept(
      mine.filter(({ kind }) => kind === 'trade'),
      'sim',
    );
  else if (how === 13) {
    const bids = mine.filter((event): event is QuoteEvent => event.kind === 'quote').map(({ bid }) => bid);
    if (bids.length > 0) intake.fill([{ kind: 'minute', symbol, bar: barOf(bids, start) }], 'sim');
  } else {
    tell({ kind: 'gap', symbols, from: start, to: end, time: end });
    return;
  }
  tell({ kind: 'backfilled', symbols, count: 1, from: start, to: end, time: end });
}

const barOf = (bids: readonly number[], time: EpochMs) =>
  ({
    time,
    open: bids[0]!,
    high: Math.max(...bids),
    low: Math.min(...bids),
    close: bids.at(-1)!,
    volume: 1,
    bidVolume: 0,
    askVolume: 0,
    basis: 'bid',
  }) as const;

async function publishOne(
  service: SignalService,
  verifier: Verifier,
  roll: () => number,
  publisher: string,
  time: number,
): Promise<string | null> {
  const symbol = SYMBOLS[Math.floor(roll() * SYMBOLS.length)]!;
  const { digits } = CATALOGUE.find((spec) => spec.symbol === symbol)!;
  const quote = verifier.quote(symbol);
  if (!quote) return null;
  const price = (value: number): number => Number(value.toFixed(digits));
  const direction = roll() < 0.5 ? 'buy' : 'sell';
  const sign = direction === 'buy' ? 1 : -1;
  const side = direction === 'buy' ? quote.ask : quote.bid;
  // Hundredths of a percent: close enough to be reached within minutes.
  const step = side * 0.0002;
  const away = roll() < 0.5 ? 0 : (roll() - 0.5) * 6;
  const entry = price(side + away * step);
  const request = {
    symbol,
    direction,
    entry,
    stop_loss: price(entry - sign * step * (1 + roll() * 5)),
    take_profit: price(entry + sign * step * (1 + roll() * 5)),
    ...(roll() < 0.4 && {
      expires_at: new Date(time + Math.ceil(roll() * 12 * MINUTE_MS)).toISOString(),
    }),
    ...(roll() < 0.3 && { note: `a thought at ${time}: prices ≥ ${entry}` }),
  } as const;
  // Too close to the market for its spread: rejected, which is fine here.
  const published = await service.publish(unlimitedPublisher(publisher), request, null).catch(() => null);
  return published?.id ?? null;
}
