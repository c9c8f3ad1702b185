// Creates all parts that deal with signals and resumes where an earlier run stopped: active signals, how far they were
// judged, and what the tape has recorded since.
import { join } from 'node:path';
import type { OpenedRecord, PublishedRecord } from '@tickwire/contract';
import {
  asEpochMs,
  asSymbol,
  bySymbol,
  type EngineEvent,
  type GapEvent,
  type InstrumentSpec,
  type IsTrusted,
  type Lookup,
  type MarketSymbol,
  MINUTE_MS,
  type Order,
  type Progress,
  type QuoteEvent,
  type QuoteEvidence,
  type Verdict,
  Verifier,
} from '@tickwire/engine';
import { ConfigError } from '../config/config.ts';
import type { Journal } from '../journal/journal.ts';
import type { Recorder } from '../market/recorder.ts';
import { type RestoredRecord, withGaps } from '../market/restore.ts';
import { isOpenMarket, isPushed } from '../market/stale-quote.ts';
import type { Log } from '../ops/log.ts';
import type { TapeBlock, TapeRecord } from '../store/market-store.ts';
import type { Store } from '../store/store.ts';
import { IMPORTED, ticksOf } from '../store/tape-records.ts';
import { startOfDay } from '../work/period-counts.ts';
import { Ledger } from './ledger.ts';
import { openLogKey } from './log-key.ts';
import { parseRecord } from './log-records.ts';
import { PublicationLimits } from './publication-limits.ts';
import { SignalEvents } from './signal-events.ts';
import { SignalFeed } from './signal-feed.ts';
import { historyOf, toOrder, toProgress } from './signal-history.ts';
import { SignalService } from './signal-service.ts';
import { TrackRecords } from './track-records.ts';

/** Signals whose records are read in one query. */
const SIGNALS_AT_ONCE = 1_000;
/** More than the tape that can be unjudged after a crash. */
const UNJUDGED_MS = 20 * MINUTE_MS;

export interface OpenSignalsOptions {
  readonly store: Store;
  readonly instruments: readonly InstrumentSpec[];
  readonly recorder: Recorder;
  readonly journal: Journal;
  /** Resolves when everything that happened so far may be stored. */
  readonly published?: () => Promise<void>;
  readonly realm: OpenedRecord['realm'];
  /** Folder of the realm. */
  readonly folder: string;
  /** File of the log key, if it is not in `folder`. */
  readonly keyFile?: string | null;
  readonly maxActive: number;
  /** Simulated markets without trading hours. */
  readonly alwaysOpen: boolean;
  /** Time of the newest quote if it was restored from the store and none has followed, else `null`. Default: `null`. */
  readonly restoredQuoteTime?: (symbol: MarketSymbol) => number | null;
  /** Whether a price jump of the symbol waits for confirmation. Default: no. */
  readonly isQuarantined?: (symbol: MarketSymbol) => boolean;
  /** Whether prices of a source count for the ranking of publishers. */
  readonly isTrusted: IsTrusted;
  readonly nameOf: (publisher: string) => string | undefined;
  readonly publisherOf: (name: string) => string | undefined;
  readonly now: () => number;
  readonly log: Log;
}

export interface Signals {
  readonly verifier: Verifier;
  readonly ledger: Ledger;
  readonly service: SignalService;
  readonly feed: SignalFeed;
  readonly trackRecords: TrackRecords;
  readonly events: SignalEvents;
  /** Judges a record of the tape again. Records must come in order of seq, from where the last run stopped. */
  judge(record: RestoredRecord): void;
  /** Call after the last record of the tape: the events that follow are backfill for the time the service was down. */
  restored(): void;
  /** Call when the feeds have caught up: from now on events are live. */
  live(): Promise<void>;
}

export async function openSignals(options: OpenSignalsOptions): Promise<Signals> {
  const { store, instruments, recorder, journal, realm, folder, nameOf, publisherOf, now, log } = options;
  const specs = bySymbol(instruments);
  const verifier = new Verifier(instruments);
  // In a replay, time is that of the recording.
  const marketTime = (): number => (realm === 'replay' ? verifier.time : now());
  const ledger = await Ledger.open({
    store: store.signals,
    key: openLogKey(options.keyFile ?? join(folder, 'log-key.pem')),
    realm,
    flushTape: async () => {
      await options.published?.();
      await recorder.drain();
      if (recorder.failure) throw recorder.failure;
      await store.market.syncTape();
    },
    judgedSeq: () => journal.lastSeq,
    headAt: (await store.heads.last())?.at ?? 0,
    now: marketTime,
    log,
  });
  const displayName = (publisher: string): string => nameOf(publisher) ?? publisher;
  const events = await SignalEvents.open({
    store: store.signals,
    ledger,
    symbols: instruments.map(({ symbol }) => symbol),
    nameOf: displayName,
  });
  const limits = new PublicationLimits(options.maxActive);
  const today = startOfDay(marketTime());
  limits.restoreDay(today, await store.signals.publishedSince(today));
  const service = new SignalService({
    instruments,
    verifier,
    ledger,
    store: store.signals,
    journal,
    isOpen(spec, quote) {
      return options.alwaysOpen || realm === 'replay' || isOpenMarket(spec, quote, marketTime());
    },
    ...(options.restoredQuoteTime && { restoredQuoteTime: options.restoredQuoteTime }),
    ...(options.isQuarantined && { isQuarantined: options.isQuarantined }),
    nameOf: displayName,
    limits,
    signingKeys: await store.signals.signingKeys(),
    now: marketTime,
  });
  const feed = new SignalFeed({ store: store.signals, nameOf, publisherOf });
  const trackRecords = new TrackRecords({ store: store.signals, nameOf, isTrusted: options.isTrusted });
  await Promise.all([feed.restore(), trackRecords.restore()]);

  const judgedUntil = await store.signals.judgedUntil();
  /** Active signals that the tape has not reached yet, in the order they were accepted. */
  let waiting = await restoreOrders(store, specs, service, log);
  for (const gap of await store.signals.gaps()) verifier.restoreGap(gap as Parameters<Verifier['restoreGap']>[0]);
  const symbols = new Set(waiting.map(({ order }) => order.symbol));
  for (const symbol of symbols) {
    const quote = await lastQuote(store, symbol);
    if (quote) verifier.seedQuote(symbol, quote);
  }
  const addUntil = (seq: number): void => {
    while (waiting.length > 0 && waiting[0]!.order.accepted.seq < seq) {
      const { order, progress } = waiting.shift()!;
      verifier.add(order, progress);
    }
  };
  verifier.recovering = 'tape';

  /** Gaps of which a part was not judged, until the first record that was not judged either. */
  const lost: GapEvent[] = [];
  const declareLost = (seq: number): void => {
    for (const gap of lost.splice(0)) readTape(Math.min(seq, journal.lastSeq), gap, '');
  };
  const judge = (record: RestoredRecord): void => {
    const { seq, event, source } = record;
    // Imported ticks are history: nobody could have traded on them here.
    if (source === IMPORTED || event.kind === 'trade') return;
    if (event.kind === 'gap') {
      if ('before' in record && record.before > judgedUntil) lost.push(event);
      return;
    }
    // Also before events that were judged: a deadline may have passed with one of them, at the price before it.
    addUntil(seq);
    if (seq <= judgedUntil) {
      if (event.kind === 'quote') {
        const { symbol, time, bid, ask } = event;
        verifier.seedQuote(symbol, { kind: 'quote', seq, time, bid, ask, source });
      } else verifier.seedBar(event.symbol, event.bar, seq, source);
      return;
    }
    declareLost(seq);
    readTape(seq, event.kind === 'quote' ? { ...event, kind: 'tick', volume: 0 } : event, source);
  };
  const readTape = (seq: number, event: EngineEvent, source: string): void => {
    const verdicts: Verdict[] = [];
    verifier.read({ firstSeq: seq, events: [event], source }, verdicts);
    for (const verdict of verdicts) service.recordVerdict(verdict);
  };
  // A restart reads the tape from this mark on. An import sets the mark, and unjudged ticks of a crash may lie before
  // it.
  const tapeFrom = (await store.market.number('tape_from')) ?? 0;
  const unjudged: TapeBlock[] = [];
  for (const symbol of symbols) unjudged.push(...(await tapeOf(store, symbol, tapeFrom - UNJUDGED_MS, tapeFrom)));
  const damaged = unjudged.filter((block) => block.damaged);
  for (const record of withGaps(quotesOf(unjudged), damaged, [...symbols])) judge(record);

  return {
    verifier,
    ledger,
    service,
    feed,
    trackRecords,
    events,
    judge,
    restored() {
      declareLost(journal.lastSeq);
      for (const { order, progress } of waiting) verifier.add(order, progress);
      waiting = [];
      verifier.recovering = 'backfill';
      // Simulated markets miss nothing: ticks are generated for the time the service was down. Pushed ticks are never
      // backfilled: the account may never push again, and its signals must still expire.
      if (realm !== 'live') return;
      const lost = instruments
        .map(({ symbol }) => symbol)
        .filter((symbol) => !isPushed(verifier.quote(symbol)?.source ?? ''));
      const [seq, time] = [journal.lastSeq, asEpochMs(Math.floor(now()))];
      for (const symbol of verifier.markDisconnected(lost))
        service.recordVerdict({ kind: 'disconnect', symbol, seq, time });
    },
    async live() {
      await ledger.drain();
      verifier.recovering = null;
    },
  };
}

interface RestoredOrder {
  readonly order: Order;
  readonly progress: Progress;
}

/** The active signals of the store as orders, in the order they were accepted. */
async function restoreOrders(
  store: Store,
  specs: Lookup<InstrumentSpec>,
  service: SignalService,
  log: Log,
): Promise<RestoredOrder[]> {
  const orders: RestoredOrder[] = [];
  const active = await store.signals.active();
  for (let from = 0; from < active.length; from += SIGNALS_AT_ONCE) {
    const page = active.slice(from, from + SIGNALS_AT_ONCE);
    const records = await store.signals.records(page.map(({ id }) => id));
    for (const { id, published } of page) {
      const record = parseRecord<PublishedRecord>(published);
      const spec = specs.get(asSymbol(record.symbol));
      if (!spec) {
        const { signal, symbol } = record;
        log.error('an active signal cannot be judged: its instrument is no longer in the catalogue', {
          signal,
          symbol,
        });
        continue;
      }
      if (record.instrument.digits !== spec.digits) throw differentDigits(record, spec);
      service.restore(record, spec);
      orders.push({ order: toOrder(record), progress: toProgress(historyOf(records.get(id)!)) });
    }
  }
  return orders.sort((a, b) => a.order.accepted.seq - b.order.accepted.seq);
}

/** Levels and prices are compared in whole ticks, so they must be of the same size. */
function differentDigits({ signal, symbol, instrument }: PublishedRecord, { digits }: InstrumentSpec): ConfigError {
  return new ConfigError(
    `${symbol} has ${digits} digits, but its active signal ${signal} was published with ${instrument.digits} and can only be judged with them. Run "tickwire instruments set ${symbol} --digits ${instrument.digits}", and change them when its signals have closed`,
  );
}

/** The last quote of a symbol, if the newest tape has none, for example over a weekend. */
async function lastQuote(store: Store, symbol: MarketSymbol): Promise<QuoteEvidence | null> {
  const last = (await store.market.lastPrices()).find((row) => row.symbol === symbol)?.quote;
  if (!last) return null;
  const minute = last.time - (last.time % MINUTE_MS);
  const newest = quotesOf(await tapeOf(store, symbol, minute, minute + MINUTE_MS)).at(-1);
  if (!newest) return null;
  const { time, bid, ask } = newest.event;
  return { kind: 'quote', seq: newest.seq, time, bid, ask, source: newest.source };
}

type QuoteRecord = TapeRecord & { readonly event: QuoteEvent };

const tapeOf = (store: Store, symbol: MarketSymbol, from: number, to: number): Promise<TapeBlock[]> =>
  to <= 0 ? Promise.resolve([]) : store.market.tapeOf(symbol, Math.max(0, from), to);

/** Quotes that the service itself received, in order of seq. */
const quotesOf = (blocks: readonly TapeBlock[]): QuoteRecord[] =>
  blocks
    .flatMap(ticksOf)
    .filter((record): record is QuoteRecord => record.event.kind === 'quote' && record.source !== IMPORTED)
    .sort((a, b) => a.seq - b.seq);
