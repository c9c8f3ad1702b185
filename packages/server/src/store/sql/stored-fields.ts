// Maps the fields of a record to the columns of its table: what to select, and how to insert.
import { type RecordColumns, runFor, type SharedWork, type SqlRecord } from './shared-work.ts';
import { kindsOf, quoted } from './tables/create-tables.ts';
import type { ColumnKind, Table } from './tables/table.ts';

type Camel<Text extends string> = Text extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<Camel<Rest>>}`
  : Text;

export interface StoredFields<Field extends string> {
  /** Columns named like the fields. */
  readonly select: string;
  /** `INSERT … SELECT … FROM {records}`; ends with `WHERE true`, so that ON CONFLICT can follow. */
  readonly insert: string;
  /** As `insert`, replacing the row with the same key. */
  readonly upsert: string;
  readonly columns: RecordColumns<Field>;
  /** Fields that identify a row. */
  readonly key: readonly Field[];
}

/** Columns are the fields in snake case. Default: all columns of the table. */
export function storedFields<Column extends string, Stored extends Column = Column>(
  table: Table<Column>,
  names: readonly Stored[] = Object.keys(table.columns) as Stored[],
): StoredFields<Camel<Stored>> {
  const kinds = kindsOf(table);
  const columns = Object.fromEntries(names.map((name) => [camel(name), kinds[name]])) as Record<
    Camel<Stored>,
    ColumnKind
  >;
  const values = Object.keys(columns).map((field) => `r."${field}"`);
  const insert = `INSERT INTO ${table.name} (${quoted(names)}) SELECT ${values.join(', ')} FROM {records} WHERE true`;
  const replaced = names.filter((name) => !table.key.includes(name)).map((name) => `"${name}" = excluded."${name}"`);
  return {
    select: names.map((name) => `"${name}" AS "${camel(name)}"`).join(', '),
    insert,
    upsert: `${insert} ON CONFLICT (${quoted(table.key)}) DO UPDATE SET ${replaced.join(', ')}`,
    columns,
    key: table.key.map(camel) as Camel<Stored>[],
  };
}

/** All columns of a table but some. */
export const columnsWithout = <Column extends string, Left extends Column>(
  { columns }: Table<Column>,
  ...left: readonly Left[]
): Exclude<Column, Left>[] =>
  (Object.keys(columns) as Column[]).filter((name): name is Exclude<Column, Left> => !left.includes(name as Left));

/** Inserts records, whose keys must be new. */
export function* insert<Field extends string>(
  fields: StoredFields<Field>,
  records: readonly SqlRecord<NoInfer<Field>>[],
): SharedWork<void> {
  yield* runFor(fields.insert, fields.columns, records);
}

/** Inserts records, replacing rows with the same keys. Of records with the same key, the last one counts. */
export function* put<Field extends string>(
  { upsert, columns, key }: StoredFields<Field>,
  records: readonly SqlRecord<NoInfer<Field>>[],
): SharedWork<void> {
  if (records.length > 0) yield { text: upsert, values: [], columns, records, key, counted: true };
}

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
