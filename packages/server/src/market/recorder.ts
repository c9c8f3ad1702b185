// Stores what the journal contains, a few times a second: ticks on the tape, closed bars, volume at price and last prices in the
// store.
//
// The newest block of each symbol and minute is written again with each flush until it is full, so a crash loses at most one
// interval. The tape is written first: bars can be rebuilt from it, but not the reverse. While the store cannot write, data is
// kept in memory up to a limit; beyond it the oldest ticks are dropped, counted and logged.

import type {
  BarEvent,
  FlowEvent,
  InstrumentSpec,
  MarketSymbol,
  MinuteEvent,
  QuoteEvent,
  TickEvent,
  TradeEvent,
} from '@tickwire/engine';
import { MINUTE_MS } from '@tickwire/engine';
import type { Batch } from '../journal/journal.ts';
import type { Log } from '../ops/log.ts';
import type { BarRow, HistogramRow, LastPrices, MarketStore, TapeBlock, Watched } from '../store/store.ts';
import { BlockWriter } from '../store/tape-block.ts';
import { encodeMinute } from '../store/tape-minute.ts';

export const FLUSH_MS = 200;
/** Ticks per block: limits what a flush writes again. */
const BLOCK_RECORDS = 256;
const MAX_WAITING_TICKS = 2_000_000;

/** A block that is still growing, or full but not yet written. */
interface OpenBlock {
  readonly symbol: MarketSymbol;
  readonly minute: number;
  readonly firstSeq: number;
  readonly writer: BlockWriter;
  bidVolume: number;
  askVolume: number;
  /** Number of its ticks that are in the store. */
  written: number;
}

interface Prices {
  quote: QuoteEvent | null;
  trade: TradeEvent | null;
}

export interface RecorderOptions {
  readonly store: MarketStore;
  readonly instruments: readonly InstrumentSpec[];
  readonly log: Log;
  /** Up to when bars of the last run are stored. */
  readonly barsUntil: number;
}

export class Recorder {
  ticksWritten = 0;
  ticksLost = 0;
  /** Symbols whose source is connected; set when the feeds are open. */
  connected: () => readonly MarketSymbol[] = () => [];
  /** Set while the store cannot write. */
  failure: Error | null = null;
  readonly #options: RecorderOptions;
  readonly #digits: Map<MarketSymbol, number>;
  readonly #growing = new Map<MarketSymbol, OpenBlock>();
  #full: OpenBlock[] = [];
  /** Tape blocks of minutes that are known only as bars. */
  #minutes: TapeBlock[] = [];
  /** Each with the volume at price of its minute: both are written in one transaction, so they always agree. */
  #bars = new Map<string, { readonly bar: BarRow; readonly histogram: HistogramRow | null }>();
  readonly #prices = new Map<MarketSymbol, Prices>();
  readonly #changed = new Set<MarketSymbol>();
  #barsUntil: number;
  #connected: ReadonlySet<MarketSymbol> = new Set();
  /** Symbols with a disconnect or a gap since the last minute ended. */
  readonly #interrupted = new Set<MarketSymbol>();
  #watched: Watched[] = [];
  #barsWritten = 0;
  #waiting = 0;
  /** Set from the first dropped tick until the store has caught up. */
  #losing = false;
  #flushing: Promise<void> | null = null;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#digits = new Map(options.instruments.map(({ symbol, digits }) => [symbol, digits]));
    this.#barsUntil = options.barsUntil;
  }

  get waitingTicks(): number {
    return this.#waiting;
  }

  readonly read = ({ firstSeq, source, events }: Batch): void => {
    for (let index = 0; index < events.length; index++) {
      const event = events[index]!;
      if (event.kind === 'tick') this.#tape(firstSeq + index, quoteOf(event), source);
      else if (event.kind === 'flow') this.#tape(firstSeq + index, tradeOf(event), source);
      else if (event.kind === 'bar') this.keepBar(event);
      else if (event.kind === 'minute') this.#minute(firstSeq + index, event, source);
      else if (event.kind === 'disconnect' || event.kind === 'gap')
        for (const symbol of event.symbols) this.#interrupted.add(symbol);
      else if (event.kind === 'clock') this.#endMinute(event.time - (event.time % MINUTE_MS));
    }
  };

  /** The start of a minute that was fetched while it was running was not watched. */
  #minute(seq: number, event: MinuteEvent, source: string): void {
    this.#minutes.push(encodeMinute(seq, event, source));
    if (event.bar.partial) this.#interrupted.add(event.symbol);
  }

  /** A minute counts as watched for symbols that were connected at both ends and not interrupted in between. */
  #endMinute(minute: number): void {
    if (minute <= this.#barsUntil) return;
    const connected = this.connected().filter((symbol) => !this.#interrupted.has(symbol));
    const watched = connected.filter((symbol) => this.#connected.has(symbol));
    if (minute - this.#barsUntil === MINUTE_MS && watched.length > 0) {
      this.#watched.push({ symbols: watched, from: this.#barsUntil, to: minute });
    }
    this.#connected = new Set(connected);
    this.#interrupted.clear();
    this.#barsUntil = minute;
  }

  keepBar({ symbol, timeframe, bar, histogram }: BarEvent): void {
    this.#bars.set(`${symbol} ${timeframe} ${bar.time}`, {
      bar: { symbol, timeframe, ...bar },
      histogram: histogram ? { symbol, ...histogram } : null,
    });
  }

  /** Writes everything that waits. Calls while one runs wait for that one; it never throws. */
  flush(): Promise<void> {
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  /**
   * Resolves when everything read before this call is written, or `failure` says why it cannot be. Unlike `flush()`, it
   * never settles for a flush that was already running and may not include the newest events. It never rejects.
   */
  async drain(): Promise<void> {
    await this.#flushing;
    await this.flush();
  }

  async #write(): Promise<void> {
    const blocks = [...this.#full, ...this.#growing.values()].filter((block) => block.written < block.writer.count);
    const bars = this.#bars;
    const minuteEnded = this.#barsUntil > this.#barsWritten;
    const prices = minuteEnded ? [...this.#changed] : [];
    const minutes = this.#minutes;
    if (blocks.length === 0 && minutes.length === 0 && bars.size === 0 && !minuteEnded) return;
    this.#bars = new Map();
    this.#minutes = [];
    const barsUntil = this.#barsUntil;
    try {
      const counts = blocks.map((block) => block.writer.count);
      await this.#options.store.writeTape([...minutes, ...blocks.map(blockOf)]);
      blocks.forEach((block, index) => {
        this.ticksWritten += counts[index]! - block.written;
        this.#waiting -= counts[index]! - block.written;
        block.written = counts[index]!;
      });
      this.#full = this.#full.filter((block) => block.written < block.writer.count);
      if (bars.size > 0 || minuteEnded) {
        for (const symbol of prices) this.#changed.delete(symbol);
        const rows = prices.map((symbol): LastPrices => ({ symbol, ...this.#prices.get(symbol)! }));
        const watched = this.#watched;
        await this.#options.store.write({
          bars: [...bars.values()].map(({ bar }) => bar),
          prices: rows,
          barsUntil,
          watched,
          histograms: [...bars.values()].flatMap(({ histogram }) => histogram ?? []),
        });
        this.#watched = this.#watched.slice(watched.length);
        this.#barsWritten = barsUntil;
      }
      if (this.failure) this.#options.log.info('the store writes again', { waiting_ticks: this.#waiting });
      this.failure = null;
      if (this.#losing) this.#options.log.error('ticks were lost', { since_start: this.ticksLost });
      this.#losing = false;
    } catch (error) {
      // A newer state of the same bar replaces the one that could not be written.
      this.#bars = new Map([...bars, ...this.#bars]);
      this.#minutes = [...minutes, ...this.#minutes];
      for (const symbol of prices) this.#changed.add(symbol);
      if (!this.failure) this.#options.log.error('the store cannot write; data is kept in memory', { error });
      this.failure = error as Error;
    }
  }

  #tape(seq: number, event: QuoteEvent | TradeEvent, source: string): void {
    const { symbol } = event;
    const minute = event.time - (event.time % MINUTE_MS);
    // A restart begins at the very first tick of a store, even if no minute has ended yet.
    if (this.#barsUntil === 0) this.#barsUntil = minute;
    let block = this.#growing.get(symbol);
    if (!block || block.minute !== minute || block.writer.count >= BLOCK_RECORDS) {
      if (block) this.#full.push(block);
      const writer = new BlockWriter(minute, this.#digits.get(symbol)!);
      block = { symbol, minute, firstSeq: seq, writer, bidVolume: 0, askVolume: 0, written: 0 };
      this.#growing.set(symbol, block);
    }
    block.writer.append(seq, event, source);
    const prices = this.#prices.get(symbol) ?? this.#newPrices(symbol);
    if (event.kind === 'quote') prices.quote = event;
    else {
      prices.trade = event;
      if (event.side === 'buy') block.askVolume += event.size;
      else block.bidVolume += event.size;
    }
    this.#changed.add(symbol);
    if (++this.#waiting > MAX_WAITING_TICKS) this.#dropOldest();
  }

  #newPrices(symbol: MarketSymbol): Prices {
    const prices: Prices = { quote: null, trade: null };
    this.#prices.set(symbol, prices);
    return prices;
  }

  #dropOldest(): void {
    const oldest = this.#full.shift();
    if (!oldest) return;
    const lost = oldest.writer.count - oldest.written;
    // A running write must not count it again.
    oldest.written = oldest.writer.count;
    this.#waiting -= lost;
    this.ticksLost += lost;
    // Logged once per incident; the metrics count every tick.
    if (!this.#losing) this.#options.log.error('ticks are being lost: the store is too slow', { from: oldest.symbol });
    this.#losing = true;
  }
}

const blockOf = ({ symbol, minute, firstSeq, writer, bidVolume, askVolume }: OpenBlock): TapeBlock => ({
  symbol,
  minute: minute as TapeBlock['minute'],
  firstSeq,
  count: writer.count,
  bidVolume,
  askVolume,
  bytes: writer.bytes(),
});

const quoteOf = ({ symbol, time, bid, ask, bidSize, askSize }: TickEvent): QuoteEvent => ({
  kind: 'quote',
  symbol,
  time,
  bid,
  ask,
  bidSize,
  askSize,
});

const tradeOf = ({ symbol, time, price, size, side, sideMethod, id }: FlowEvent): TradeEvent => ({
  kind: 'trade',
  symbol,
  time,
  price,
  size,
  side,
  sideMethod,
  ...(id !== undefined && { id }),
});
