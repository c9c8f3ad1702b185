// The rules of docs/signals.md a second time, written from that page alone: for one signal, one plain loop over all
// later events until it is decided. A test oracle for the engine's verifier.
import { MINUTE_MS } from '@tickwire/engine';
import { acceptNaively, type NaiveDeadlines, type NaiveRefusal, naiveDeadlines } from './naive-accept.fixture.ts';
import { type NaiveProfit, naivePrice, naiveProfit, naiveTicks } from './naive-arithmetic.fixture.ts';
import {
  followNaively,
  livesNaively,
  type NaiveBar,
  type NaiveEvent,
  type NaiveMarket,
  naiveGap,
  naiveMarketAt,
  naiveUnion,
} from './naive-market.fixture.ts';

export interface NaiveInstrument {
  readonly digits: number;
  readonly pipSize: number;
}

export interface NaiveRequest {
  readonly direction: 'buy' | 'sell';
  readonly entry: number;
  readonly stop_loss: number;
  readonly take_profit: number;
  /** Milliseconds since 1970. */
  readonly expires_at?: number | undefined;
}

/** The publisher closes the signal after the event with this index. */
export interface NaiveManual {
  readonly after: number;
  readonly time: number;
}

export interface NaiveClosing extends NaiveProfit {
  readonly reason: 'take_profit' | 'stop_loss' | 'manual' | 'expired' | 'unfilled';
  readonly exit_price: number | null;
  readonly closed_at: number;
  /** seq of the evidence. */
  readonly decided: number;
  /** seq of the last event that judged. */
  readonly decided_seq: number;
  readonly pnl_best: number | null;
  readonly gap: { readonly from: number; readonly to: number } | null;
}

export interface NaiveOutcome {
  readonly order: 'market' | 'limit' | 'stop';
  readonly entry_deadline: number;
  readonly deadline: number;
  readonly entry_price: number | null;
  /** seq of the event that filled a pending entry. */
  readonly filled_seq: number | null;
  /** `null` if still active after the last event. */
  readonly closing: NaiveClosing | null;
}

class NaiveSignal {
  readonly instrument: NaiveInstrument;
  readonly market: NaiveMarket;
  readonly buy: boolean;
  readonly entry: number;
  readonly stop: number;
  readonly target: number;
  readonly deadlines: NaiveDeadlines;
  order: NaiveOutcome['order'] = 'market';
  entryPrice: number | null = null;
  filledSeq: number | null = null;
  /** seq of the last event that judged. */
  heard: number;
  /** Gap declared after the accepted quote. */
  gap: NaiveMarket['gap'];

  constructor(instrument: NaiveInstrument, request: NaiveRequest, publishedAt: number, market: NaiveMarket) {
    this.instrument = instrument;
    this.market = market;
    this.buy = request.direction === 'buy';
    this.entry = naiveTicks(request.entry, instrument.digits);
    this.stop = naiveTicks(request.stop_loss, instrument.digits);
    this.target = naiveTicks(request.take_profit, instrument.digits);
    this.deadlines = naiveDeadlines(publishedAt, request.expires_at);
    this.heard = market.seq;
    this.gap = market.gap;
  }

  accept(): NaiveRefusal | null {
    const { entry, stop, target } = this;
    const order = acceptNaively({ direction: this.direction, entry, stop, target }, this.market);
    if (typeof order !== 'string') return order;
    this.order = order;
    if (order === 'market') this.entryPrice = this.buy ? this.market.ask : this.market.bid;
    return null;
  }

  event(event: NaiveEvent): NaiveClosing | null {
    switch (event.kind) {
      case 'quote':
        return this.judge(event.seq, event.time, event.bid, event.ask);
      case 'trade':
        if (!this.market.cut) return null;
        if (event.side === 'sell') return this.judge(event.seq, event.time, event.price, null);
        return this.judge(event.seq, event.time, null, event.price);
      case 'bar':
        return this.judgeBar(event);
      case 'clock':
        if (this.market.cut || event.time < this.deadline) return null;
        return this.endAtStanding('expired', this.deadline);
      default: {
        const missing = naiveGap(this.market, event);
        if (missing) this.gap = naiveUnion(this.gap, missing);
        return null;
      }
    }
  }

  /** `null` if closing is rejected. */
  manually(time: number): NaiveClosing | null {
    if (this.market.cut) return null;
    if (time >= this.deadline) return this.endAtStanding('expired', this.deadline);
    if (this.entryPrice !== null && !livesNaively(this.market)) return null;
    return this.endAtStanding('manual', time);
  }

  get outcome(): Omit<NaiveOutcome, 'closing'> {
    return {
      order: this.order,
      entry_deadline: this.deadlines.pending,
      deadline: this.deadlines.filled,
      entry_price: this.entryPrice === null ? null : this.price(this.entryPrice),
      filled_seq: this.filledSeq,
    };
  }

  get direction(): 'buy' | 'sell' {
    return this.buy ? 'buy' : 'sell';
  }

  get deadline(): number {
    return this.entryPrice === null ? this.deadlines.pending : this.deadlines.filled;
  }

  /** Judges one state of the book; an unknown side is `null`. */
  judge(seq: number, time: number, bid: number | null, ask: number | null): NaiveClosing | null {
    const { buy, entry, stop, target, order } = this;
    if (time >= this.deadline) return this.endAtStanding('expired', this.deadline);
    this.heard = seq;
    if (this.entryPrice === null) {
      const side = buy ? ask : bid;
      if (side === null) return null;
      if (order === 'limit' && (buy ? side <= entry : side >= entry)) this.entryPrice = entry;
      if (order === 'stop' && (buy ? side >= entry : side <= entry)) this.entryPrice = side;
      if (this.entryPrice === null) return null;
      this.filledSeq = seq;
    }
    const exit = buy ? bid : ask;
    if (exit === null) return null;
    if (buy ? exit <= stop : exit >= stop) return this.close('stop_loss', exit, time);
    if (buy ? exit >= target : exit <= target) return this.close('take_profit', target, time);
    return null;
  }

  judgeBar(bar: NaiveBar): NaiveClosing | null {
    const { buy, entry, stop, target, order, deadline } = this;
    const spread = this.market.ask - this.market.bid;
    const end = bar.time + MINUTE_MS;
    if (bar.time >= deadline) return this.endAtStanding('expired', deadline);
    this.heard = bar.seq;
    const uncertain = bar.partial || this.market.time >= bar.time || deadline < end;
    const filledBefore = this.entryPrice !== null;
    if (this.entryPrice === null) {
      const open = buy ? bar.open + spread : bar.open;
      if (order === 'limit' && (buy ? bar.low + spread <= entry : bar.high >= entry)) this.entryPrice = entry;
      if (order === 'stop' && buy && bar.high + spread >= entry) this.entryPrice = Math.max(open, entry);
      if (order === 'stop' && !buy && bar.low <= entry) this.entryPrice = Math.min(open, entry);
      if (this.entryPrice === null) return null;
      this.filledSeq = bar.seq;
    }
    // The exit side: bid for a buy, ask for a sell.
    const add = buy ? 0 : spread;
    const [open, high, low, last] = [bar.open + add, bar.high + add, bar.low + add, bar.close + add];
    const stopReached = buy ? low <= stop : high >= stop;
    const targetReached = buy ? high >= target : low <= target;
    if (stopReached) {
      const lateEntry = !filledBefore && order === 'stop';
      let exit = stop;
      if (!lateEntry) exit = buy ? Math.min(stop, open) : Math.max(stop, open);
      let best: number | null = null;
      if (targetReached) best = target;
      else if ((uncertain || lateEntry) && (buy ? last > exit : last < exit)) best = last;
      return this.close('stop_loss', exit, end, best);
    }
    if (targetReached && !uncertain && filledBefore) return this.close('take_profit', target, end);
    return null;
  }

  endAtStanding(reason: 'manual' | 'expired', closedAt: number): NaiveClosing {
    if (this.entryPrice !== null) {
      const exit = this.buy ? this.market.bid : this.market.ask;
      return { ...this.close(reason, exit, closedAt), decided: this.market.seq };
    }
    return {
      reason: 'unfilled',
      exit_price: null,
      closed_at: closedAt,
      decided: this.market.seq,
      decided_seq: this.heard,
      pnl: 0,
      pnl_percent: 0,
      pnl_r: 0,
      pnl_best: null,
      gap: this.gap,
    };
  }

  close(reason: NaiveClosing['reason'], exit: number, closedAt: number, best: number | null = null): NaiveClosing {
    return {
      reason,
      exit_price: this.price(exit),
      closed_at: closedAt,
      decided: this.heard,
      decided_seq: this.heard,
      ...this.profitAt(exit),
      pnl_best: best === null ? null : this.profitAt(best).pnl,
      gap: this.gap,
    };
  }

  profitAt(exit: number): NaiveProfit {
    const { entry, entryPrice, stop } = this;
    return naiveProfit(this.instrument, this.direction, { entry, entryPrice: entryPrice!, stop, exit });
  }

  price(ticks: number): number {
    return naivePrice(ticks, this.instrument.digits);
  }
}

/**
 * The outcome of one signal published after `events[index]` and before the next event. Events are in ticks
 * (`naiveInTicks`), the request is in prices.
 */
export function naiveOutcome(
  instrument: NaiveInstrument,
  request: NaiveRequest,
  publishedAt: number,
  events: readonly NaiveEvent[],
  index: number,
  manual?: NaiveManual,
): NaiveRefusal | NaiveOutcome {
  const market = naiveMarketAt(events, index);
  const signal = new NaiveSignal(instrument, request, publishedAt, market);
  const refusal = signal.accept();
  if (refusal) return refusal;
  let closing = manual?.after === index ? signal.manually(manual.time) : null;
  for (let at = index + 1; at < events.length && closing === null; at++) {
    const event = events[at]!;
    closing = signal.event(event);
    followNaively(market, event);
    if (closing === null && manual?.after === at) closing = signal.manually(manual.time);
  }
  return { ...signal.outcome, closing };
}
