// Work on a database that is written once for SQLite and PostgreSQL. SQLite must finish a transaction without giving way to
// other work of the process, PostgreSQL answers later: so the work is a generator that yields statements and is handed their
// rows. sqlite/run-work.ts and postgres/run-work.ts run it.
//
// Statements use $1, $2 … in this order. A statement with records runs for all of them: `{records}` stands for the table `r` of
// the records, whose columns must not be named like those of other tables in the statement. `{locked}` and `{free}` lock the
// rows of `q` where the database has row locks: waiting for others, or leaving out what others hold.

export type SqlValue = string | number | null;
export type RecordColumn = 'text' | 'bigint' | 'float8';

export interface SqlStatement {
  readonly text: string;
  readonly values: readonly SqlValue[];
  readonly columns?: Readonly<Record<string, RecordColumn>>;
  readonly records?: readonly Readonly<Record<string, SqlValue>>[];
}

/** Yields statements and gets their rows. */
export type SharedWork<T> = Generator<SqlStatement, T, readonly unknown[]>;

export interface WorkRunner {
  readonly database: 'sqlite' | 'postgres';
  /** Statements that only read. */
  read<T>(work: () => SharedWork<T>): Promise<T>;
  /** A transaction that any process may run. On SQLite it survives the death of the process, but not always a power cut. */
  share<T>(work: () => SharedWork<T>): Promise<T>;
  /** A transaction that only the writer of the realm may run. */
  write<T>(work: () => SharedWork<T>): Promise<T>;
}

export function* rows<R>(text: string, ...values: readonly SqlValue[]): SharedWork<readonly R[]> {
  return (yield { text, values }) as readonly R[];
}

export function* run(text: string, ...values: readonly SqlValue[]): SharedWork<void> {
  yield { text, values };
}

/** Runs a statement for records; returns the rows of all of them. */
export function* forRecords<R, Column extends string>(
  text: string,
  columns: Readonly<Record<Column, RecordColumn>>,
  records: readonly Readonly<Record<Column, SqlValue>>[],
): SharedWork<readonly R[]> {
  if (records.length === 0) return [];
  return (yield { text, values: [], columns, records }) as readonly R[];
}
