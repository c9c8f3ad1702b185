// A market in which publishers try to get a rank: orders are accepted and judged by the engine, records and results are those of
// the service, and the ranking is the real one. Prices are in ticks. Days and weeks are waived, so that only evidence counts.
import type { Direction } from '@tickwire/contract';
import {
  acceptSignal,
  acceptStop,
  asEpochMs,
  asSymbol,
  type EngineEvent,
  type EpochMs,
  fromTicks,
  type InstrumentSpec,
  type MarketSymbol,
  type MarkOf,
  type Rejection,
  rankPublishers,
  type SharedLog,
  sharedLog,
  TrackRecord,
  trustedSources,
  type Verdict,
  Verifier,
} from '@tickwire/engine';
import { FRESH_MS } from '../../src/market/stale-quote.ts';
import { ActiveSignalEntry, type MarketPrices } from '../../src/signals/ranking-signals.ts';
import { closedRecord, exitedRecord, filledRecord, publishedRecord } from '../../src/signals/signal-records.ts';

export const EURUSD = asSymbol('EURUSD');
export const GBPUSD = asSymbol('GBPUSD');
const DIGITS = 5;
const specOf = (symbol: MarketSymbol): InstrumentSpec => ({
  symbol,
  name: symbol,
  type: 'forex',
  pipSize: 0.0001,
  digits: DIGITS,
  contractSize: 1,
  marginRate: 1,
  minLot: 1,
  maxLot: 1,
  hours: 'always',
});
export const SPECS = [EURUSD, GBPUSD].map(specOf);
export const VENUE = 'venue';

/** A signal with its levels in ticks. */
export interface Plan {
  readonly symbol?: MarketSymbol;
  readonly direction: Direction;
  readonly entry: number;
  readonly stop: number;
  /** One target, or prices with fractions. */
  readonly targets: number | readonly { readonly price: number; readonly fraction: number }[];
  readonly breakevenAfter?: number;
  /** Milliseconds after the publication. */
  readonly expiresIn?: number;
}

export interface Book {
  readonly bid: number;
  readonly ask: number;
}

/** Sum and number of the results for ranking, before decisions are formed. */
export interface Results {
  sum: number;
  count: number;
}

export class AttackArena {
  readonly verifier: Verifier;
  /** The clock of the service. */
  now = asEpochMs(Date.UTC(2026, 2, 2));
  readonly closed = new Set<string>();
  readonly #specs: ReadonlyMap<MarketSymbol, InstrumentSpec>;
  readonly #books = new Map<MarketSymbol, Book & { readonly time: EpochMs }>();
  readonly #records = new Map<string, TrackRecord>();
  readonly #results = new Map<string, Results>();
  readonly #active = new Map<string, ActiveSignalEntry>();
  readonly #isTrusted: ReturnType<typeof trustedSources>;
  readonly #shared: SharedLog;
  readonly #market: MarketPrices;
  #seq = 0;
  #n = 0;

  constructor(trusted?: readonly string[]) {
    this.#specs = new Map(SPECS.map((spec) => [spec.symbol, spec]));
    this.verifier = new Verifier(SPECS);
    this.#isTrusted = trustedSources(trusted);
    this.#shared = sharedLog(this.#isTrusted, true);
    const tick = (symbol: MarketSymbol) => {
      const book = this.#books.get(symbol);
      return book && { symbol, time: book.time, bid: fromTicks(book.bid, DIGITS), ask: fromTicks(book.ask, DIGITS) };
    };
    const quoteSource = (symbol: MarketSymbol) => this.verifier.quote(symbol)!.source;
    this.#market = { tick, quoteSource, recent: () => [], time: this.now } as unknown as MarketPrices;
  }

  book(symbol = EURUSD): Book {
    return this.#books.get(symbol)!;
  }

  quote(bid: number, ask: number, over: { symbol?: MarketSymbol; time?: number; source?: string } = {}): void {
    const { symbol = EURUSD, time = this.now, source = VENUE } = over;
    this.#books.set(symbol, { bid, ask, time: asEpochMs(time) });
    const prices = { bid: fromTicks(bid, DIGITS), ask: fromTicks(ask, DIGITS), bidSize: 0, askSize: 0, volume: 0 };
    this.event({ kind: 'tick', symbol, time: asEpochMs(time), ...prices }, source);
  }

  event(event: EngineEvent, source = VENUE): void {
    const verdicts: Verdict[] = [];
    this.verifier.read({ firstSeq: ++this.#seq, events: [event], source }, verdicts);
    for (const verdict of verdicts) this.#apply(verdict);
  }

  /** The source is lost and what it missed cannot be fetched. */
  gap(ms: number, symbol = EURUSD): void {
    const symbols = [symbol];
    this.event({ kind: 'disconnect', symbols, time: this.now });
    const from = this.now;
    this.now = asEpochMs(this.now + ms);
    this.event({ kind: 'gap', symbols, from, to: this.now, time: this.now });
  }

  /** The id of the signal, or why it was rejected. */
  publish(publisher: string, plan: Plan): string | Rejection['rejected'] | 'not_live' {
    const { symbol = EURUSD, direction, entry, stop, targets, breakevenAfter = null, expiresIn } = plan;
    const spec = this.#specs.get(symbol)!;
    const quote = this.verifier.quote(symbol);
    if (!quote || !this.verifier.isLive(symbol) || this.now - quote.time > FRESH_MS) return 'not_live';
    const price = (ticks: number): number => fromTicks(ticks, DIGITS);
    const parts = typeof targets === 'number' ? [{ price: targets, fraction: 1 }] : targets;
    const terms = {
      direction,
      entry: price(entry),
      stopLoss: price(stop),
      targets: parts.map((part) => ({ ...part, price: price(part.price) })),
      breakevenAfter,
      expiresAt: expiresIn === undefined ? null : asEpochMs(this.now + expiresIn),
    };
    const order = acceptSignal(`sig_${++this.#n}`, spec, quote, terms, this.now);
    if ('rejected' in order) return order.rejected;
    this.verifier.add(order);
    const details = { publisher, request: { targets: terms.targets }, signed: null };
    const record = { ...publishedRecord(order, spec, details), n: this.#n, prev: '' };
    const active = new ActiveSignalEntry(record);
    this.#active.set(order.id, active);
    this.#recordOf(publisher).publish(active.toRankingSignal());
    return order.id;
  }

  /** Whether the request was accepted (M2). */
  close(id: string): boolean {
    const active = this.verifier.find(id);
    if (!active || this.now >= active.deadline || active.progress.closeRequest) return false;
    const { symbol } = active.order;
    const isLive = active.progress.fill ? this.verifier.isLive(symbol) : !this.verifier.isDisconnected(symbol);
    if (!isLive) return false;
    this.verifier.requestClose(id, { at: this.now, quote: this.verifier.quote(symbol)! });
    return true;
  }

  /** Whether the new stop was accepted (A1, A2). */
  amend(id: string, stop: number): boolean {
    const active = this.verifier.find(id);
    if (!active || this.now >= active.deadline || active.progress.amendments.length >= 100) return false;
    const { symbol } = active.order;
    const quote = this.verifier.quote(symbol)!;
    if (!this.verifier.isLive(symbol)) return false;
    const accepted = acceptStop(active, this.#specs.get(symbol)!, quote, fromTicks(stop, DIGITS));
    if (!accepted || 'rejected' in accepted) return false;
    this.verifier.amend(id, { stopLoss: accepted.stopLoss, at: this.now, quote });
    return true;
  }

  isOpen(id: string): boolean {
    return this.verifier.find(id)?.progress.fill != null;
  }

  /** R of an open signal for ranking, as if it closed now. */
  mark(id: string): number {
    return this.#active.get(id)!.mark(this.#market, this.#isTrusted)!.rankR;
  }

  ranking() {
    const markOf: MarkOf = ({ id }) => this.#active.get(id)?.mark(this.#market, this.#isTrusted) ?? null;
    const entries = [...this.#records].map(([publisher, record]) => ({
      publisher,
      ...record.marked(markOf),
      recentDecisions: record.completedSince(0, 10),
    }));
    return rankPublishers(entries, { now: this.now, trials: this.#shared.trials });
  }

  standing(publisher: string) {
    return this.ranking().find((entry) => entry.publisher === publisher);
  }

  /** Mean R for ranking of the filled and closed signals of a publisher, whether they count or not. */
  results(publisher: string): Results {
    return this.#results.get(publisher) ?? { sum: 0, count: 0 };
  }

  #apply(verdict: Verdict): void {
    if ('symbol' in verdict) return;
    const entry = this.#active.get(verdict.id)!;
    const { published } = entry;
    const record = this.#recordOf(published.publisher);
    if (verdict.kind === 'exited') {
      entry.exit(exitedRecord(verdict, published, this.now));
      return;
    }
    if (verdict.kind === 'filled') {
      entry.fill(filledRecord(verdict, published, this.now));
      record.update(entry.toRankingSignal());
      return;
    }
    this.#active.delete(verdict.id);
    this.closed.add(verdict.id);
    const closing = { ...closedRecord(verdict, published, this.now), n: ++this.#n, prev: '' };
    const signal = entry.toRankingSignal(closing);
    record.close(signal);
    if (signal.filledAt === null) return;
    const results = this.results(published.publisher);
    this.#results.set(published.publisher, { sum: results.sum + signal.rankR!, count: results.count + 1 });
  }

  #recordOf(publisher: string): TrackRecord {
    const record = this.#records.get(publisher) ?? new TrackRecord(this.#shared);
    this.#records.set(publisher, record);
    return record;
  }
}
