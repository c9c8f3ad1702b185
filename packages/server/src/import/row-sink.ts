// Where every format puts its rows: checks them against the instrument, counts, and gathers them into batches. A fault
// costs the line it stands on and nothing else.
import { TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import { asEpochMs, type BarBasis, type EpochMs, roundSize, type Side } from '@tickwire/engine';
import { textOf } from './decimal.ts';
import type { ImportReport, SkipReason } from './report.ts';
import type { Prices, Row } from './row.ts';

const EXCERPT_BYTES = 100;
/** How far from a whole tick float noise may put a price, in ticks. Half a tick is the other way to be wrong. */
const NOISE = 1e-3;

export interface SinkOptions {
  /** Decimals of the instrument's prices. */
  readonly digits: number;
  /** Prices in the file are whole points of 10^-pointDigits, not prices. */
  readonly pointDigits?: number | undefined;
  /** What to do with a price finer than the instrument's digits. */
  readonly finer: 'skip' | 'round';
  readonly notAfter: EpochMs;
}

/** Bars carry more than a call should: filled anew for each one. */
export interface BarDraft extends Prices {
  readonly volume: number;
  readonly bidVolume: number;
  readonly askVolume: number;
  readonly ask: Prices | null;
}

export class RowSink {
  #rows: Row[] = [];
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

  /** The line or record that the next rows come from. */
  at(bytes: Uint8Array, start: number, end: number, line: number): void {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.#line = line;
  }

  skip(reason: SkipReason): void {
    this.#report.skip(reason, () => ({
      file: this.#file,
      line: this.#line,
      text: textOf(this.#bytes, this.#start, Math.min(this.#end, this.#start + EXCERPT_BYTES)),
    }));
  }

  quote(time: number, bid: number, ask: number, bidSize: number, askSize: number): void {
    if (!this.#timely(time)) return;
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
    this.#taken(time, 0);
    this.#rows.push({ kind: 'quote', time: time as EpochMs, bid: bidPrice, ask: askPrice, bidSize, askSize, crossed });
  }

  trade(time: number, price: number, size: number, side: Side | null, id: number | null): void {
    if (!this.#timely(time)) return;
    const paid = this.#price(price);
    if (!(paid > 0)) {
      this.#badPrice(paid, 1);
      return;
    }
    if (!(size >= 0 && size < Number.POSITIVE_INFINITY)) {
      this.skip('bad_size');
      return;
    }
    this.#report.trades++;
    this.#taken(time, 0);
    if (id !== null) this.#report.numbered(id);
    this.#rows.push({ kind: 'trade', time: time as EpochMs, price: paid, size, side, id });
  }

  bar(time: number, timeframe: Timeframe, basis: BarBasis, draft: BarDraft): void {
    if (!this.#timely(time)) return;
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
    this.#taken(time, length);
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

  /** What has gathered since the last call. */
  take(): Row[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  #taken(time: number, length: number): void {
    if (this.#rounded) this.#report.rounded++;
    this.#rounded = false;
    this.#report.taken(time, length);
  }

  #timely(time: number): boolean {
    if (!(time >= 0)) this.skip('bad_time');
    else if (time > this.#notAfter) this.skip('future_time');
    else return true;
    return false;
  }

  /** The price on the instrument's grid: float noise goes; NaN is no price, 0 and below are as bad; -1 is too fine. */
  #price(price: number): number {
    const given = this.#points === 0 ? price : Math.round(price) / this.#points;
    const scaled = given * this.#scale;
    const ticks = Math.round(scaled);
    const off = scaled > ticks ? scaled - ticks : ticks - scaled;
    // Above 2^53 ticks every float is whole, and none of them is a price.
    if (!(ticks > 0 && ticks <= Number.MAX_SAFE_INTEGER)) return given > 0 && scaled < 1 ? TOO_FINE : Number.NaN;
    if (off <= NOISE) return ticks / this.#scale;
    if (!this.#round) return TOO_FINE;
    this.#rounded = true;
    return ticks / this.#scale;
  }

  #badPrice(first: number, second: number): void {
    this.#rounded = false;
    this.skip(first === TOO_FINE || second === TOO_FINE ? 'finer_than_digits' : 'bad_price');
  }

  #prices(from: Prices): Prices | null {
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
