// The two ends of a move: a store that is read as of one moment, and an empty one that is filled, all of it or nothing.
import type { Part, TableShape } from './shapes.ts';

export type Cell = string | number | Uint8Array | null;
export type Row = readonly Cell[];

export interface Source {
  /** Where it is, as it may be shown. */
  readonly name: string;
  readonly parts: readonly Part[];
  count(part: Part, table: TableShape): Promise<number>;
  /** Columns in the order of the shape, rows in the order of its key, some at a time. */
  rows(part: Part, table: TableShape): AsyncIterable<readonly Row[]>;
}

export interface Target {
  readonly name: string;
  put(part: Part, table: TableShape, rows: readonly Row[]): Promise<void>;
  count(part: Part, table: TableShape): Promise<number>;
}
