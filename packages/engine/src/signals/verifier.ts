// Judges every active signal by the events of the journal, in order of `seq`. Pure: the same events give the same verdicts.
// The cost of a tick does not depend on the number of active signals.
import type { Bar, EngineEvent, FlowEvent, TickEvent } from '../market/events.ts';
import type { MarketSymbol } from '../market/instrument.ts';
import { PerInstrument } from '../market/per-instrument.ts';
import type { EpochMs } from '../market/time.ts';
import { expireSignal, lastPriceOf } from './closing.ts';
import type { Evidence, QuoteEvidence } from './evidence.ts';
import { judgeEvent } from './judge-event.ts';
import type { JudgedEvent } from './judged-event.ts';
import { deadlineOf, graceEndOf, type JudgedSignal, progressOf, stopInForce, toJudgedSignal } from './judged-signal.ts';
import { LevelBook } from './level-book.ts';
import { barEvent, barEvidence, quoteEvent, tradeEvent, tradeEvidence } from './market-event.ts';
import {
  type Amendment,
  type CloseRequest,
  type JudgedInstrument,
  NO_PROGRESS,
  type Order,
  type Progress,
} from './order.ts';
import { marketPriceOf } from './standing-price.ts';
import type { ClosedVerdict, GapVerdict, Recovered, Verdict } from './verdict.ts';

/** A batch of the journal, as far as the verifier reads it. */
export interface VerifierBatch {
  readonly firstSeq: number;
  readonly events: readonly (EngineEvent | { readonly kind: UnreadKind })[];
  readonly source: string;
}

type UnreadKind =
  | 'signal'
  | 'signal_filled'
  | 'signal_changed'
  | 'signal_closed'
  | 'news'
  | 'news_cluster'
  | 'calendar'
  | 'alert'
  | 'instrument'
  | 'perpetual'
  | 'liquidation'
  | 'noop';

type Quote = Pick<TickEvent, 'time' | 'bid' | 'ask'>;

/** An active signal as it is now. */
export interface ActiveOrder {
  readonly order: Order;
  readonly progress: Progress;
  /** Ticks: the tightest stop. */
  readonly stopLoss: number;
  readonly deadline: EpochMs;
  /** The event that set the last price before the deadline, or the standing price before that. */
  readonly lastPrice: Evidence;
}

export class Verifier {
  /** Origin of the events that are read now, if they are not live. */
  recovering: Recovered | null = null;
  /** Market time: the time of the last clock event. */
  time = 0 as EpochMs;
  readonly #books: PerInstrument<LevelBook>;
  readonly #active = new Map<string, JudgedSignal>();
  #ordinal = 0;

  /** The list may grow. */
  constructor(instruments: readonly JudgedInstrument[]) {
    this.#books = PerInstrument.of(instruments, (spec) => new LevelBook(spec));
  }

  get active(): number {
    return this.#active.size;
  }

  /** The newest quote of an instrument. */
  quote(symbol: MarketSymbol): QuoteEvidence | null {
    return this.#books.get(symbol)?.price.quote ?? null;
  }

  /** Whether signals can be published and closed at the newest quote: nothing has been missed since. */
  isLive(symbol: MarketSymbol): boolean {
    return this.#books.get(symbol)?.isLive ?? false;
  }

  isDisconnected(symbol: MarketSymbol): boolean {
    return this.#books.get(symbol)?.disconnected ?? false;
  }

  /** Gaps up to this `seq` concern no active or future signal; `Infinity` if no gap does. */
  get gapsNeededAfter(): number {
    let needed = Math.min(...[...this.#books.values()].map((book) => book.gapsNeededAfter));
    for (const { order } of this.#active.values()) needed = Math.min(needed, order.accepted.seq);
    return needed;
  }

  has(id: string): boolean {
    return this.#active.has(id);
  }

  find(id: string): ActiveOrder | null {
    const signal = this.#active.get(id);
    if (!signal) return null;
    const stopLoss = Math.abs(stopInForce(signal));
    const lastPrice = lastPriceOf(this.#bookOf(signal), signal).evidence;
    return { order: signal.order, progress: progressOf(signal), stopLoss, deadline: deadlineOf(signal), lastPrice };
  }

  /** Judges the order from now on. Its instrument must be one of those given to the constructor. */
  add(order: Order, progress: Progress = NO_PROGRESS): void {
    const book = this.#books.get(order.symbol)!;
    // After a restart, the quote it was accepted against may be the newest one known.
    const { accepted } = order;
    if (!book.price.isKnown) book.price.setQuote(accepted, accepted.seq, accepted.source);
    const signal = toJudgedSignal(order, progress, this.#ordinal++, book.ticks);
    book.add(signal);
    this.#active.set(order.id, signal);
  }

  /** Removes an order without a verdict: it could not be stored, or was voided. */
  remove(id: string): void {
    const signal = this.#active.get(id);
    if (!signal) return;
    this.#bookOf(signal).remove(signal);
    this.#active.delete(id);
  }

  amend(id: string, amendment: Amendment): void {
    const signal = this.#active.get(id);
    if (!signal) return;
    signal.amendments = [...signal.amendments, amendment];
    this.#bookOf(signal).update(signal);
  }

  requestClose(id: string, request: CloseRequest): void {
    const signal = this.#active.get(id);
    if (!signal) return;
    signal.closeRequest = request;
    this.#bookOf(signal).update(signal);
  }

  /** Sets the newest quote without judging signals, as after a restart. Gaps are kept. */
  seedQuote(symbol: MarketSymbol, quote: QuoteEvidence): void {
    const book = this.#books.get(symbol);
    if (!book) return;
    this.#markDue(book, quote.time);
    book.price.setQuote(quote, quote.seq, quote.source);
    book.settle(quote.time);
  }

  /**
   * Sets a bar that came after the newest quote, as after a restart. A missed trade cannot be restored, because the tape
   * does not record which trades were missed: the quote before it is the standing price until the next trade, bar or quote.
   */
  seedBar(symbol: MarketSymbol, bar: Bar, seq: number, source: string): void {
    const book = this.#books.get(symbol);
    if (!book) return;
    this.#markDue(book, bar.time);
    if (book.price.setBar(barEvidence(book, bar, seq, source))) book.settle(bar.time);
  }

  /** Marks instruments as disconnected: missed trades judge signals until there is a quote. Returns those with active signals. */
  markDisconnected(symbols: Iterable<MarketSymbol>): MarketSymbol[] {
    const concerned: MarketSymbol[] = [];
    for (const symbol of symbols) {
      const book = this.#books.get(symbol)!;
      if (book.active > 0 && !book.disconnected) concerned.push(symbol);
      book.disconnected = true;
    }
    return concerned;
  }

  /** Restores a gap of an earlier run. Call it before adding the orders that it concerns. */
  restoreGap({ symbol, seq, from, to }: Omit<GapVerdict, 'kind' | 'cause'>): void {
    this.#books.get(symbol)?.gaps.add({ seq, from, to });
  }

  /** Closes an order whose deadline has passed, as a clock with this `seq` does. `last` set the last price before the deadline. */
  expire(id: string, seq: number, last: Evidence): ClosedVerdict | null {
    const signal = this.#active.get(id);
    if (!signal) return null;
    const book = this.#bookOf(signal);
    this.#active.delete(id);
    return expireSignal(book, signal, seq, this.recovering, marketPriceOf(last, book.price.digits));
  }

  read({ firstSeq, events, source }: VerifierBatch, verdicts: Verdict[]): void {
    for (let index = 0; index < events.length; index++) {
      const event = events[index]!;
      switch (event.kind) {
        case 'tick':
          this.readQuote(event.symbol, event, firstSeq + index, source, verdicts);
          break;
        case 'flow':
          this.#trade(event, firstSeq + index, source, verdicts);
          break;
        case 'minute':
          this.#minute(event.symbol, event.bar, firstSeq + index, source, verdicts);
          break;
        case 'clock':
          this.#clock(event.time, firstSeq + index, verdicts);
          break;
        case 'disconnect':
          for (const symbol of event.symbols) this.#disconnect(symbol, event.time, firstSeq + index, verdicts);
          break;
        case 'backfilled':
          for (const symbol of event.symbols) this.#books.get(symbol)!.disconnected = false;
          break;
        case 'gap':
          for (const symbol of event.symbols)
            this.#gap('gap', symbol, event.from, event.to, firstSeq + index, verdicts);
          break;
        case 'failover':
          for (const symbol of event.symbols) {
            const { disconnected, price } = this.#books.get(symbol)!;
            const { quote } = price;
            // Quotes have the time of the venue, which may be ahead of our clock.
            const from = quote && quote.time < event.time ? quote.time : event.time;
            if (disconnected) this.#gap('failover', symbol, from, event.time, firstSeq + index, verdicts);
          }
      }
    }
  }

  /** Judges by a quote. It must not change later. */
  readQuote(symbol: MarketSymbol, tick: Quote, seq: number, source: string, verdicts: Verdict[]): void {
    const book = this.#books.get(symbol)!;
    book.disconnected = false;
    if (book.active > 0 && book.touches(book.ticks(tick.bid), book.ticks(tick.ask), tick.time))
      this.#judge(book, quoteEvent(book, tick, seq, source), verdicts);
    book.price.setQuote(tick, seq, source);
    book.settle(tick.time);
    book.dropObsoleteGaps();
  }

  /** Trades judge only while the source is disconnected. */
  #trade(trade: FlowEvent, seq: number, source: string, verdicts: Verdict[]): void {
    const book = this.#books.get(trade.symbol)!;
    if (!book.disconnected) return;
    const evidence = tradeEvidence(book, trade, seq, source);
    if (book.active > 0) this.#judge(book, tradeEvent(book, evidence), verdicts);
    book.price.setTrade(evidence);
    book.settle(trade.time);
  }

  #minute(symbol: MarketSymbol, bar: Bar, seq: number, source: string, verdicts: Verdict[]): void {
    const book = this.#books.get(symbol)!;
    const evidence = barEvidence(book, bar, seq, source);
    if (book.active > 0) this.#judge(book, barEvent(book, evidence, bar.partial === true), verdicts);
    if (book.price.setBar(evidence)) book.settle(bar.time);
  }

  #clock(time: EpochMs, seq: number, verdicts: Verdict[]): void {
    this.time = time;
    for (const book of this.#books.values()) {
      // While events are missing, nothing closes: an earlier stop may still be backfilled.
      if (book.disconnected || book.active === 0) continue;
      for (const signal of book.popEnded(time)) {
        if (time >= graceEndOf(signal)) verdicts.push(this.#expire(book, signal, seq));
        else book.markDue(signal);
      }
    }
  }

  #disconnect(symbol: MarketSymbol, time: EpochMs, seq: number, verdicts: Verdict[]): void {
    const book = this.#books.get(symbol)!;
    if (book.active > 0 && !book.disconnected) verdicts.push({ kind: 'disconnect', symbol, seq, time });
    book.disconnected = true;
  }

  #gap(
    cause: GapVerdict['cause'],
    symbol: MarketSymbol,
    from: EpochMs,
    to: EpochMs,
    seq: number,
    verdicts: Verdict[],
  ): void {
    const book = this.#books.get(symbol)!;
    book.disconnected = false;
    book.gaps.add({ seq, from, to });
    verdicts.push({ kind: 'gap', cause, symbol, seq, from, to });
  }

  #judge(book: LevelBook, event: JudgedEvent, verdicts: Verdict[]): void {
    const first = verdicts.length;
    judgeEvent(book, event, this.recovering, verdicts);
    for (let at = first; at < verdicts.length; at++) {
      const verdict = verdicts[at]!;
      if (verdict.kind === 'closed') this.#active.delete(verdict.id);
    }
  }

  #expire(book: LevelBook, signal: JudgedSignal, seq: number): ClosedVerdict {
    this.#active.delete(signal.order.id);
    return expireSignal(book, signal, seq, this.recovering);
  }

  /** Signals whose deadline passed with an event that was judged in an earlier run. */
  #markDue(book: LevelBook, time: EpochMs): void {
    for (const signal of book.popEnded(time)) if (!signal.due) book.markDue(signal);
  }

  #bookOf({ order }: JudgedSignal): LevelBook {
    return this.#books.get(order.symbol)!;
  }
}
