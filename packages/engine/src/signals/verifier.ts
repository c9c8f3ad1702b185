// Judges every active signal by the events of the journal, in order of `seq`. Pure: the same events give the same verdicts.
// The cost of a tick does not depend on the number of active signals.
import type { Bar, EngineEvent, FlowEvent, TickEvent } from '../market/events.ts';
import type { InstrumentSpec, MarketSymbol } from '../market/instrument.ts';
import { fromTicks, toTicks } from '../market/price.ts';
import type { EpochMs } from '../market/time.ts';
import type { BarEvidence, Evidence, QuoteEvidence, TradeEvidence } from './evidence.ts';
import {
  barEnd,
  deadlineOf,
  type JudgedSignal,
  type Judgement,
  judgeBar,
  judgeQuote,
  marketSides,
  toJudgedSignal,
} from './judge.ts';
import { LevelBook } from './level-book.ts';
import type { Order } from './order.ts';
import type { ClosedVerdict, CloseReason, GapVerdict, Recovered, Verdict } from './verdict.ts';

/** A batch of the journal, as far as the verifier reads it. */
export interface VerifierBatch {
  readonly firstSeq: number;
  readonly events: readonly (
    | EngineEvent
    | { readonly kind: 'signal' | 'signal_closed' | 'news' | 'news_cluster' | 'noop' }
  )[];
  readonly source: string;
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
    return this.#books.get(symbol)?.quote ?? null;
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

  /** The current state of a signal, with its fill. */
  order(id: string): Order | null {
    const signal = this.#active.get(id);
    return signal ? { ...signal.order, fill: signal.fill } : null;
  }

  /** Judges the order from now on. Its instrument must be one of those given to the constructor. */
  add(order: Order): void {
    const book = this.#books.get(order.symbol)!;
    // After a restart, the quote it was accepted against may be the newest one known.
    const { accepted } = order;
    if (!book.currentPrice) book.setQuote(accepted, accepted.seq, accepted.source);
    const signal = toJudgedSignal(order, this.#ordinal++);
    book.add(signal);
    this.#active.set(order.id, signal);
  }

  /** Removes an order without a verdict, for example because it could not be stored. */
  remove(id: string): void {
    const signal = this.#active.get(id);
    if (!signal) return;
    this.#books.get(signal.order.symbol)!.remove(signal);
    this.#active.delete(id);
  }

  /** Sets the newest quote without judging signals, as after a restart. Gaps are kept. */
  seedQuote(symbol: MarketSymbol, quote: QuoteEvidence): void {
    this.#books.get(symbol)?.setQuote(quote, quote.seq, quote.source);
  }

  /**
   * Sets a bar that came after the newest quote, as after a restart. A backfilled trade cannot be restored, because the tape
   * does not record which trades were backfilled: the quote before it is the current price until the next trade, bar or quote.
   */
  seedBar(symbol: MarketSymbol, bar: Bar, seq: number, source: string): void {
    const book = this.#books.get(symbol);
    if (book) book.setBar(barEvidence(book, bar, seq, source));
  }

  /** Marks instruments as disconnected: backfilled trades judge signals until there is a quote. */
  markDisconnected(symbols: Iterable<MarketSymbol>): void {
    for (const symbol of symbols) this.#books.get(symbol)!.disconnected = true;
  }

  /** Restores a gap of an earlier run. Call it before adding the orders that it concerns. */
  restoreGap({ symbol, seq, from, to }: Omit<GapVerdict, 'kind'>): void {
    this.#books.get(symbol)?.addGap({ seq, from, to });
  }

  /**
   * Closes an order at its publisher's request: a filled one at the market, a pending one as unfilled. `seq` is the newest
   * one assigned. Returns `null` if the order is not active, or if its market price is unknown now.
   */
  close(id: string, time: EpochMs, seq: number): ClosedVerdict | null {
    const signal = this.#active.get(id);
    if (!signal) return null;
    const book = this.#books.get(signal.order.symbol)!;
    // Missed events must be judged first.
    if (book.disconnected) return null;
    // It has already expired; the clock event is still to come.
    if (time >= deadlineOf(signal)) return this.#expire(book, signal, seq);
    if (signal.fill && !book.isLive) return null;
    return this.#closeAtMarket(book, signal, signal.fill ? 'manual' : 'unfilled', time, seq);
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
            const { disconnected, quote } = this.#books.get(symbol)!;
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
    if (book.active > 0) {
      const { time, bid, ask } = tick;
      const [bidTicks, askTicks] = [toTicks(bid, book.digits), toTicks(ask, book.digits)];
      if (book.touches(bidTicks, askTicks, time)) {
        const quote: QuoteEvidence = { kind: 'quote', seq, time, bid, ask, source };
        const judge = (signal: JudgedSignal): Judgement => judgeQuote(signal, marketSides(signal, bidTicks, askTicks));
        this.#judge(book, [bidTicks, bidTicks, askTicks, askTicks], quote, time, time, judge, verdicts);
      }
    }
    book.setQuote(tick, seq, source);
    book.dropObsoleteGaps();
  }

  /** While the source is disconnected, a backfilled trade gives the price of the side it took. */
  #trade({ symbol, time, price, side }: FlowEvent, seq: number, source: string, verdicts: Verdict[]): void {
    const book = this.#books.get(symbol)!;
    if (!book.disconnected) return;
    const ticks = toTicks(price, book.digits);
    const [bid, ask] = side === 'sell' ? [ticks, Number.NaN] : [Number.NaN, ticks];
    const spread = fromTicks(book.spread, book.digits);
    const evidence: TradeEvidence = { kind: 'trade', seq, time, price, side, spread, source };
    if (book.touches(bid, ask, time)) {
      const judge = (signal: JudgedSignal): Judgement => judgeQuote(signal, marketSides(signal, bid, ask));
      this.#judge(book, [bid, bid, ask, ask], evidence, time, time, judge, verdicts);
    }
    book.setTrade(evidence);
  }

  #minute(symbol: MarketSymbol, bar: Bar, seq: number, source: string, verdicts: Verdict[]): void {
    const book = this.#books.get(symbol)!;
    const { time } = bar;
    const ticks = (price: number): number => toTicks(price, book.digits);
    const { spread } = book;
    const [open, high, low, close] = [ticks(bar.open), ticks(bar.high), ticks(bar.low), ticks(bar.close)];
    const evidence = barEvidence(book, bar, seq, source);
    if (book.active > 0) {
      const overlaps = bar.partial === true || book.judgedUntil >= time;
      const judge = (signal: JudgedSignal): Judgement => {
        // The exit side is the bid for a buy and the ask for a sell. Negated, highs become lows.
        const sides =
          signal.sign === 1
            ? { open, high, low, close }
            : { open: -(open + spread), high: -(low + spread), low: -(high + spread), close: -(close + spread) };
        return judgeBar(signal, { ...sides, time, spread, overlaps });
      };
      const range = [low, high, low + spread, high + spread] as const;
      this.#judge(book, range, evidence, time, barEnd(time), judge, verdicts);
    }
    book.setBar(evidence);
  }

  #clock(time: EpochMs, seq: number, verdicts: Verdict[]): void {
    this.time = time;
    for (const book of this.#books.values()) {
      // While events are missing, nothing expires: an earlier stop may still be backfilled.
      if (book.disconnected || book.active === 0 || !book.touches(Number.NaN, Number.NaN, time)) continue;
      const { signals } = book.popReached(Number.NaN, Number.NaN, Number.NaN, Number.NaN, time);
      for (const signal of signals) verdicts.push(this.#expire(book, signal, seq));
    }
  }

  #gap(symbol: MarketSymbol, from: EpochMs, to: EpochMs, seq: number, verdicts: Verdict[]): void {
    const book = this.#books.get(symbol)!;
    book.disconnected = false;
    book.addGap({ seq, from, to });
    verdicts.push({ kind: 'gap', symbol, seq, from, to });
  }

  /** Applies the rules to every signal that the prices have reached. `time` is compared with deadlines. */
  #judge(
    book: LevelBook,
    [bidLow, bidHigh, askLow, askHigh]: readonly [number, number, number, number],
    evidence: Evidence,
    time: EpochMs,
    closedAt: EpochMs,
    judge: (signal: JudgedSignal) => Judgement,
    verdicts: Verdict[],
  ): void {
    const reached = book.popReached(bidLow, bidHigh, askLow, askHigh, time);
    for (const signal of reached.signals) {
      if (time >= deadlineOf(signal)) {
        verdicts.push(this.#expire(book, signal, evidence.seq - 1));
        continue;
      }
      const { filledAt, closing } = judge(signal);
      if (filledAt !== null) {
        signal.fill = { price: Math.abs(filledAt), at: closedAt, evidence };
        if (!closing) {
          book.addExits(signal);
          verdicts.push({ kind: 'filled', id: signal.order.id, fill: signal.fill, seq: evidence.seq });
        }
      }
      if (!closing) continue;
      const best = closing.best === null ? null : Math.abs(closing.best);
      verdicts.push(
        this.#close(book, signal, closing.reason, Math.abs(closing.exit), best, closedAt, evidence, evidence.seq),
      );
    }
    reached.restore();
  }

  #expire(book: LevelBook, signal: JudgedSignal, seq: number): ClosedVerdict {
    return this.#closeAtMarket(book, signal, signal.fill ? 'expired' : 'unfilled', deadlineOf(signal), seq);
  }

  #closeAtMarket(book: LevelBook, signal: JudgedSignal, reason: CloseReason, at: EpochMs, seq: number): ClosedVerdict {
    const exit = signal.sign === 1 ? book.bid : book.ask;
    return this.#close(book, signal, reason, signal.fill ? exit : null, null, at, book.currentPrice!, seq);
  }

  #close(
    book: LevelBook,
    signal: JudgedSignal,
    reason: CloseReason,
    exitPrice: number | null,
    bestExit: number | null,
    closedAt: EpochMs,
    decided: Evidence,
    decidedSeq: number,
  ): ClosedVerdict {
    const { id, accepted } = signal.order;
    const gap = book.gapSince(accepted.seq);
    book.remove(signal);
    this.#active.delete(id);
    const backfilled = decided.kind !== 'quote' || (signal.fill?.evidence && signal.fill.evidence.kind !== 'quote');
    return {
      kind: 'closed',
      id,
      reason,
      fill: signal.fill,
      exitPrice,
      bestExit,
      closedAt,
      decided,
      decidedSeq,
      gap,
      recovered: this.recovering ?? (backfilled ? 'backfill' : null),
    };
  }
}

const barEvidence = (book: LevelBook, bar: Bar, seq: number, source: string): BarEvidence => ({
  kind: 'bar',
  seq,
  time: bar.time,
  open: bar.open,
  high: bar.high,
  low: bar.low,
  close: bar.close,
  spread: fromTicks(book.spread, book.digits),
  source,
});
