// Rows of ticks as the events of one instrument. Trades whose source does not tell the side get it by the standing quote of
// the same file, then by the change of price: each file for itself, so that the order of files changes nothing.
import { type MarketSymbol, type QuoteEvent, SideInference, type TradeEvent } from '@tickwire/engine';
import type { QuoteRow, TradeRow } from './row.ts';

export type Tick = QuoteEvent | TradeEvent;

/** A quote that is history but no price: bars count it as their source did, nobody is shown it. */
export const isCrossed = (tick: Tick): boolean => tick.kind === 'quote' && tick.bid > tick.ask;

export class RowEvents {
  byQuoteRule = 0;
  byTickRule = 0;
  readonly #symbol: MarketSymbol;
  #inference = new SideInference();

  constructor(symbol: MarketSymbol) {
    this.#symbol = symbol;
  }

  newFile(): void {
    this.#inference = new SideInference();
  }

  of(row: QuoteRow | TradeRow): Tick {
    return row.kind === 'quote' ? this.#quote(row) : this.#trade(row);
  }

  #quote({ time, bid, ask, bidSize, askSize }: QuoteRow): QuoteEvent {
    this.#inference.quote(time, bid, ask);
    return { kind: 'quote', symbol: this.#symbol, time, bid, ask, bidSize, askSize };
  }

  #trade({ time, price, size, side, id }: TradeRow): TradeEvent {
    const symbol = this.#symbol;
    if (side !== null) {
      if (id === null) return { kind: 'trade', symbol, time, price, size, side, sideMethod: null };
      return { kind: 'trade', symbol, time, price, size, side, sideMethod: null, id };
    }
    const inferred = this.#inference.trade(time, price);
    if (inferred.sideMethod === 'quote_rule') this.byQuoteRule++;
    else this.byTickRule++;
    return { kind: 'trade', symbol, time, price, size, ...inferred, ...(id !== null && { id }) };
  }
}
