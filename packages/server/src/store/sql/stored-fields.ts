// Maps the fields of a record to the columns of its table: what to select, and how to insert.
import type { RecordColumn } from './shared-work.ts';

export interface StoredFields<Field extends string> {
  /** Columns named like the fields. */
  readonly select: string;
  /** `INSERT … SELECT … FROM {records}`; ends with `WHERE true`, so that ON CONFLICT can follow. */
  readonly insert: string;
  /** `SET` of all columns by the row that could not be inserted. */
  readonly replace: string;
  readonly columns: Readonly<Record<Field, RecordColumn>>;
}

/** Columns are the fields in snake case. */
export function storedFields<Field extends string>(
  table: string,
  columns: Readonly<Record<Field, RecordColumn>>,
): StoredFields<Field> {
  const fields = Object.keys(columns) as Field[];
  const names = fields.map(columnOf);
  return {
    select: fields.map((field) => `${columnOf(field)} AS "${field}"`).join(', '),
    insert: `INSERT INTO ${table} (${names.join(', ')}) SELECT ${fields.map((field) => `r."${field}"`).join(', ')} FROM {records} WHERE true`,
    replace: names.map((name) => `${name} = excluded.${name}`).join(', '),
    columns,
  };
}

const columnOf = (field: string): string => `"${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`;
