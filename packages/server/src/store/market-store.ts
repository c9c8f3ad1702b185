// Closed bars, last prices and the tape of one realm. Times are milliseconds since 1970.
import type { Timeframe } from '@tickwire/contract';
import type { Bar, EpochMs, MarketSymbol, MinuteHistogram, PriceEvent, QuoteEvent, TradeEvent } from '@tickwire/engine';

/**
 * A series of bars of one symbol: a timeframe, or imported bars that fit none: another length (30m, 2h, 1w, 1M), or days that
 * end at 17:00 in New York (4h@ny, 1d@ny, 1w@ny, 1M@ny).
 */
export type SeriesName = string;

export interface BarRow extends Bar {
  readonly symbol: MarketSymbol;
  readonly timeframe: SeriesName;
}

/** Volume at price of one minute. It is kept for good, like the bar of the minute. */
export interface HistogramRow extends MinuteHistogram {
  readonly symbol: MarketSymbol;
}

/** Bars of one symbol in one timeframe, ascending. */
export interface StoredSeries {
  readonly symbol: MarketSymbol;
  readonly timeframe: Timeframe;
  readonly bars: Bar[];
}

/** Last quote and trade of an instrument: the recent tape may have none, for example over a weekend. */
export interface LastPrices {
  readonly symbol: MarketSymbol;
  readonly quote: QuoteEvent | null;
  readonly trade: TradeEvent | null;
}

export interface BarRange {
  readonly symbol: MarketSymbol;
  readonly timeframe: SeriesName;
  /** Bar start times, both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  /** Which end of the range the limit keeps. */
  readonly first: 'oldest' | 'newest';
  /** The caller does not read the volumes by side and the basis: a store may leave them out. Default false. */
  readonly pricesOnly?: boolean;
}

/** An instrument that an operator added from the list of a venue. */
export interface AddedInstrument {
  readonly symbol: MarketSymbol;
  readonly venue: string;
  /** A VenueListing as JSON. */
  readonly listing: string;
  readonly addedAt: number;
}

/** One flush of the recorder, written in one transaction. */
export interface MarketWrite {
  readonly bars: readonly BarRow[];
  readonly prices: readonly LastPrices[];
  /** Every bar that ended by this time is stored. */
  readonly barsUntil: number;
  /** A start reads the tape from here on. Default: as before. */
  readonly tapeFrom?: number;
  /** Periods in which the sources of symbols were connected without a break. */
  readonly watched?: readonly Watched[];
  /** Of the minutes in `bars` that had trades. */
  readonly histograms?: readonly HistogramRow[];
}

/** A period in which the sources of some symbols were connected. */
export interface Watched {
  readonly symbols: readonly MarketSymbol[];
  readonly from: number;
  readonly to: number;
}

/** A range whose bars of one length came from a venue, not from recorded ticks. `from` is inclusive, `to` exclusive. */
export interface Fetched {
  readonly timeframe: '1m' | '1h' | '1d';
  readonly from: number;
  readonly to: number;
}

/** One batch of an import, written in one transaction; its tape is written afterwards. */
export interface ImportedWrite {
  readonly bars: readonly BarRow[];
  readonly prices: readonly LastPrices[];
  readonly numbers: Readonly<Record<string, number>>;
  /** UTC days (2014-05-01) with imported tape: they are never pruned. */
  readonly days: readonly string[];
  /** Periods covered without a gap; each is merged with the periods it touches. */
  readonly watched: readonly Watched[];
  /** Ranges of a symbol that were fetched from a venue; each is merged with the ranges of its length that it touches. */
  readonly fetched?: readonly (Fetched & { readonly symbol: MarketSymbol })[];
  /** Of the minutes in `bars` that had trades. */
  readonly histograms?: readonly HistogramRow[];
}

export interface TapeRecord {
  readonly seq: number;
  readonly event: PriceEvent;
  /** Source of the tick. */
  readonly source: string;
}

/** Ticks of one symbol in one minute. A minute has several blocks if it is long or some of its ticks came late. */
export interface TapeBlock {
  readonly symbol: MarketSymbol;
  /** Start of the minute. */
  readonly minute: EpochMs;
  /** `seq` of its first record; identifies the block within the minute. */
  readonly firstSeq: number;
  readonly count: number;
  /** Traded volume by the taker's side. */
  readonly bidVolume: number;
  readonly askVolume: number;
  readonly bytes: Uint8Array;
  /** The file or table of a block that does not have its checksum: it has no bytes. Its symbol is '' if it may be any. */
  readonly damaged?: string;
}

/** Identifies a part of the tape: see tape-rows.ts. */
export type PartKey = Pick<TapeBlock, 'minute' | 'firstSeq'>;

export interface MarketStore {
  /** The newest `limit` bars of each symbol in every timeframe, ascending. */
  recentBars(symbols: readonly MarketSymbol[], limit: number): Promise<StoredSeries[]>;
  bars(range: BarRange): Promise<Bar[]>;
  /** Of the minutes from `from` (inclusive) to `to` (exclusive), by symbol, then ascending. */
  histograms(symbols: readonly MarketSymbol[], from: number, to: number): Promise<HistogramRow[]>;
  lastPrices(): Promise<LastPrices[]>;
  /** Periods within the range in which the source of the symbol was connected, ascending. */
  watched(symbol: MarketSymbol, from: number, to: number): Promise<{ from: number; to: number }[]>;
  /** Fetched ranges of all lengths that overlap the range, ascending. */
  fetched(symbol: MarketSymbol, from: number, to: number): Promise<Fetched[]>;
  write(write: MarketWrite): Promise<void>;
  /**
   * Replaces blocks with the same symbol, minute and first seq, and deletes parts whose ticks are in them. New parts are written
   * like blocks: see tape-rows.ts.
   */
  writeTape(blocks: readonly TapeBlock[], gathered?: readonly PartKey[]): Promise<void>;
  /** Gathers the parts that a process left when it ended, for the minutes from `from` on. Call it before anything is written. */
  gatherTape(from: number): Promise<void>;
  /** Blocks that do not have their checksum. Reads the whole tape, or its newest days. */
  damagedTape(newestDays?: number): AsyncGenerator<TapeBlock, void, void>;
  /** When it resolves, all tape written so far survives a power cut, not only the death of the process. */
  syncTape(): Promise<void>;
  /** Blocks of all symbols, for the minutes from `from` on. Damaged ones are among those that are read, without ticks. */
  tape(from: number): Promise<TapeBlock[]>;
  /** Blocks of one symbol, for the minutes from `from` (inclusive) to `to` (exclusive). */
  tapeOf(symbol: MarketSymbol, from: number, to: number): Promise<TapeBlock[]>;
  /** Blocks of the first minute in the same range that has any, found without reading the other minutes. */
  firstTapeOf(symbol: MarketSymbol, from: number, to: number): Promise<TapeBlock[]>;
  /** UTC days (2014-05-01) that have a tape of any symbol, ascending. */
  tapeDays(): Promise<string[]>;
  /** Replaces all blocks of the same symbols in the same minutes. The blocks of a day are written in one transaction. */
  replaceTape(blocks: readonly TapeBlock[]): Promise<void>;
  writeImported(write: ImportedWrite): Promise<void>;
  /** Traded volume by side, summed over the tape for the minutes from `from` (inclusive) to `to` (exclusive). */
  flow(from: number, to: number): Promise<Map<MarketSymbol, { bidVolume: number; askVolume: number }>>;
  /**
   * Deletes whole days of the tape that ended before `time` and returns how many. Keeps imported days, and days that a
   * signal was or is judged by until they are sealed.
   */
  pruneTape(time: number): Promise<number>;
  number(name: string): Promise<number | undefined>;
  setNumber(name: string, value: number): Promise<void>;
  /** In the order in which they were added. */
  addedInstruments(): Promise<AddedInstrument[]>;
  addInstrument(added: AddedInstrument): Promise<void>;
  /** Start of the first 1m bar made of trades, or else of the first longer one; undefined if there is none. */
  firstTradeBar(symbol: MarketSymbol): Promise<number | undefined>;
}
