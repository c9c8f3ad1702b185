// The columns of an exported file and its format. Rows are read in batches (history/bar-stream.ts, history/tick-stream.ts) and
// written by write-table.ts; every format has equal values.

export const FILE_FORMATS = ['ndjson', 'csv', 'parquet'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export const CONTENT_TYPES: Readonly<Record<FileFormat, string>> = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
};

export type ColumnType =
  /** Epoch milliseconds. An ISO 8601 time in text formats, a timestamp in UTC in Parquet. */
  | 'time'
  /** A finite number. */
  | 'number'
  /** An integer. */
  | 'integer'
  | 'text';

/** What a cell of each type is in memory. */
interface Cells {
  readonly time: number;
  readonly number: number;
  readonly integer: number;
  readonly text: string;
}

export type Column<Row> = {
  readonly [T in ColumnType]: {
    readonly name: string;
    readonly type: T;
    /** Whether some cells may be `null`: unknown. */
    readonly nullable: boolean;
    readonly cell: (row: Row) => Cells[T] | null;
  };
}[ColumnType];

/** A row of one of several instruments. */
export interface SymbolRow<Row> {
  readonly symbol: string;
  readonly row: Row;
}

/** The same columns after one with the symbol. */
export const withSymbol = <Row>(columns: readonly Column<Row>[]): Column<SymbolRow<Row>>[] => [
  { name: 'symbol', type: 'text', nullable: false, cell: ({ symbol }) => symbol },
  ...columns.map((column) => {
    const cell = column.cell as (row: Row) => never;
    return { ...column, cell: ({ row }: SymbolRow<Row>) => cell(row) };
  }),
];

/** Entries of a file's metadata, such as its symbol and its gaps. Only Parquet files have room for them. */
export type FileMetadata = Readonly<Record<string, string>>;

export interface TableSource<Row> {
  readonly columns: readonly Column<Row>[];
  /** Rows in the order of the file. Batches may have any size, also none. */
  readonly batches: AsyncIterable<readonly Row[]>;
  /** Called once, after the last row. */
  readonly metadata: () => FileMetadata | Promise<FileMetadata>;
}
