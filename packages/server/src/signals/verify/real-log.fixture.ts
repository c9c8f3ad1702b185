// A real log in a real store: simulated markets over a midnight, signals of every kind published by the desk, judged by the
// engine, stored by the ledger; the first day's tape sealed, the second's not. With losses of data on the way.
import { join } from 'node:path';
import {
  asEpochMs,
  CATALOGUE,
  Engine,
  type EpochMs,
  type FeedNews,
  type MarketSymbol,
  type QuoteEvent,
  Verifier,
} from '@tickwire/engine';
import { type SimEvent, SimMarket } from '../../feeds/sim/market.ts';
import { Intake } from '../../journal/intake.ts';
import { MemoryJournal } from '../../journal/memory-journal.ts';
import { silentLog } from '../../ops/log.ts';
import { Recorder } from '../../store/recorder.ts';
import { openSqliteStore } from '../../store/sqlite/open.ts';
import { Desk } from '../desk.ts';
import { Ledger } from '../ledger.ts';
import { openLogKey } from '../log-key.ts';
import { sealDays } from '../seal.ts';

/** Between the two days of the log. */
export const MIDNIGHT = Date.UTC(2026, 2, 3);
const MINUTE = 60_000;
const SYMBOLS = ['EURUSD', 'XAUUSD', 'BTCUSD'] as MarketSymbol[];
const log = silentLog;
/** Pushes some of the ticks, and publishes too. */
export const PUSHER = 'pub_pusher';

export interface RealLogOptions {
  readonly folder: string;
  /** How long before midnight it begins, and how long it lasts. The first day is sealed if it lasts until 00:20. */
  readonly before?: number;
  readonly minutes?: number;
  /** Signals published each minute. */
  readonly perMinute?: number;
  readonly losses?: boolean;
}

/** Deterministic: the same log each time, but for ids, keys and names. */
export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export async function writeRealLog(options: RealLogOptions): Promise<Ledger> {
  const { folder, before = 10, minutes = 40, perMinute = 1, losses = true } = options;
  const start = MIDNIGHT - before * MINUTE;
  const instruments = CATALOGUE.filter(({ symbol }) => SYMBOLS.includes(symbol));
  const store = openSqliteStore({ folder, realm: 'sim', exclusive: true });
  let time = start;
  const now = (): number => time;
  const journal = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, log);
  const recorder = new Recorder({ store: store.market, instruments, log, barsUntil: start });
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
    maxActive: 1_000_000,
    now,
  });
  const intake = new Intake({ instruments, engine: new Engine(instruments), journal, log, now });
  journal.subscribe(desk.read);
  journal.subscribe(recorder.read);
  const market = new SimMarket(instruments, { seed: 7, rate: 6, hours: 'always' });
  const roll = dice(1);
  const open: { id: string; publisher: string }[] = [];

  for (let minute = 0; minute < minutes; minute++) {
    const events = market.collect(asEpochMs(time), asEpochMs(time + MINUTE));
    time += MINUTE;
    const lost = losses
      ? SYMBOLS[minute % 24 === 7 ? 0 : minute % 24 === 13 ? 1 : minute % 24 === 19 ? 2 : -1]
      : undefined;
    const source = minute % 10 === 3 ? `push:${PUSHER}` : 'sim';
    intake.accept(
      events.filter(({ symbol }) => symbol !== lost),
      source,
    );
    if (lost) lose(intake, lost, events, minute % 24, time - MINUTE);
    intake.clock(time);
    for (let count = 0; count < perMinute; count++) {
      const publisher = roll() < 0.3 ? PUSHER : 'pub_other';
      const published = await publishOne(desk, verifier, roll, publisher, time);
      if (published) open.push({ id: published, publisher });
    }
    if (roll() < 0.1 && open.length > 0) {
      const [{ id, publisher }] = open.splice(Math.floor(roll() * open.length), 1) as [(typeof open)[number]];
      // It may have closed by itself, or its market be lost at the moment.
      await desk.close({ publicId: publisher, name: publisher }, id).catch(() => {});
    }
    await ledger.settle();
  }
  await recorder.flush();
  const end = time;
  time = MIDNIGHT + 20 * MINUTE;
  if (end >= time)
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
  return ledger;
}

/** A minute in which the source was cut off: bridged by trades, by a bar, or not at all. */
function lose(intake: Intake, symbol: MarketSymbol, events: readonly SimEvent[], how: number, from: number): void {
  const symbols = [symbol];
  const [start, end] = [asEpochMs(from), asEpochMs(from + MINUTE - 1)];
  const tell = (event: FeedNews): void => intake.accept([event], 'sim');
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
  desk: Desk,
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
  // Hundredths of a percent: near enough to be reached within minutes.
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
      expires_at: new Date(time + Math.ceil(roll() * 12 * MINUTE)).toISOString(),
    }),
    ...(roll() < 0.3 && { note: `a thought at ${time}: prices ≥ ${entry}` }),
  } as const;
  // Too near to the market for its spread: refused, and none the worse for the log.
  const published = await desk.publish({ publicId: publisher, name: publisher }, request, null).catch(() => null);
  return published?.id ?? null;
}
