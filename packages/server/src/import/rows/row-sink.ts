// Receives the rows of every format: checks them against the instrument, counts them and collects them into batches. An
// invalid row skips only its own line.

import {
  asEpochMs,
  type Bar,
  type BarAlign,
  type BarBasis,
  type BarInterval,
  type EpochMs,
  intervalMs,
  roundSize,
  type Side,
  type SideMethod,
} from '@tickwire/engine';
import { latin1Text } from '../files/bytes.ts';
import { type ImportReport, isFault, type SkipReason } from '../import-report.ts';
import { type FileFindings, NO_FINDINGS } from '../survey/file-findings.ts';
import type { LastLines } from '../survey/repeated-times.ts';
import type { RowSurvey } from '../survey/row-survey.ts';
import { barStart } from './bar-interval.ts';
import type { ImportRow } from './import-row.ts';
import type { TimeSurvey } from './timestamp.ts';

const EXCERPT_BYTES = 100;
/** Rounding error of a float price, in ticks. A larger deviation means that the price has too many digits. */
const FLOAT_TOLERANCE = 1e-3;

/** Float noise of a price that lies in the middle between two ticks. */
const HALF_TOLERANCE = 1e-6;

export interface SinkOptions {
  /** Decimals of the instrument's prices. */
  readonly digits: number;
  /** Prices in the file are integers in points of 10^-pointDigits. */
  readonly pointDigits?: number | undefined;
  /** What the times of bars are. Default: their starts. */
  readonly barTime?: 'start' | 'end' | undefined;
  /** What to do with a tick's price that has more digits than the instrument. Prices of bars are always rounded. */
  readonly finer: 'skip' | 'round';
  readonly notAfter: EpochMs;
  readonly findings?: FileFindings;
  /** Set while the file is only surveyed: rows are counted, but not collected. */
  readonly survey?: RowSurvey | null;
}

/** Unchecked values of a bar. */
export type BarDraft = Pick<Bar, 'open' | 'high' | 'low' | 'close' | 'volume'> &
  Partial<Pick<Bar, 'bidVolume' | 'askVolume'>>;

export class RowSink {
  #rows: ImportRow[] = [];
  readonly #report: ImportReport;
  readonly #scale: number;
  readonly #points: number;
  readonly #round: boolean;
  readonly #hasEndTimes: boolean;
  readonly #notAfter: number;
  readonly #file: string;
  readonly #align: BarAlign;
  readonly #repeated: LastLines | null;
  readonly #survey: RowSurvey | null;
  /** What is known of the file's times. */
  readonly times: TimeSurvey;
  #rounded = false;
  /** Time of the row that is being checked, or of the last one. */
  #time = 0;
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
    this.#hasEndTimes = options.barTime === 'end';
    this.#notAfter = options.notAfter;
    const findings = options.findings ?? NO_FINDINGS;
    this.#align = findings.align ?? 'utc';
    this.#repeated = findings.repeated;
    this.#survey = options.survey ?? null;
    this.times = this.#survey ?? { dateOrder: findings.dateOrder, dateEvidence: null, zone: null };
  }

  /** Sets the line or record of the next rows. */
  setLine(bytes: Uint8Array, start: number, end: number, line: number): void {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.#line = line;
  }

  skip(reason: SkipReason): void {
    // A row without a valid time is near the last one.
    if (!this.#survey && isFault(reason)) this.#report.addSkippedTime(this.#time);
    this.#report.skip(reason, () => ({
      file: this.#file,
      line: this.#line,
      text: latin1Text(this.#bytes, this.#start, Math.min(this.#end, this.#start + EXCERPT_BYTES)),
    }));
  }

  /** The file has a column with values that are not imported. */
  leaveOut(column: string): void {
    this.#report.leftOut.add(column);
  }

  /** The file states how many decimals its prices have. */
  stateDigits(digits: number): void {
    this.#report.stateDigits(digits);
  }

  /** A symbol column has this symbol. */
  foundSymbol(symbol: string): void {
    this.#survey?.symbols.add(symbol);
  }

  quote(time: number, bid: number, ask: number, bidSize: number, askSize: number): void {
    if (!this.#hasValidTime(time)) return;
    const bidPrice = this.#price(bid, this.#round);
    const askPrice = this.#price(ask, this.#round);
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
    if (this.#survey) this.#report.addPrices(bidPrice, askPrice);
    if (this.#count(time, 0)) return;
    this.#rows.push({ kind: 'quote', time: time as EpochMs, bid: bidPrice, ask: askPrice, bidSize, askSize, crossed });
  }

  trade(
    time: number,
    price: number,
    size: number,
    side: Side | null,
    id: number | null,
    sideMethod: SideMethod | null = null,
  ): void {
    if (!this.#hasValidTime(time)) return;
    const checked = this.#price(price, this.#round);
    if (!(checked > 0)) {
      this.#badPrice(checked, 1);
      return;
    }
    if (!(size >= 0 && size < Number.POSITIVE_INFINITY)) {
      this.skip('bad_size');
      return;
    }
    this.#report.trades++;
    if (this.#survey) this.#report.addPrices(checked, checked);
    if (this.#count(time, 0)) return;
    if (id !== null) this.#report.addTradeId(id);
    const trade = { kind: 'trade', time: time as EpochMs, price: checked, size, side, id } as const;
    this.#rows.push(sideMethod === null ? trade : { ...trade, sideMethod });
  }

  /** `stated` is the time of the bar in the file: its start, unless --bar-time is `end`. */
  bar(stated: number, timeframe: BarInterval, basis: BarBasis, draft: BarDraft): void {
    const length = intervalMs(timeframe);
    const time = this.#hasEndTimes ? stated - length : stated;
    if (!this.#hasValidTime(time)) return;
    this.#survey?.bar(time, timeframe, this.#line);
    const start = barStart(timeframe, this.#align, time);
    if (Number.isNaN(start)) {
      this.skip('unaligned_bar');
      return;
    }
    const values = this.#values(draft);
    if (!values) return;
    if (this.#survey) {
      this.#survey.repeated.add(start, length, values, this.#line);
      this.#report.addPrices(values.low, values.high);
    } else if (this.#repeated && (this.#repeated.get(start) ?? this.#line) !== this.#line) {
      this.#report.duplicates++;
      return;
    }
    this.#report.bars++;
    if (this.#count(start, length, true)) return;
    this.#rows.push({
      kind: 'bar',
      time: asEpochMs(start),
      timeframe,
      ...(this.#align !== 'utc' && { align: this.#align }),
      ...values,
      basis,
    });
  }

  /** Whether a bar is possible, wherever it starts. If not, its line is skipped. */
  isPossible(time: number, draft: BarDraft): boolean {
    const isPossible = this.#hasValidTime(time) && this.#values(draft) !== null;
    this.#rounded = false;
    return isPossible;
  }

  /** A bar without trades that only repeats the last price. It is left out, but shows the length of the bars. */
  flatBar(time: number, timeframe: BarInterval): void {
    const start = this.#hasEndTimes ? time - intervalMs(timeframe) : time;
    if (start >= 0) this.#survey?.barTime(start, timeframe, this.#line);
    this.skip('flat_bar');
  }

  /** Removes and returns the rows since the last call. */
  take(): ImportRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /** Counts a row; returns whether it is only surveyed. */
  #count(time: number, length: number, isBar = false): boolean {
    if (this.#rounded) this.#report.rounded++;
    this.#rounded = false;
    this.#report.endRun();
    if (!this.#survey) {
      this.#report.addRow(time, length);
      return false;
    }
    // The survey has seen a bar before its prices were checked.
    if (!isBar) this.#survey.row(time, 0);
    return true;
  }

  #hasValidTime(time: number): boolean {
    if (!(time >= 0)) this.skip('bad_time');
    else if (time > this.#notAfter) this.skip('future_time');
    else {
      this.#time = time;
      return true;
    }
    return false;
  }

  /** The price in whole ticks of the instrument. NaN or a value up to 0 is invalid; TOO_FINE has too many digits, NOT_POINTS a fraction. */
  #price(price: number, rounds: boolean): number {
    let value = price;
    if (this.#points !== 0) {
      const points = Math.round(price);
      if (Math.abs(price - points) > FLOAT_TOLERANCE) return NOT_POINTS;
      value = points / this.#points;
    }
    const scaled = value * this.#scale;
    const ticks = Math.round(scaled);
    const deviation = scaled > ticks ? scaled - ticks : ticks - scaled;
    // Above 2^53 ticks every float is an integer, and none is a real price.
    if (!(ticks > 0 && ticks <= Number.MAX_SAFE_INTEGER)) return value > 0 && scaled < 1 ? TOO_FINE : Number.NaN;
    if (deviation <= FLOAT_TOLERANCE) return ticks / this.#scale;
    if (!rounds) return TOO_FINE;
    this.#rounded = true;
    return halfEven(scaled, ticks) / this.#scale;
  }

  #badPrice(first: number, second: number): void {
    this.#rounded = false;
    const worst = Math.min(first, second);
    this.skip(worst === NOT_POINTS ? 'not_points' : worst === TOO_FINE ? 'finer_than_digits' : 'bad_price');
  }

  #values(draft: BarDraft): Omit<Bar, 'time' | 'basis'> | null {
    const open = this.#price(draft.open, true);
    const high = this.#price(draft.high, true);
    const low = this.#price(draft.low, true);
    const close = this.#price(draft.close, true);
    if (!(open > 0 && high > 0 && low > 0 && close > 0)) {
      this.#badPrice(Math.min(open, high), Math.min(low, close));
      return null;
    }
    if (high < open || high < close || low > open || low > close) {
      this.#rounded = false;
      this.skip('impossible_bar');
      return null;
    }
    const { volume, bidVolume = 0, askVolume = 0 } = draft;
    if (!(volume >= 0 && volume < Number.POSITIVE_INFINITY && bidVolume >= 0 && askVolume >= 0)) {
      this.skip('bad_size');
      return null;
    }
    return { open, high, low, close, volume, bidVolume: roundSize(bidVolume), askVolume: roundSize(askVolume) };
  }
}

const TOO_FINE = -1;
const NOT_POINTS = -2;

/** A half is rounded to the even neighbour, so that rounding many prices has no direction. Allows for float noise. */
function halfEven(value: number, rounded: number): number {
  const isHalf = Math.abs(Math.abs(value - rounded) - 0.5) < HALF_TOLERANCE;
  return isHalf && rounded % 2 !== 0 ? (rounded > value ? rounded - 1 : rounded + 1) : rounded;
}
