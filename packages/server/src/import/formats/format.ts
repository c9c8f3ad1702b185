// A format detects its files and reads their rows. One file per format; formats do not depend on each other.
import type { BarBasis, EpochMs } from '@tickwire/engine';
import { type LineHandler, LineSplitter } from '../../ops/line-splitter.ts';
import { type BarInterval, UNKNOWN_INTERVAL } from '../bar-interval.ts';
import type { DateOrder } from '../date-time.ts';
import type { FileFindings } from '../file-findings.ts';
import type { FileSample } from '../file-sample.ts';
import type { RowSink } from '../row-sink.ts';

/** The longest real line is a snapshot of an order book: about 400 KB. */
const MAX_LINE_BYTES = 4 << 20;

export type FormatName =
  | 'dukascopy-csv'
  | 'dukascopy-json'
  | 'dukascopy-bi5'
  | 'histdata'
  | 'binance-csv'
  | 'binance-recording'
  | 'metatrader'
  | 'hst'
  | 'lean'
  | 'kraken'
  | 'ccxt'
  | 'tradingview'
  | 'cryptodatadownload'
  | 'parquet'
  | 'csv'
  | 'ndjson';

/** Options of the user about the files. */
export interface FormatOptions {
  /** The symbol as the file spells it. */
  readonly symbol: string;
  /** Decimals of the instrument's prices. */
  readonly digits: number;
  readonly pointDigits?: number | undefined;
  /** Time zone of local times, if the file does not state it. */
  readonly timezone?: string | undefined;
  /** Length of the bars, if neither the rows nor the file's name show it. */
  readonly timeframe?: BarInterval | undefined;
  /** Order of day and month in dates such as 02/04/2019. */
  readonly dateOrder?: DateOrder | undefined;
  /** What a comma in a number means; default: found out. */
  readonly decimal?: 'comma' | 'point' | undefined;
  /** Start of a file with relative times. */
  readonly start?: EpochMs | undefined;
  /** What the bars of a CSV are made of. */
  readonly basis?: BarBasis | undefined;
  /** Comma-separated column names of a file without a header. */
  readonly columns?: string | undefined;
}

export interface FormatContext {
  readonly sample: FileSample;
  readonly options: FormatOptions;
  readonly sink: RowSink;
  /** What is known of the file from reading it before. */
  readonly findings: FileFindings;
}

/** The length of a file's bars: found by the survey of the whole file, given, or not known yet. */
export const timeframeOf = ({ options, findings }: FormatContext): BarInterval =>
  findings.interval ?? options.timeframe ?? UNKNOWN_INTERVAL;

/** Takes the bytes of a file in chunks of any size and passes its rows to the sink. */
export interface RowReader {
  chunk(bytes: Uint8Array): void;
  end(): void;
}

export interface Format {
  readonly name: FormatName;
  /** Name shown to users. */
  readonly title: string;
  /** Confidence from 0 (not this format) to 1 (certainly this format). */
  detect(sample: FileSample): number;
  rows(context: FormatContext): RowReader;
}

/** Reads a format with one row per line. */
export class LineReader implements RowReader, LineHandler {
  readonly #sink: RowSink;
  readonly #row: (bytes: Uint8Array, start: number, end: number) => void;
  readonly #splitter = new LineSplitter(this, MAX_LINE_BYTES);
  readonly #header: number;

  /** `header`: number of lines before the first row. */
  constructor(sink: RowSink, header: number, row: (bytes: Uint8Array, start: number, end: number) => void) {
    this.#sink = sink;
    this.#header = header;
    this.#row = row;
  }

  chunk(bytes: Uint8Array): void {
    this.#splitter.chunk(bytes);
  }

  end(): void {
    this.#splitter.end();
  }

  line(bytes: Uint8Array, start: number, end: number, number: number): void {
    if (number <= this.#header) return;
    this.#sink.setLine(bytes, start, end, number);
    this.#row(bytes, start, end);
  }

  tooLong(number: number): void {
    this.#sink.setLine(new Uint8Array(0), 0, 0, number);
    this.#sink.skip('line_too_long');
  }
}
