// A table of the store, defined once. Both databases create it from its definition (sqlite/schema.ts, postgres/schema.ts);
// statements, exports and types get their columns from it.
//
// A column is its kind, with a ? if it may be null, and what SQL adds to it: 'int? REFERENCES accounts (id)'.

export type ColumnKind = 'int' | 'float' | 'text' | 'bytes';
type ColumnText = `${ColumnKind}${'' | '?'}${'' | ` ${string}`}`;

export interface Table<Columns extends string = string> {
  readonly name: string;
  /** Columns of the primary key. */
  readonly key: readonly Columns[];
  readonly columns: Readonly<Record<Columns, ColumnText>>;
  /**
   * The key is a number that the database assigns. `never again`: also SQLite never assigns the number of a deleted row again.
   * Default: it is not.
   */
  readonly counted?: true | 'never again';
  /** The rows are large: SQLite keeps them out of the tree of the key. Default: small. */
  readonly large?: true;
  /** Constraints and generated columns. */
  readonly more?: readonly string[];
  /** Indexes by the ends of their names. */
  readonly indexes?: Readonly<Record<string, string | Index>>;
  /** The column whose ranges are partitions on PostgreSQL. Default: there are none. */
  readonly partitioned?: Columns;
  /** Bookkeeping of one database, which is not exported. Default: it is. */
  readonly local?: true;
}

export interface Index {
  readonly on: string;
  readonly where?: string;
  readonly unique?: true;
  /** Rows are read from it in the order of the key. In SQLite, an index of a table with a number as key always ends in it. */
  readonly inOrder?: true;
}

export const table = <
  const Columns extends Readonly<Record<string, ColumnText>>,
  const Rest extends Omit<Table<keyof Columns & string>, 'name' | 'key' | 'columns'>,
>(
  name: string,
  key: readonly (keyof Columns & string)[],
  columns: Columns,
  rest?: Rest,
) => ({ name, key, columns, ...rest }) satisfies Table;
