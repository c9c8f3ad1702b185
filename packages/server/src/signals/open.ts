// Opens everything about signals and takes up what an earlier run left: active signals, how far they were judged, and what
// the tape says happened since.
import { join } from 'node:path';
import type { OpenedRecord, PublishedRecord } from '@tickwire/contract';
import {
  asEpochMs,
  asSymbol,
  type EngineEvent,
  type InstrumentSpec,
  isOpen,
  type MarketSymbol,
  type Order,
  type QuoteEvent,
  type QuoteEvidence,
  type Verdict,
  Verifier,
} from '@tickwire/engine';
import type { Journal } from '../journal/journal.ts';
import type { Log } from '../ops/log.ts';
import type { Recorder } from '../store/recorder.ts';
import { IMPORTED, type RestoredRecord } from '../store/restore.ts';
import type { Store, TapeRecord } from '../store/store.ts';
import { isAside } from '../store/tape-aside.ts';
import { decodeBlock } from '../store/tape-block.ts';
import { isMinute } from '../store/tape-minute.ts';
import { Announcements } from './announcements.ts';
import { Desk } from './desk.ts';
import { Ledger } from './ledger.ts';
import { openLogKey } from './log-key.ts';
import { orderOf, readFill, recordOf } from './records.ts';
import { SignalFeed } from './signal-feed.ts';
import { TrackRecords } from './track-records.ts';

const MINUTE = 60_000;
/** A pushed market is open while it has had a tick in this time. */
const PUSHED_MS = MINUTE;
/** More than ever waits to be judged when a service dies. */
const UNJUDGED_MS = 20 * MINUTE;

export interface OpenSignalsOptions {
  readonly store: Store;
  readonly instruments: readonly InstrumentSpec[];
  readonly recorder: Recorder;
  readonly journal: Journal;
  /** What happened so far may be stored once this resolves. */
  readonly published?: () => Promise<void>;
  readonly realm: OpenedRecord['realm'];
  /** Of the realm. */
  readonly folder: string;
  /** The key of the log, where it is not in the folder. */
  readonly keyFile?: string | null;
  readonly maxActive: number;
  /** Simulated markets that keep no hours. */
  readonly alwaysOpen: boolean;
  readonly nameOf: (publisher: string) => string | undefined;
  readonly publisherOf: (name: string) => string | undefined;
  readonly now: () => number;
  readonly log: Log;
}

export interface Signals {
  readonly verifier: Verifier;
  readonly ledger: Ledger;
  readonly desk: Desk;
  readonly feed: SignalFeed;
  readonly records: TrackRecords;
  readonly announcements: Announcements;
  /** Judges again what the tape has, in the order of seq, from where the last run ended. */
  judge(record: RestoredRecord): void;
  /** The tape is through: what follows comes from the feeds, about the time the service was away. */
  restored(): void;
  /** The feeds have caught up: from now on it is live. */
  live(): Promise<void>;
}

export async function openSignals(options: OpenSignalsOptions): Promise<Signals> {
  const { store, instruments, recorder, journal, realm, folder, nameOf, publisherOf, now, log } = options;
  const specs = new Map(instruments.map((spec) => [spec.symbol, spec]));
  const verifier = new Verifier(instruments);
  // The time of a recording is the recording's own.
  const marketTime = (): number => (realm === 'replay' ? verifier.time : now());
  const ledger = await Ledger.open({
    store: store.signals,
    key: openLogKey(options.keyFile ?? join(folder, 'log-key.pem')),
    realm,
    tapeWritten: async () => {
      await options.published?.();
      // One that runs already may not hold the newest.
      await recorder.flush();
      await recorder.flush();
      if (recorder.failure) throw recorder.failure;
      await store.market.syncTape();
    },
    judgedSeq: () => journal.lastSeq,
    now,
    log,
  });
  const displayName = (publisher: string): string => nameOf(publisher) ?? publisher;
  const announcements = await Announcements.open({
    store: store.signals,
    ledger,
    symbols: [...specs.keys()],
    nameOf: displayName,
  });
  // Before the first verdict: what the tape decides is announced while the rest of the service is still being opened.
  journal.subscribe(announcements.read);
  const desk = new Desk({
    instruments,
    verifier,
    ledger,
    store: store.signals,
    journal,
    isOpen(spec, quote) {
      if (options.alwaysOpen || realm === 'replay') return true;
      // Whoever pushes says by pushing that the market is open.
      return isPushed(quote) ? marketTime() - quote.time <= PUSHED_MS : isOpen(spec.hours, asEpochMs(marketTime()));
    },
    nameOf: displayName,
    maxActive: options.maxActive,
    now: marketTime,
  });
  const feed = new SignalFeed({ store: store.signals, nameOf, publisherOf });
  const records = new TrackRecords({ store: store.signals, nameOf });
  await feed.restore();
  await records.restore();

  const judgedUntil = await store.signals.judgedUntil();
  /** Active ones that the tape has not come to yet, in the order they were accepted. */
  let waiting = await takeUp(store, specs, desk, log);
  for (const gap of await store.signals.gaps()) verifier.restoreGap(gap as Parameters<Verifier['restoreGap']>[0]);
  const symbols = new Set(waiting.map((order) => order.symbol));
  for (const symbol of symbols) {
    const quote = await lastQuote(store, symbol);
    if (quote) verifier.seed(symbol, quote);
  }
  const addUntil = (seq: number): void => {
    while (waiting.length > 0 && waiting[0]!.accepted.seq < seq) verifier.add(waiting.shift()!);
  };
  verifier.recovering = 'tape';

  const judge = ({ seq, event, source }: RestoredRecord): void => {
    // Ticks of an import are history: nobody could have traded on them here.
    if (source === IMPORTED || (event.kind !== 'quote' && event.kind !== 'minute')) return;
    if (seq <= judgedUntil) {
      if (event.kind === 'quote') verifier.seed(event.symbol, { ...event, seq, source });
      else verifier.seedMinute(event.symbol, event.bar, seq, source);
      return;
    }
    addUntil(seq);
    const verdicts: Verdict[] = [];
    const again: EngineEvent = event.kind === 'quote' ? { ...event, kind: 'tick', volume: 0 } : event;
    verifier.read({ firstSeq: seq, events: [again], source }, verdicts);
    for (const verdict of verdicts) desk.enter(verdict);
  };
  // A restart reads the tape from this mark on. An import sets it, and what a crash left unjudged may lie before.
  const tapeFrom = (await store.market.number('tape_from')) ?? 0;
  const before: QuoteRecord[] = [];
  for (const symbol of symbols) before.push(...(await quotes(store, symbol, tapeFrom - UNJUDGED_MS, tapeFrom)));
  for (const record of before.sort((a, b) => a.seq - b.seq)) judge(record);

  return {
    verifier,
    ledger,
    desk,
    feed,
    records,
    announcements,
    judge,
    restored() {
      for (const order of waiting) verifier.add(order);
      waiting = [];
      verifier.recovering = 'backfill';
      // Simulated markets miss nothing: they are generated for the time the service was away. Nobody fetches what was
      // not pushed: who pushes may never come back, and time goes on.
      if (realm === 'live') verifier.cutOff([...specs.keys()].filter((symbol) => !isPushed(verifier.quote(symbol))));
    },
    async live() {
      await ledger.settle();
      verifier.recovering = null;
    },
  };
}

const isPushed = (quote: QuoteEvidence | null): boolean => quote?.source.startsWith('push:') ?? false;

/** The active signals of the store as orders. */
async function takeUp(
  store: Store,
  specs: ReadonlyMap<MarketSymbol, InstrumentSpec>,
  desk: Desk,
  log: Log,
): Promise<Order[]> {
  const orders: Order[] = [];
  for (const { published, fill } of await store.signals.active()) {
    const record = recordOf<PublishedRecord>(published);
    const spec = specs.get(asSymbol(record.symbol));
    if (!spec) {
      log.error('an active signal cannot be judged: its instrument is not in the catalogue any more', {
        signal: record.signal,
        symbol: record.symbol,
      });
      continue;
    }
    desk.restore(record, spec);
    orders.push(orderOf(record, spec.digits, fill === null ? null : readFill(fill)));
  }
  return orders.sort((a, b) => a.accepted.seq - b.accepted.seq);
}

/** The last quote there was, where the newest tape has none: over a weekend, say. */
async function lastQuote(store: Store, symbol: MarketSymbol): Promise<QuoteEvidence | null> {
  const last = (await store.market.lastPrices()).find((row) => row.symbol === symbol)?.quote;
  if (!last) return null;
  const minute = last.time - (last.time % MINUTE);
  const newest = (await quotes(store, symbol, minute, minute + MINUTE)).at(-1);
  if (!newest) return null;
  const { time, bid, ask } = newest.event;
  return { kind: 'quote', seq: newest.seq, time, bid, ask, source: newest.source };
}

type QuoteRecord = TapeRecord & { readonly event: QuoteEvent };

/** Quotes on the tape that the service itself took in, in the order of seq. */
async function quotes(store: Store, symbol: MarketSymbol, from: number, to: number): Promise<QuoteRecord[]> {
  if (to <= 0) return [];
  const blocks = await store.market.tapeOf(symbol, Math.max(0, from), to);
  return blocks
    .filter((block) => !isAside(block) && !isMinute(block))
    .flatMap((block) => decodeBlock(block.bytes, block.symbol, block.minute))
    .filter((record): record is QuoteRecord => record.event.kind === 'quote' && record.source !== IMPORTED)
    .sort((a, b) => a.seq - b.seq);
}
