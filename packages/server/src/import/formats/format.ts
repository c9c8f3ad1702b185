// A format detects its files and reads their rows. One file per format; formats do not depend on each other.

import type { BarBasis, BarInterval, EpochMs } from '@tickwire/engine';
import type { FileSample } from '../files/file-sample.ts';
import { UNKNOWN_INTERVAL } from '../rows/bar-interval.ts';
import type { DateOrder } from '../rows/date-time.ts';
import type { RowReader } from '../rows/line-reader.ts';
import type { RowSink } from '../rows/row-sink.ts';
import type { FileFindings } from '../survey/file-findings.ts';

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
  /** What the time of a bar is. Default: its start. */
  readonly barTime?: 'start' | 'end' | undefined;
  /** Comma-separated column names of a file without a header. */
  readonly columns?: string | undefined;
  /** Names of columns that are not read on purpose. */
  readonly ignoredColumns?: readonly string[] | undefined;
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

export interface Format {
  readonly name: FormatName;
  /** Name shown to users. */
  readonly title: string;
  /** Its files never start with a line of names. */
  readonly isHeaderless?: true;
  /** Confidence from 0 (not this format) to 1 (certainly this format). */
  detect(sample: FileSample): number;
  rows(context: FormatContext): RowReader;
}
