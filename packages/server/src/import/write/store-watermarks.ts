// What a store keeps besides bars and ticks, continued by an import: assigned tick numbers, the first trade, the last prices,
// and up to when bars are complete. Written with each chunk, so that an interruption leaves them consistent.

import { type InstrumentSpec, MINUTE_MS, type PriceEvent, type QuoteEvent, type TradeEvent } from '@tickwire/engine';
import type { LastPrices, MarketStore, TapeRecord } from '../../store/store.ts';
import { importedName } from '../../store/stored-numbers.ts';
import { IMPORTED } from '../../store/tape-records.ts';
import { isCrossed } from './row-events.ts';

interface Watermarks {
  readonly last: LastPrices;
  readonly nextSeq: number;
  readonly firstTrade: number;
  readonly barsUntil: number;
  readonly importedUntil: number;
}

const firstTradeName = (symbol: string): string => `first_trade ${symbol}`;

export class StoreWatermarks {
  /** The minute of the instrument's first trade: later bars are made of trades. Infinity if there is none. */
  firstTrade: number;
  #last: LastPrices;
  #lastChanged = false;
  #nextSeq: number;
  #numbersAssigned = false;
  #barsUntil: number;
  #importedUntil: number;

  private constructor({ last, nextSeq, firstTrade, barsUntil, importedUntil }: Watermarks) {
    this.firstTrade = firstTrade;
    this.#last = last;
    this.#nextSeq = nextSeq;
    this.#barsUntil = barsUntil;
    this.#importedUntil = importedUntil;
  }

  static async read(store: MarketStore, { symbol }: InstrumentSpec): Promise<StoreWatermarks> {
    const known = (await store.lastPrices()).find((prices) => prices.symbol === symbol);
    return new StoreWatermarks({
      last: known ?? { symbol, quote: null, trade: null },
      nextSeq: Math.max(1, (await store.number('seq_reserved')) ?? 1),
      firstTrade: (await store.number(firstTradeName(symbol))) ?? (await firstTradeOf(store, symbol)),
      barsUntil: (await store.number('bars_until')) ?? 0,
      importedUntil: (await store.number('imported_until')) ?? 0,
    });
  }

  /** Assigns sequence numbers, from the same sequence as the service's own. */
  assignNumbers(ticks: readonly PriceEvent[]): TapeRecord[] {
    const first = this.#nextSeq;
    this.#nextSeq += ticks.length;
    this.#numbersAssigned = true;
    return ticks.map((event, index) => ({ seq: first + index, event, source: IMPORTED }));
  }

  /** The newest quote and trade are shown until a live one arrives. */
  updateLastPrices(ticks: readonly PriceEvent[]): void {
    let { quote, trade }: { quote: QuoteEvent | null; trade: TradeEvent | null } = this.#last;
    for (const tick of ticks) {
      if (tick.kind === 'trade') {
        if (trade === null || tick.time >= trade.time) trade = tick;
      } else if ((quote === null || tick.time >= quote.time) && !isCrossed(tick)) quote = tick;
    }
    if (quote === this.#last.quote && trade === this.#last.trade) return;
    this.#last = { ...this.#last, quote, trade };
    this.#lastChanged = true;
  }

  /** The values to write with a chunk whose bars end by `until`. */
  take(until: number, now: number): { prices: LastPrices[]; numbers: Record<string, number> } {
    const numbers: Record<string, number> = { [importedName(this.#last.symbol)]: 1 };
    if (this.#numbersAssigned) numbers.seq_reserved = this.#nextSeq;
    if (this.firstTrade < Number.POSITIVE_INFINITY) numbers[firstTradeName(this.#last.symbol)] = this.firstTrade;
    // The service reads the tape from here on when it starts, so without the imported ticks. A bar may end in the future; the
    // watermark may not.
    const mark = Math.min(until, now - (now % MINUTE_MS));
    if (mark > this.#barsUntil) {
      if (this.#barsUntil > this.#importedUntil) numbers.served_until = this.#barsUntil;
      this.#barsUntil = this.#importedUntil = mark;
      numbers.bars_until = numbers.tape_from = numbers.imported_until = mark;
    }
    const prices = this.#lastChanged ? [this.#last] : [];
    this.#lastChanged = this.#numbersAssigned = false;
    return { prices, numbers };
  }
}

/** For a store without imports: the service makes bars of trades from the minute after the first one. */
async function firstTradeOf(store: MarketStore, symbol: InstrumentSpec['symbol']): Promise<number> {
  const first = await store.firstTradeBar(symbol);
  return first === undefined ? Number.POSITIVE_INFINITY : first - MINUTE_MS;
}
