// Judges every active signal by the events of the journal, in their order. Pure: the same events give the same verdicts.
// A tick of an instrument costs the same whether it has one active signal or a hundred thousand.
import type { EpochMs, MarketSymbol } from '../brands.ts';
import type { Bar, EngineEvent, FlowEvent, TickEvent } from '../events.ts';
import type { InstrumentSpec } from '../instrument.ts';
import { fromTicks, toTicks } from '../price.ts';
import { Book } from './book.ts';
import {
  barEnd,
  deadlineOf,
  type Judgement,
  judgeBar,
  judgeQuote,
  type Position,
  positionOf,
  sidesOf,
} from './judge.ts';
import type {
  BarEvidence,
  ClosedVerdict,
  CloseReason,
  Evidence,
  GapVerdict,
  Order,
  QuoteEvidence,
  Recovered,
  TradeEvidence,
  Verdict,
} from './order.ts';

/** A batch of the journal as far as signals are judged by it. */
export interface JudgedBatch {
  readonly firstSeq: number;
  readonly events: readonly (EngineEvent | { readonly kind: 'signal' | 'signal_closed' | 'news' | 'news_cluster' })[];
  readonly source: string;
}

export class Verifier {
  /** Where the events come from at the moment, if they are not live. */
  recovering: Recovered | null = null;
  /** Time of the market: that of the last clock event. */
  time = 0 as EpochMs;
  readonly #books: Map<MarketSymbol, Book>;
  readonly #active = new Map<string, Position>();
  #ordinal = 0;

  constructor(instruments: Iterable<InstrumentSpec>) {
    this.#books = new Map([...instruments].map((spec) => [spec.symbol, new Book(spec)]));
  }

  get active(): number {
    return this.#active.size;
  }

  /** The newest quote of an instrument. */
  quote(symbol: MarketSymbol): QuoteEvidence | null {
    return this.#books.get(symbol)?.quote ?? null;
  }

  /** Whether one can publish and close at the newest quote: nothing has been missed since. */
  isLive(symbol: MarketSymbol): boolean {
    return this.#books.get(symbol)?.isLive ?? false;
  }

  isCutOff(symbol: MarketSymbol): boolean {
    return this.#books.get(symbol)?.cut ?? false;
  }

  /** Gaps up to this number concern no signal, neither an active one nor one that is still to come; Infinity where none does. */
  get gapsNeededAfter(): number {
    let needed = Math.min(...[...this.#books.values()].map((book) => book.gapsNeededAfter));
    for (const { order } of this.#active.values()) needed = Math.min(needed, order.accepted.seq);
    return needed;
  }

  has(id: string): boolean {
    return this.#active.has(id);
  }

  /** The signal as it stands, with its fill. */
  order(id: string): Order | null {
    const position = this.#active.get(id);
    return position ? { ...position.order, fill: position.fill } : null;
  }

  /** Judges the order from now on. Its instrument must be known. */
  add(order: Order): void {
    const book = this.#books.get(order.symbol)!;
    // After a restart nothing newer may be known than what it was accepted against.
    const { accepted } = order;
    if (!book.standing) book.setQuote(accepted, accepted.seq, accepted.source);
    const position = positionOf(order, this.#ordinal++);
    book.add(position);
    this.#active.set(order.id, position);
  }

  /** Takes back an order that could not be stored: it never was. */
  forget(id: string): void {
    const position = this.#active.get(id);
    if (!position) return;
    this.#books.get(position.order.symbol)!.end(position);
    this.#active.delete(id);
  }

  /** Sets the newest quote where no event brought it, as after a restart. It judges nothing, and gaps stay. */
  seed(symbol: MarketSymbol, quote: QuoteEvidence): void {
    this.#books.get(symbol)?.setQuote(quote, quote.seq, quote.source);
  }

  /**
   * Sets a bar that came after the newest quote, as after a restart. A missed trade that stood is not known again, for the
   * tape does not tell which trades were missed: the quote before it stands until the next trade, bar or quote.
   */
  seedMinute(symbol: MarketSymbol, bar: Bar, seq: number, source: string): void {
    const book = this.#books.get(symbol);
    if (book) book.setBar(evidenceOf(book, bar, seq, source));
  }

  /** Nothing is known of what came since: missed trades judge until there is a quote. */
  cutOff(symbols: Iterable<MarketSymbol>): void {
    for (const symbol of symbols) this.#books.get(symbol)!.cut = true;
  }

  /** Takes up a gap of an earlier run, before the orders that it concerns. */
  restoreGap({ symbol, seq, from, to }: Omit<GapVerdict, 'kind'>): void {
    this.#books.get(symbol)?.addGap({ seq, from, to });
  }

  /**
   * Closes an order by its publisher: a filled one at the market, a pending one for nothing; `seq` is the newest number
   * given. Null where it is not active, and where nothing can be said of its market now.
   */
  close(id: string, time: EpochMs, seq: number): ClosedVerdict | null {
    const position = this.#active.get(id);
    if (!position) return null;
    const book = this.#books.get(position.order.symbol)!;
    // What happened meanwhile goes first, whatever it was.
    if (book.cut) return null;
    // Its time was over already, and only the clock had not said so yet.
    if (time >= deadlineOf(position)) return this.#expire(book, position, seq);
    if (position.fill && !book.isLive) return null;
    return this.#atMarket(book, position, position.fill ? 'manual' : 'unfilled', time, seq);
  }

  read({ firstSeq, events, source }: JudgedBatch, verdicts: Verdict[]): void {
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
          for (const symbol of event.symbols) this.#books.get(symbol)!.cut = true;
          break;
        case 'backfilled':
          for (const symbol of event.symbols) this.#books.get(symbol)!.cut = false;
          break;
        case 'gap':
          for (const symbol of event.symbols) this.#gap(symbol, event.from, event.to, firstSeq + index, verdicts);
          break;
        case 'failover':
          for (const symbol of event.symbols) {
            const { cut, quote } = this.#books.get(symbol)!;
            // Times are a venue's own: its last quote may be ahead of our clock.
            const from = quote && quote.time < event.time ? quote.time : event.time;
            if (cut) this.#gap(symbol, from, event.time, firstSeq + index, verdicts);
          }
      }
    }
  }

  #tick(tick: TickEvent, seq: number, source: string, verdicts: Verdict[]): void {
    const book = this.#books.get(tick.symbol)!;
    book.cut = false;
    if (book.active > 0) {
      const { time, bid, ask } = tick;
      const [bidTicks, askTicks] = [toTicks(bid, book.digits), toTicks(ask, book.digits)];
      if (book.touches(bidTicks, askTicks, time)) {
        const quote: QuoteEvidence = { kind: 'quote', seq, time, bid, ask, source };
        const judge = (position: Position): Judgement => judgeQuote(position, sidesOf(position, bidTicks, askTicks));
        this.#judge(book, [bidTicks, bidTicks, askTicks, askTicks], quote, time, time, judge, verdicts);
      }
    }
    book.setQuote(tick, seq, source);
    book.forgetGaps();
  }

  /** While the source is cut off, a missed trade stands for the side of the book it took. */
  #trade({ symbol, time, price, side }: FlowEvent, seq: number, source: string, verdicts: Verdict[]): void {
    const book = this.#books.get(symbol)!;
    if (!book.cut) return;
    const ticks = toTicks(price, book.digits);
    const [bid, ask] = side === 'sell' ? [ticks, Number.NaN] : [Number.NaN, ticks];
    const spread = fromTicks(book.spread, book.digits);
    const evidence: TradeEvidence = { kind: 'trade', seq, time, price, side, spread, source };
    if (book.touches(bid, ask, time)) {
      const judge = (position: Position): Judgement => judgeQuote(position, sidesOf(position, bid, ask));
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
    const evidence = evidenceOf(book, bar, seq, source);
    if (book.active > 0) {
      const overlaps = bar.partial === true || book.judgedUntil >= time;
      const judge = (position: Position): Judgement => {
        // The exit side: the bid to a buy, the ask to a sell, whose highs are lows in the mirror.
        const sides =
          position.sign === 1
            ? { open, high, low, close }
            : { open: -(open + spread), high: -(low + spread), low: -(high + spread), close: -(close + spread) };
        return judgeBar(position, { ...sides, time, spread, overlaps });
      };
      const range = [low, high, low + spread, high + spread] as const;
      this.#judge(book, range, evidence, time, barEnd(time), judge, verdicts);
    }
    book.setBar(evidence);
  }

  #clock(time: EpochMs, seq: number, verdicts: Verdict[]): void {
    this.time = time;
    for (const book of this.#books.values()) {
      // While it is not known what happened, nothing ends: a deadline must not go before a stop that was met earlier.
      if (book.cut || book.active === 0 || !book.touches(Number.NaN, Number.NaN, time)) continue;
      const { positions } = book.reached(Number.NaN, Number.NaN, Number.NaN, Number.NaN, time);
      for (const position of positions) verdicts.push(this.#expire(book, position, seq));
    }
  }

  #gap(symbol: MarketSymbol, from: EpochMs, to: EpochMs, seq: number, verdicts: Verdict[]): void {
    const book = this.#books.get(symbol)!;
    book.cut = false;
    book.addGap({ seq, from, to });
    verdicts.push({ kind: 'gap', symbol, seq, from, to });
  }

  /** Applies the rules to every signal that the prices have come to. `time` is held against deadlines. */
  #judge(
    book: Book,
    [bidLow, bidHigh, askLow, askHigh]: readonly [number, number, number, number],
    evidence: Evidence,
    time: EpochMs,
    closedAt: EpochMs,
    judge: (position: Position) => Judgement,
    verdicts: Verdict[],
  ): void {
    const touched = book.reached(bidLow, bidHigh, askLow, askHigh, time);
    for (const position of touched.positions) {
      if (time >= deadlineOf(position)) {
        verdicts.push(this.#expire(book, position, evidence.seq - 1));
        continue;
      }
      const { filledAt, closing } = judge(position);
      if (filledAt !== null) {
        position.fill = { price: Math.abs(filledAt), at: closedAt, evidence };
        if (!closing) {
          book.refill(position);
          verdicts.push({ kind: 'filled', id: position.order.id, fill: position.fill, seq: evidence.seq });
        }
      }
      if (!closing) continue;
      const best = closing.best === null ? null : Math.abs(closing.best);
      verdicts.push(
        this.#end(book, position, closing.reason, Math.abs(closing.exit), best, closedAt, evidence, evidence.seq),
      );
    }
    touched.putBack();
  }

  #expire(book: Book, position: Position, seq: number): ClosedVerdict {
    return this.#atMarket(book, position, position.fill ? 'expired' : 'unfilled', deadlineOf(position), seq);
  }

  #atMarket(book: Book, position: Position, reason: CloseReason, at: EpochMs, seq: number): ClosedVerdict {
    const exit = position.sign === 1 ? book.bid : book.ask;
    return this.#end(book, position, reason, position.fill ? exit : null, null, at, book.standing!, seq);
  }

  #end(
    book: Book,
    position: Position,
    reason: CloseReason,
    exitPrice: number | null,
    bestExit: number | null,
    closedAt: EpochMs,
    decided: Evidence,
    decidedSeq: number,
  ): ClosedVerdict {
    const { id, accepted } = position.order;
    const gap = book.gapSince(accepted.seq);
    book.end(position);
    this.#active.delete(id);
    const bridged = decided.kind !== 'quote' || (position.fill?.evidence && position.fill.evidence.kind !== 'quote');
    return {
      kind: 'closed',
      id,
      reason,
      fill: position.fill,
      exitPrice,
      bestExit,
      closedAt,
      decided,
      decidedSeq,
      gap,
      recovered: this.recovering ?? (bridged ? 'backfill' : null),
    };
  }
}

const evidenceOf = (book: Book, bar: Bar, seq: number, source: string): BarEvidence => ({
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
