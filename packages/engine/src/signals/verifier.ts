// Judges every active signal by the events of the journal, in order of `seq`. Pure: the same events give the same verdicts.
// The cost of a tick does not depend on the number of active signals.
import type { Bar, EngineEvent, FlowEvent, TickEvent } from '../market/events.ts';
import type { InstrumentSpec, MarketSymbol } from '../market/instrument.ts';
import type { EpochMs } from '../market/time.ts';
import { closeSignal, exitSide, expireSignal } from './closing.ts';
import type { QuoteEvidence } from './evidence.ts';
import { judgeEvent } from './judge-event.ts';
import type { JudgedEvent } from './judged-event.ts';
import { deadlineOf, graceEndOf, type JudgedSignal, progressOf, stopInForce, toJudgedSignal } from './judged-signal.ts';
import { LevelBook } from './level-book.ts';
import { barEvent, barEvidence, quoteEvent, tradeEvent, tradeEvidence } from './market-event.ts';
import { type Amendment, type CloseRequest, NO_PROGRESS, type Order, type Progress } from './order.ts';
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
  | 'noop';

/** An active signal as it is now. */
export interface ActiveOrder {
  readonly order: Order;
  readonly progress: Progress;
  /** Ticks: the tightest stop. */
  readonly stopLoss: number;
  readonly deadline: EpochMs;
}

export class Verifier {
  /** Origin of the events that are read now, if they are not live. */
  recovering: Recovered | null = null;
  /** Market time: the time of the last clock event. */
  time = 0 as EpochMs;
  readonly #books: Map<MarketSymbol, LevelBook>;
  readonly #active = new Map<string, JudgedSignal>();
  #ordinal = 0;

  constructor(instruments: Iterable<InstrumentSpec>) {
    this.#books = new Map([...instruments].map((spec) => [spec.symbol, new LevelBook(spec)]));
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
    return { order: signal.order, progress: progressOf(signal), stopLoss, deadline: deadlineOf(signal) };
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

  /** Marks instruments as disconnected: missed trades judge signals until there is a quote. */
  markDisconnected(symbols: Iterable<MarketSymbol>): void {
    for (const symbol of symbols) this.#books.get(symbol)!.disconnected = true;
  }

  /** Restores a gap of an earlier run. Call it before adding the orders that it concerns. */
  restoreGap({ symbol, seq, from, to }: Omit<GapVerdict, 'kind'>): void {
    this.#books.get(symbol)?.gaps.add({ seq, from, to });
  }

  /**
   * Rules version 1: closes an order at its publisher's request, an open one at the market, a pending one as unfilled. `seq` is
   * the newest one assigned. Returns `null` if the order is not active, or if its market price is unknown now.
   */
  close(id: string, time: EpochMs, seq: number): ClosedVerdict | null {
    const signal = this.#active.get(id);
    if (!signal) return null;
    const book = this.#bookOf(signal);
    // Missed events must be judged first.
    if (book.disconnected) return null;
    // It has already expired; the clock event is still to come.
    if (time >= deadlineOf(signal)) return this.#expire(book, signal, seq);
    if (signal.fill && !book.isLive) return null;
    const price = book.price.current!;
    this.#active.delete(id);
    return closeSignal(book, signal, {
      reason: signal.fill ? 'manual' : 'unfilled',
      exit: signal.fill ? exitSide(signal, price) : null,
      closedAt: time,
      decided: price.evidence,
      decidedSeq: seq,
      recovering: this.recovering,
    });
  }

  read({ firstSeq, events, source }: VerifierBatch, verdicts: Verdict[]): void {
    for (let index = 0; index < events.length; index++) {
      const event = events[index]!;
      switch (event.kind) {
        case 'tick':
          this.#tick(event, firstSeq + index, source, verdicts);
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
          for (const symbol of event.symbols) this.#books.get(symbol)!.disconnected = true;
          break;
        case 'backfilled':
          for (const symbol of event.symbols) this.#books.get(symbol)!.disconnected = false;
          break;
        case 'gap':
          for (const symbol of event.symbols) this.#gap(symbol, event.from, event.to, firstSeq + index, verdicts);
          break;
        case 'failover':
          for (const symbol of event.symbols) {
            const { disconnected, price } = this.#books.get(symbol)!;
            const { quote } = price;
            // Quotes have the time of the venue, which may be ahead of our clock.
            const from = quote && quote.time < event.time ? quote.time : event.time;
            if (disconnected) this.#gap(symbol, from, event.time, firstSeq + index, verdicts);
          }
      }
    }
  }

  #tick(tick: TickEvent, seq: number, source: string, verdicts: Verdict[]): void {
    const book = this.#books.get(tick.symbol)!;
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

  #gap(symbol: MarketSymbol, from: EpochMs, to: EpochMs, seq: number, verdicts: Verdict[]): void {
    const book = this.#books.get(symbol)!;
    book.disconnected = false;
    book.gaps.add({ seq, from, to });
    verdicts.push({ kind: 'gap', symbol, seq, from, to });
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
