// Stores what the journal contains, a few times a second: ticks on the tape, closed bars, volume at price and last prices in the
// store.
//
// Each flush writes its ticks, so a crash loses at most one interval: many ticks of a symbol, or the end of its block, with the
// block, and all others in a part (store/tape-rows.ts). Parts are gathered in their blocks when the minute ends, or when there are
// many. The tape is written first: bars can be rebuilt from it, but not the reverse. While the store cannot write, data is
// kept in memory up to a limit; beyond it the oldest ticks are dropped, counted and logged.

import { TIMEFRAMES } from '@tickwire/contract';
import {
  type BarEvent,
  bySymbol,
  type FlowEvent,
  type HistoryEvent,
  type InstrumentSpec,
  type Lookup,
  type MarketSymbol,
  MINUTE_MS,
  type MinuteEvent,
  type QuoteEvent,
  type TickEvent,
  type TradeEvent,
} from '@tickwire/engine';
import type { Batch } from '../journal/journal.ts';
import type { Log } from '../ops/log.ts';
import type { BarRow, HistogramRow, LastPrices, MarketStore, PartKey, TapeBlock, Watched } from '../store/store.ts';
import { BlockWriter } from '../store/tape-block.ts';
import { encodeMinute } from '../store/tape-minute.ts';
import { encodePart } from '../store/tape-rows.ts';

export const FLUSH_MS = 200;
/** Ticks per block: limits what is written again. */
const BLOCK_RECORDS = 256;
/** From this number of new ticks of a symbol on, its block is written at once, without a part first. */
const LONG_RUN = 64;
/** Parts are gathered at this number, about twice a minute. It limits how many parts a reader puts together. */
const MAX_PARTS = 150;
const MAX_WAITING_TICKS = 2_000_000;

/** A block up to one of its ticks. */
interface BlockState {
  count: number;
  /** In bytes. */
  length: number;
  bidVolume: number;
  askVolume: number;
}

/** A block that is still growing, or full but not yet written. */
interface OpenBlock extends BlockState {
  readonly symbol: MarketSymbol;
  readonly minute: number;
  readonly firstSeq: number;
  readonly writer: BlockWriter;
  /** What is in the store, in the block or in parts. */
  stored: BlockState;
  /** Whether a part may have ticks of it. */
  inParts: boolean;
}

/** What is recorded of an instrument. */
interface InstrumentTape {
  readonly symbol: MarketSymbol;
  readonly digits: number;
  growing: OpenBlock | null;
  /** Its last prices, and whether they have changed since they were written. */
  tick: TickEvent | null;
  flow: FlowEvent | null;
  changed: boolean;
}

export interface RecorderOptions {
  readonly store: MarketStore;
  readonly instruments: readonly InstrumentSpec[];
  readonly log: Log;
  /** Up to when bars of the last run are stored. */
  readonly barsUntil: number;
  /** While the store cannot write, the oldest ticks beyond this number are dropped. Default: 2,000,000. */
  readonly maxWaitingTicks?: number;
}

export class Recorder {
  ticksWritten = 0;
  ticksLost = 0;
  /** Symbols whose source is connected; set when the feeds are open. */
  connected: () => readonly MarketSymbol[] = () => [];
  /** Set while the store cannot write. */
  failure: Error | null = null;
  readonly #options: RecorderOptions;
  readonly #maxWaiting: number;
  readonly #specs: Lookup<InstrumentSpec>;
  /** In the order of their first ticks. */
  readonly #tapes = new Map<MarketSymbol, InstrumentTape>();
  #full: OpenBlock[] = [];
  /** Parts that may be in the store. */
  #parts: PartKey[] = [];
  #newestSeq = 0;
  /** The number of the last part: each attempt to write one has another. */
  #lastPart = 0;
  /** Tape blocks of minutes that are known only as bars. */
  #minutes: TapeBlock[] = [];
  /** Each with the volume at price of its minute: both are written in one transaction, so they always agree. */
  #bars = new Map<string, { readonly bar: BarRow; readonly histogram: HistogramRow | null }>();
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
    this.#maxWaiting = options.maxWaitingTicks ?? MAX_WAITING_TICKS;
    this.#specs = bySymbol(options.instruments);
    this.#barsUntil = options.barsUntil;
  }

  get waitingTicks(): number {
    return this.#waiting;
  }

  readonly read = ({ firstSeq, source, events }: Batch): void => {
    this.#newestSeq = firstSeq + events.length - 1;
    for (let index = 0; index < events.length; index++) {
      const event = events[index]!;
      if (event.kind === 'tick') this.#tick(firstSeq + index, event, source);
      else if (event.kind === 'flow') this.#flow(firstSeq + index, event, source);
      else if (event.kind === 'bar') this.keepBar(event);
      else if (event.kind === 'history') this.#history(event);
      else if (event.kind === 'minute') this.#minute(firstSeq + index, event, source);
      else if (event.kind === 'disconnect' || event.kind === 'gap')
        for (const symbol of event.symbols) this.#interrupted.add(symbol);
      else if (event.kind === 'clock') this.#endMinute(event.time - (event.time % MINUTE_MS));
    }
  };

  /** Fetched bars have no volume at price: that of a recorded bar that still waits is kept. */
  #history({ symbol, bars }: HistoryEvent): void {
    for (const timeframe of TIMEFRAMES)
      for (const bar of bars[timeframe] ?? []) {
        const key = keyOf(symbol, timeframe, bar.time);
        const histogram = this.#bars.get(key)?.histogram ?? null;
        this.#bars.set(key, { bar: { symbol, timeframe, ...bar }, histogram });
      }
  }

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
    this.#bars.set(keyOf(symbol, timeframe, bar.time), {
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
    const bars = this.#bars;
    const minuteEnded = this.#barsUntil > this.#barsWritten;
    const gathers = minuteEnded || this.#parts.length >= MAX_PARTS;
    const whole: OpenBlock[] = [];
    const inParts: OpenBlock[] = [];
    for (const block of [...this.#full, ...this.#growing()]) {
      const fresh = block.count - block.stored.count;
      const isLong = fresh >= LONG_RUN || this.#tapes.get(block.symbol)!.growing !== block;
      if (gathers ? fresh > 0 || block.inParts : fresh > 0 && isLong && !block.inParts) whole.push(block);
      else if (fresh > 0) inParts.push(block);
    }
    const changed = minuteEnded ? [...this.#tapes.values()].filter((tape) => tape.changed) : [];
    const minutes = this.#minutes;
    if (whole.length + inParts.length === 0 && minutes.length === 0 && bars.size === 0 && !minuteEnded) return;
    this.#bars = new Map();
    this.#minutes = [];
    const barsUntil = this.#barsUntil;
    try {
      const written = [...whole, ...inParts].map((block) => ({ block, state: stateOf(block) }));
      const gathered = gathers ? this.#parts : [];
      const parts = this.#takeParts(inParts);
      await this.#options.store.writeTape([...minutes, ...whole.map(blockOf), ...parts], gathered);
      for (const { block, state } of written) {
        // Ticks that were dropped meanwhile are counted as lost.
        const ticks = Math.max(0, Math.min(state.count, block.count) - block.stored.count);
        this.ticksWritten += ticks;
        this.#waiting -= ticks;
        if (block.count >= state.count) block.stored = state;
      }
      if (gathers) this.#parts = [];
      for (const block of whole) block.inParts = false;
      this.#full = this.#full.filter((block) => block.count > block.stored.count || block.inParts);
      if (bars.size > 0 || minuteEnded) {
        for (const tape of changed) tape.changed = false;
        const watched = this.#watched;
        await this.#options.store.write({
          bars: [...bars.values()].map(({ bar }) => bar),
          prices: changed.map(pricesOf),
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
      for (const [key, { bar, histogram }] of this.#bars)
        bars.set(key, { bar, histogram: histogram ?? bars.get(key)?.histogram ?? null });
      this.#bars = bars;
      this.#minutes = [...minutes, ...this.#minutes];
      for (const tape of changed) tape.changed = true;
      if (!this.failure) this.#options.log.error('the store cannot write; data is kept in memory', { error });
      this.failure = error as Error;
    }
  }

  #tick(seq: number, event: TickEvent, source: string): void {
    const tape = this.#tapes.get(event.symbol) ?? this.#newTape(event.symbol);
    const block = this.#blockFor(tape, seq, event.time);
    block.writer.quote(seq, event, source);
    tape.tick = event;
    this.#count(tape, block);
  }

  #flow(seq: number, event: FlowEvent, source: string): void {
    const tape = this.#tapes.get(event.symbol) ?? this.#newTape(event.symbol);
    const block = this.#blockFor(tape, seq, event.time);
    block.writer.trade(seq, event, source);
    tape.flow = event;
    if (event.side === 'buy') block.askVolume += event.size;
    else block.bidVolume += event.size;
    this.#count(tape, block);
  }

  #count(tape: InstrumentTape, block: OpenBlock): void {
    block.count = block.writer.count;
    block.length = block.writer.length;
    tape.changed = true;
    if (++this.#waiting > this.#maxWaiting) this.#dropOldest();
  }

  /** The block for a tick of this time. */
  #blockFor(tape: InstrumentTape, seq: number, time: number): OpenBlock {
    const { growing, symbol, digits } = tape;
    if (growing && time >= growing.minute && time < growing.minute + MINUTE_MS && growing.writer.count < BLOCK_RECORDS)
      return growing;
    const minute = time - (time % MINUTE_MS);
    // A restart begins at the very first tick of a store, even if no minute has ended yet.
    if (this.#barsUntil === 0) this.#barsUntil = minute;
    if (growing) this.#full.push(growing);
    const writer = new BlockWriter(minute, digits);
    tape.growing = { symbol, minute, firstSeq: seq, writer, ...NOTHING, stored: NOTHING, inParts: false };
    return tape.growing;
  }

  #newTape(symbol: MarketSymbol): InstrumentTape {
    const { digits } = this.#specs.get(symbol)!;
    const tape: InstrumentTape = { symbol, digits, growing: null, tick: null, flow: null, changed: false };
    this.#tapes.set(symbol, tape);
    return tape;
  }

  #growing(): OpenBlock[] {
    return [...this.#tapes.values()].flatMap(({ growing }) => growing ?? []);
  }

  /** The new ticks of blocks, as a part for each minute. */
  #takeParts(blocks: readonly OpenBlock[]): TapeBlock[] {
    return [...Map.groupBy(blocks, ({ minute }) => minute)].map(([minute, list]) => {
      const sections = list.map((block) => {
        const from = block.stored.length;
        // Also if the write fails: the store may have it nevertheless.
        block.inParts = true;
        return { symbol: block.symbol, firstSeq: block.firstSeq, from, bytes: block.writer.bytes(from, block.length) };
      });
      const ticks = list.reduce((sum, { count, stored }) => sum + count - stored.count, 0);
      this.#lastPart = Math.max(this.#lastPart + 1, this.#newestSeq);
      const part = encodePart(minute, this.#lastPart, ticks, sections);
      this.#parts.push({ minute: part.minute, firstSeq: part.firstSeq });
      return part;
    });
  }

  #dropOldest(): void {
    const at = this.#full.findIndex(({ count, stored }) => count > stored.count);
    const oldest = this.#full[at];
    if (!oldest) return;
    const lost = oldest.count - oldest.stored.count;
    // What the store has of it is kept.
    Object.assign(oldest, oldest.stored);
    if (oldest.count === 0) this.#full.splice(at, 1);
    this.#waiting -= lost;
    this.ticksLost += lost;
    // Logged once per incident; the metrics count every tick.
    if (!this.#losing) this.#options.log.error('ticks are being lost: the store is too slow', { from: oldest.symbol });
    this.#losing = true;
  }
}

const keyOf = (symbol: string, timeframe: string, time: number): string => `${symbol} ${timeframe} ${time}`;

const NOTHING: BlockState = { count: 0, length: 0, bidVolume: 0, askVolume: 0 };

const stateOf = ({ count, length, bidVolume, askVolume }: BlockState): BlockState => ({
  count,
  length,
  bidVolume,
  askVolume,
});

const blockOf = ({ symbol, minute, firstSeq, writer, length, ...rest }: OpenBlock): TapeBlock => ({
  symbol,
  minute: minute as TapeBlock['minute'],
  firstSeq,
  count: rest.count,
  bidVolume: rest.bidVolume,
  askVolume: rest.askVolume,
  bytes: writer.bytes(0, length),
});

/** Made when they are written, not for each tick. */
const pricesOf = ({ symbol, tick, flow }: InstrumentTape): LastPrices => ({
  symbol,
  quote: tick && quoteOf(tick),
  trade: flow && tradeOf(flow),
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
