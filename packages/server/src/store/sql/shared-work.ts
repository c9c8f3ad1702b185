// Work on a database that is written once for SQLite and PostgreSQL. SQLite must finish a transaction without giving way to
// other work of the process, PostgreSQL responds later: so the work is a generator that yields statements and is handed their
// results. sqlite/run-work.ts and postgres/run-work.ts run it.
//
// Statements use $1, $2 … A statement with records runs for all of them: SQLite runs it once per record, PostgreSQL once for
// all. `FROM {records}` and `, {records}` stand for the table `r` of the records, and `FROM {each} (SELECT …)` for a subquery per
// record. `{locked}` and `{free}` lock the rows of `q` where the database has row locks: waiting for others, or
// leaving out what others hold.
import type { ColumnKind } from './tables/table.ts';

export type SqlValue = string | number | Uint8Array | null;
export type RecordColumns<Column extends string> = Readonly<Record<Column, ColumnKind>>;
export type SqlRecord<Column extends string> = Readonly<Record<Column, SqlValue>>;

export interface SqlStatement {
  readonly text: string;
  readonly values: readonly SqlValue[];
  readonly columns?: RecordColumns<string>;
  readonly records?: readonly SqlRecord<string>[];
  /** Columns that identify a row: of records with the same key, only the last one counts. Default: all count. */
  readonly key?: readonly string[];
  /** Its result is the number of changed rows. Default: its rows. */
  readonly counted?: boolean;
  /** Whether it may take minutes. Default: seconds. */
  readonly long?: boolean;
}

/** Yields statements and gets their rows, or numbers of changed rows. */
export type SharedWork<T> = Generator<SqlStatement, T, unknown>;

export interface WorkRunner {
  readonly database: 'sqlite' | 'postgres';
  /** Statements that only read. */
  read<T>(work: () => SharedWork<T>): Promise<T>;
  /** The same; all statements see one state. */
  snapshot<T>(work: () => SharedWork<T>): Promise<T>;
  /** A transaction that any process may run. On SQLite it survives the death of the process, but not always a power cut. */
  share<T>(work: () => SharedWork<T>): Promise<T>;
  /** A transaction that only the writer of the realm may run. */
  write<T>(work: () => SharedWork<T>): Promise<T>;
}

export function* rows<R>(text: string, ...values: readonly SqlValue[]): SharedWork<R[]> {
  return (yield { text, values }) as R[];
}

export function* run(text: string, ...values: readonly SqlValue[]): SharedWork<void> {
  yield { text, values, counted: true };
}

/** As `run`; returns the number of changed rows. */
export function* change(text: string, ...values: readonly SqlValue[]): SharedWork<number> {
  return (yield { text, values, counted: true }) as number;
}

/** Runs a statement for records; returns the rows of all of them. */
export function* rowsFor<R, Column extends string>(
  text: string,
  columns: RecordColumns<Column>,
  records: readonly SqlRecord<Column>[],
  ...values: readonly SqlValue[]
): SharedWork<R[]> {
  if (records.length === 0) return [];
  return (yield { text, values, columns, records }) as R[];
}

/** Runs a statement for records; returns the number of changed rows. */
export function* runFor<Column extends string>(
  text: string,
  columns: RecordColumns<Column>,
  records: readonly SqlRecord<Column>[],
): SharedWork<number> {
  if (records.length === 0) return 0;
  return (yield { text, values: [], columns, records, counted: true }) as number;
}

/** Gives the statements of `work` minutes instead of seconds. */
export function* long<T>(work: SharedWork<T>): SharedWork<T> {
  let step = work.next();
  while (!step.done) step = work.next(yield { ...step.value, long: true });
  return step.value;
}
