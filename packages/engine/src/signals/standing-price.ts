// The standing price of one instrument: its newest quote, or the missed trade or minute that came after it.
import type { TickEvent } from '../market/events.ts';
import { toTicks } from '../market/price.ts';
import { type BarEvidence, barEnd, type Evidence, type QuoteEvidence, type TradeEvidence } from './evidence.ts';

/** Bid and ask in ticks, and the event they come from. */
export interface MarketPrice {
  readonly bid: number;
  readonly ask: number;
  readonly evidence: Evidence;
}

export class StandingPrice {
  readonly digits: number;
  /** Time of the quote, missed trade or minute that set the price; for a minute, its last millisecond. */
  until = -1;
  #tick: Pick<TickEvent, 'time' | 'bid' | 'ask'> | null = null;
  #seq = 0;
  #source = '';
  /** A missed minute or trade that is newer than the newest quote and replaces it as the standing price. */
  #backfilled: BarEvidence | TradeEvidence | null = null;
  /** A missed minute or trade has come since the newest quote, whether or not it is the standing price. */
  #hasBackfill = false;

  constructor(digits: number) {
    this.digits = digits;
  }

  /** `seq` of the newest quote. */
  get seq(): number {
    return this.#seq;
  }

  /** The newest quote. Built on demand, because most ticks decide nothing. */
  get quote(): QuoteEvidence | null {
    if (!this.#tick) return null;
    const { time, bid, ask } = this.#tick;
    return { kind: 'quote', seq: this.#seq, time, bid, ask, source: this.#source };
  }

  get isKnown(): boolean {
    return this.#tick !== null || this.#backfilled !== null;
  }

  /** Whether the newest quote is the market price: nothing was backfilled since. */
  get isQuoted(): boolean {
    return this.#tick !== null && !this.#hasBackfill;
  }

  /** `null` before the first price. */
  get current(): MarketPrice | null {
    const evidence = this.#backfilled ?? this.quote;
    return evidence && marketPriceOf(evidence, this.digits);
  }

  /** Spread of the newest quote, in ticks. */
  get spread(): number {
    return this.#tick ? toTicks(this.#tick.ask, this.digits) - toTicks(this.#tick.bid, this.digits) : 0;
  }

  setQuote(tick: Pick<TickEvent, 'time' | 'bid' | 'ask'>, seq: number, source: string): void {
    this.#tick = tick;
    this.#seq = seq;
    this.#source = source;
    this.#backfilled = null;
    this.#hasBackfill = false;
    this.until = tick.time;
  }

  /** A bar that ends after the last known time becomes the standing price. Returns whether it did. */
  setBar(bar: BarEvidence): boolean {
    this.#hasBackfill = true;
    const end = barEnd(bar.time) - 1;
    if (end <= this.until) return false;
    this.until = end;
    this.#backfilled = bar;
    return true;
  }

  /** A missed trade becomes the standing price; the other side follows by the spread of the newest quote. */
  setTrade(trade: TradeEvidence): void {
    this.#hasBackfill = true;
    this.until = trade.time;
    this.#backfilled = trade;
  }
}

/** The price that an event sets. A missed trade gives one side, a minute the bid; the other side is one spread away (T4, B1). */
export function marketPriceOf(evidence: Evidence, digits: number): MarketPrice {
  const ticks = (price: number): number => toTicks(price, digits);
  if (evidence.kind === 'quote') return { bid: ticks(evidence.bid), ask: ticks(evidence.ask), evidence };
  const spread = ticks(evidence.spread);
  if (evidence.kind === 'bar') return { bid: ticks(evidence.close), ask: ticks(evidence.close) + spread, evidence };
  const bid = evidence.side === 'sell' ? ticks(evidence.price) : ticks(evidence.price) - spread;
  return { bid, ask: bid + spread, evidence };
}
