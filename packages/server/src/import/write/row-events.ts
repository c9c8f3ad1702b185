// Converts rows to events of one instrument. A trade without a side gets it from the current quote of the same file, or else
// from the change of price. Each file is treated on its own, so the order of files does not matter.
import { type MarketSymbol, type PriceEvent, type QuoteEvent, SideInference, type TradeEvent } from '@tickwire/engine';
import type { ImportQuote, ImportRow, ImportTrade } from '../rows/import-row.ts';

/** A crossed quote counts in bars, as it does at its source, but is never published as a quote. */
export const isCrossed = (tick: PriceEvent): boolean => tick.kind === 'quote' && tick.bid > tick.ask;

export class RowEvents {
  byQuoteRule = 0;
  byTickRule = 0;
  readonly #symbol: MarketSymbol;
  #inference = new SideInference();

  constructor(symbol: MarketSymbol) {
    this.#symbol = symbol;
  }

  startFile(): void {
    this.#inference = new SideInference();
  }

  /** Begins with rows that precede the next ones, but are converted later. */
  startAfter(rows: readonly ImportRow[]): void {
    const { byQuoteRule, byTickRule } = this;
    this.startFile();
    for (const row of rows) if (row.kind !== 'bar') this.convert(row);
    this.byQuoteRule = byQuoteRule;
    this.byTickRule = byTickRule;
  }

  convert(row: ImportQuote | ImportTrade): PriceEvent {
    return row.kind === 'quote' ? this.#quote(row) : this.#trade(row);
  }

  #quote({ time, bid, ask, bidSize, askSize }: ImportQuote): QuoteEvent {
    this.#inference.quote(time, bid, ask);
    return { kind: 'quote', symbol: this.#symbol, time, bid, ask, bidSize, askSize };
  }

  #trade({ time, price, size, side, id, sideMethod: method }: ImportTrade): TradeEvent {
    const symbol = this.#symbol;
    const sideMethod = method ?? null;
    if (side !== null) {
      if (id === null) return { kind: 'trade', symbol, time, price, size, side, sideMethod };
      return { kind: 'trade', symbol, time, price, size, side, sideMethod, id };
    }
    const inferred = this.#inference.trade(time, price);
    if (inferred.sideMethod === 'quote_rule') this.byQuoteRule++;
    else this.byTickRule++;
    return { kind: 'trade', symbol, time, price, size, ...inferred, ...(id !== null && { id }) };
  }
}
