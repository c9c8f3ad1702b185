// What a format is: a way to recognise a file, and a reader of its rows. One file here per format, none knows another.
import type { Timeframe } from '@tickwire/contract';
import type { BarBasis, EpochMs } from '@tickwire/engine';
import { LineSplitter, type LineTaker } from '../lines.ts';
import type { RowSink } from '../row-sink.ts';
import type { Sample } from '../sample.ts';

export type FormatName =
  | 'dukascopy-csv'
  | 'dukascopy-json'
  | 'dukascopy-bi5'
  | 'histdata'
  | 'binance-csv'
  | 'binance-recording'
  | 'metatrader'
  | 'lean'
  | 'csv'
  | 'ndjson';

/** What the person who imports says about the files. */
export interface FormatOptions {
  /** The symbol as the file spells it. */
  readonly symbol: string;
  /** Decimals of the instrument's prices. */
  readonly digits: number;
  readonly pointDigits?: number | undefined;
  /** Zone of wall clocks in files that do not say it. */
  readonly timezone?: string | undefined;
  /** Length of the bars, where neither the rows nor the file's name tell. */
  readonly timeframe?: Timeframe | undefined;
  /** Begin of a file whose times count from there. */
  readonly start?: EpochMs | undefined;
  /** What bars of a CSV that does not say are made of. */
  readonly basis?: BarBasis | undefined;
  /** Column names of a file without a header, separated by commas. */
  readonly columns?: string | undefined;
}

export interface FormatContext {
  readonly sample: Sample;
  readonly options: FormatOptions;
  readonly sink: RowSink;
}

/** Takes a file's bytes, cut anywhere, and puts its rows into the sink. */
export interface RowReader {
  chunk(bytes: Uint8Array): void;
  end(): void;
}

export interface Format {
  readonly name: FormatName;
  /** What to call it to a person. */
  readonly title: string;
  /** 0: not this format. 1: nothing else looks so. */
  detect(sample: Sample): number;
  rows(context: FormatContext): RowReader;
}

/** A reader of rows that stand one to a line. */
export class LineReader implements RowReader, LineTaker {
  readonly #sink: RowSink;
  readonly #row: (bytes: Uint8Array, start: number, end: number) => void;
  readonly #splitter = new LineSplitter(this);
  readonly #header: number;

  /** The first `header` lines are not rows. */
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
    this.#sink.at(bytes, start, end, number);
    this.#row(bytes, start, end);
  }

  tooLong(number: number): void {
    this.#sink.at(new Uint8Array(0), 0, 0, number);
    this.#sink.skip('line_too_long');
  }
}
