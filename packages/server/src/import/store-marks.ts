// What a store remembers beside bars and ticks, as an import carries it on: numbers of ticks given out, the first trade,
// the newest prices, and up to when the bars are whole. Handed over with each chunk, so that a cut leaves them in step.
import type { InstrumentSpec, QuoteEvent, TradeEvent } from '@tickwire/engine';
import type { LastPrices, MarketStore, TapeRecord } from '../store/store.ts';
import { isCrossed, type Tick } from './row-events.ts';

const MINUTE = 60_000;
/** Of imported ticks on the tape. */
const SOURCE = 'import';

interface Marks {
  readonly last: LastPrices;
  readonly nextSeq: number;
  readonly firstTrade: number;
  readonly barsUntil: number;
  readonly importedUntil: number;
}

const firstTradeName = (symbol: string): string => `first_trade ${symbol}`;

export class StoreMarks {
  /** The minute of the instrument's first trade: the bars of later ones are made of trades. Infinity without any. */
  firstTrade: number;
  #last: LastPrices;
  #lastChanged = false;
  #nextSeq: number;
  #numbersGiven = false;
  #barsUntil: number;
  #importedUntil: number;

  private constructor({ last, nextSeq, firstTrade, barsUntil, importedUntil }: Marks) {
    this.firstTrade = firstTrade;
    this.#last = last;
    this.#nextSeq = nextSeq;
    this.#barsUntil = barsUntil;
    this.#importedUntil = importedUntil;
  }

  static async read(store: MarketStore, { symbol }: InstrumentSpec): Promise<StoreMarks> {
    const known = (await store.lastPrices()).find((prices) => prices.symbol === symbol);
    return new StoreMarks({
      last: known ?? { symbol, quote: null, trade: null },
      nextSeq: Math.max(1, (await store.number('seq_reserved')) ?? 1),
      firstTrade: (await store.number(firstTradeName(symbol))) ?? (await firstTradeOf(store, symbol)),
      barsUntil: (await store.number('bars_until')) ?? 0,
      importedUntil: (await store.number('imported_until')) ?? 0,
    });
  }

  /** Gives ticks their numbers, from the same stock as the service's own. */
  numbered(ticks: readonly Tick[]): TapeRecord[] {
    const first = this.#nextSeq;
    this.#nextSeq += ticks.length;
    this.#numbersGiven = true;
    return ticks.map((event, index) => ({ seq: first + index, event, source: SOURCE }));
  }

  /** The newest quote and trade are what an instrument shows until a live one comes. */
  saw(ticks: readonly Tick[]): void {
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

  /** What to write with a chunk whose bars end by `until`. */
  take(until: number, now: number): { prices: LastPrices[]; numbers: Record<string, number> } {
    const numbers: Record<string, number> = {};
    if (this.#numbersGiven) numbers.seq_reserved = this.#nextSeq;
    if (this.firstTrade < Number.POSITIVE_INFINITY) numbers[firstTradeName(this.#last.symbol)] = this.firstTrade;
    // A start reads the tape from here on: not what was imported. A bar may end in the future, the mark may not.
    const mark = Math.min(until, now - (now % MINUTE));
    if (mark > this.#barsUntil) {
      if (this.#barsUntil > this.#importedUntil) numbers.served_until = this.#barsUntil;
      this.#barsUntil = this.#importedUntil = mark;
      numbers.bars_until = numbers.tape_from = numbers.imported_until = mark;
    }
    const prices = this.#lastChanged ? [this.#last] : [];
    this.#lastChanged = this.#numbersGiven = false;
    return { prices, numbers };
  }
}

/** Of a store that no import has written to: the service counts trades in bars from the minute after the first one. */
async function firstTradeOf(store: MarketStore, symbol: InstrumentSpec['symbol']): Promise<number> {
  const first = await store.firstTradeBar(symbol);
  return first === undefined ? Number.POSITIVE_INFINITY : first - MINUTE;
}
