// A layout decides into which files bars or ticks go, how these are named, and what is in them.
import type { Bar, InstrumentSpec } from '@tickwire/engine';
import type { Chart } from '../../history/chart-reader.ts';
import type { QuoteTick, TickKind, TradeTick } from '../../history/tick-stream.ts';

/** What is exported: bars of one chart, or ticks of one kind. */
export type Dataset =
  | { readonly kind: 'bars'; readonly instrument: InstrumentSpec; readonly chart: Chart; readonly interval: string }
  | { readonly kind: TickKind; readonly instrument: InstrumentSpec };

/** The rows of a dataset. */
export type Row = Bar | QuoteTick | TradeTick;
export const rowTime = (row: Row): number => ('event' in row ? row.event.time : row.time);
export type Batches<R extends Row = Row> = AsyncIterable<readonly R[]>;

export interface OutputFile<R extends Row = Row> {
  /** Relative to the folder of the export, with slashes. */
  readonly path: string;
  /** Start times of its rows: from inclusive, to exclusive. */
  readonly from: number;
  readonly to: number;
  /** Which rows of the period are in it; default all. Another file has the others. */
  readonly accepts?: (row: R) => boolean;
  readonly encode: (rows: Batches<R>) => AsyncIterable<Uint8Array>;
}

export interface Layout {
  /** Files for a range, in the order of time; those of one period follow each other. `to` is exclusive. */
  files(from: number, to: number): Iterable<OutputFile>;
  /** What the layout has no place for, to be told once; empty if it has everything. */
  readonly omits: readonly string[];
}
