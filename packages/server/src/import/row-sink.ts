// Receives the rows of every format: checks them against the instrument, counts them and collects them into batches. An
// invalid row skips only its own line.
import { TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import { asEpochMs, type BarBasis, type EpochMs, roundSize, type Side } from '@tickwire/engine';
import { latin1Text } from './decimal.ts';
import type { ImportReport, SkipReason } from './import-report.ts';
import type { ImportRow, OhlcPrices } from './import-row.ts';

const EXCERPT_BYTES = 100;
/** Rounding error of a float price, in ticks. A larger deviation means that the price has too many digits. */
const FLOAT_TOLERANCE = 1e-3;

export interface SinkOptions {
  /** Decimals of the instrument's prices. */
  readonly digits: number;
  /** Prices in the file are integers in points of 10^-pointDigits. */
  readonly pointDigits?: number | undefined;
  /** What to do with a price that has more digits than the instrument. */
  readonly finer: 'skip' | 'round';
  readonly notAfter: EpochMs;
}

/** Unchecked values of a bar. */
export interface BarDraft extends OhlcPrices {
  readonly volume: number;
  readonly bidVolume: number;
  readonly askVolume: number;
  readonly ask: OhlcPrices | null;
}

export class RowSink {
  #rows: ImportRow[] = [];
  readonly #report: ImportReport;
  readonly #scale: number;
  readonly #points: number;
  readonly #round: boolean;
  readonly #notAfter: number;
  readonly #file: string;
  #rounded = false;
  #bytes: Uint8Array = new Uint8Array(0);
  #start = 0;
  #end = 0;
  #line = 0;

  constructor(file: string, report: ImportReport, options: SinkOptions) {
    this.#file = file;
    this.#report = report;
    this.#scale = 10 ** options.digits;
    this.#points = options.pointDigits === undefined ? 0 : 10 ** options.pointDigits;
    this.#round = options.finer === 'round';
    this.#notAfter = options.notAfter;
  }

  /** Sets the line or record of the next rows. */
  setLine(bytes: Uint8Array, start: number, end: number, line: number): void {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.#line = line;
  }

  skip(reason: SkipReason): void {
    this.#report.skip(reason, () => ({
      file: this.#file,
      line: this.#line,
      text: latin1Text(this.#bytes, this.#start, Math.min(this.#end, this.#start + EXCERPT_BYTES)),
    }));
  }

  quote(time: number, bid: number, ask: number, bidSize: number, askSize: number): void {
    if (!this.#hasValidTime(time)) return;
    const bidPrice = this.#price(bid);
    const askPrice = this.#price(ask);
    if (!(bidPrice > 0 && askPrice > 0)) {
      this.#badPrice(bidPrice, askPrice);
      return;
    }
    if (!(bidSize >= 0 && askSize >= 0 && bidSize + askSize < Number.POSITIVE_INFINITY)) {
      this.skip('bad_size');
      return;
    }
    const crossed = bidPrice > askPrice;
    if (crossed) this.#report.crossed++;
    this.#report.quotes++;
    this.#count(time, 0);
    this.#rows.push({ kind: 'quote', time: time as EpochMs, bid: bidPrice, ask: askPrice, bidSize, askSize, crossed });
  }

  trade(time: number, price: number, size: number, side: Side | null, id: number | null): void {
    if (!this.#hasValidTime(time)) return;
    const checked = this.#price(price);
    if (!(checked > 0)) {
      this.#badPrice(checked, 1);
      return;
    }
    if (!(size >= 0 && size < Number.POSITIVE_INFINITY)) {
      this.skip('bad_size');
      return;
    }
    this.#report.trades++;
    this.#count(time, 0);
    if (id !== null) this.#report.addTradeId(id);
    this.#rows.push({ kind: 'trade', time: time as EpochMs, price: checked, size, side, id });
  }

  bar(time: number, timeframe: Timeframe, basis: BarBasis, draft: BarDraft): void {
    if (!this.#hasValidTime(time)) return;
    const length = TIMEFRAME_MS[timeframe];
    if (time % length !== 0) {
      this.skip('unaligned_bar');
      return;
    }
    const own = this.#prices(draft);
    const ask = draft.ask && this.#prices(draft.ask);
    if (!own || (draft.ask && !ask)) return;
    const { volume, bidVolume, askVolume } = draft;
    if (!(volume >= 0 && volume < Number.POSITIVE_INFINITY && bidVolume >= 0 && askVolume >= 0)) {
      this.skip('bad_size');
      return;
    }
    this.#report.bars++;
    this.#count(time, length);
    this.#rows.push({
      kind: 'bar',
      time: asEpochMs(time),
      timeframe,
      ...own,
      volume,
      bidVolume: roundSize(bidVolume),
      askVolume: roundSize(askVolume),
      basis,
      ask,
    });
  }

  /** Removes and returns the rows since the last call. */
  take(): ImportRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  #count(time: number, length: number): void {
    if (this.#rounded) this.#report.rounded++;
    this.#rounded = false;
    this.#report.addRow(time, length);
  }

  #hasValidTime(time: number): boolean {
    if (!(time >= 0)) this.skip('bad_time');
    else if (time > this.#notAfter) this.skip('future_time');
    else return true;
    return false;
  }

  /** The price in whole ticks of the instrument. NaN or a value up to 0 is invalid; TOO_FINE has too many digits. */
  #price(price: number): number {
    const value = this.#points === 0 ? price : Math.round(price) / this.#points;
    const scaled = value * this.#scale;
    const ticks = Math.round(scaled);
    const deviation = scaled > ticks ? scaled - ticks : ticks - scaled;
    // Above 2^53 ticks every float is an integer, and none is a real price.
    if (!(ticks > 0 && ticks <= Number.MAX_SAFE_INTEGER)) return value > 0 && scaled < 1 ? TOO_FINE : Number.NaN;
    if (deviation <= FLOAT_TOLERANCE) return ticks / this.#scale;
    if (!this.#round) return TOO_FINE;
    this.#rounded = true;
    return ticks / this.#scale;
  }

  #badPrice(first: number, second: number): void {
    this.#rounded = false;
    this.skip(first === TOO_FINE || second === TOO_FINE ? 'finer_than_digits' : 'bad_price');
  }

  #prices(from: OhlcPrices): OhlcPrices | null {
    const open = this.#price(from.open);
    const high = this.#price(from.high);
    const low = this.#price(from.low);
    const close = this.#price(from.close);
    if (!(open > 0 && high > 0 && low > 0 && close > 0)) {
      this.#badPrice(Math.min(open, high), Math.min(low, close));
      return null;
    }
    if (high < open || high < close || low > open || low > close) {
      this.#rounded = false;
      this.skip('impossible_bar');
      return null;
    }
    return { open, high, low, close };
  }
}

const TOO_FINE = -1;
