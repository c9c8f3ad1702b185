// The SQL that creates tables from their definitions.
import type { ColumnKind, Index, Table } from './table.ts';

export interface Dialect {
  readonly types: Readonly<Record<ColumnKind, string>>;
  /** The column of a key that the database assigns. */
  counted(table: Table): string;
  /** What follows the columns of a table. */
  options(table: Table): string;
  /** What makes an index end in the key of its table, if it does not by itself. */
  keyOf(table: Table): string;
}

export const createTables = (tables: readonly Table[], dialect: Dialect): string =>
  tables.flatMap((table) => [createTable(table, dialect), ...createIndexes(table, dialect)]).join('\n');

function createTable(table: Table, dialect: Dialect): string {
  const columns = Object.entries(table.columns).map(([name, text]) => {
    if (table.counted && name === table.key[0]) return `"${name}" ${dialect.counted(table)}`;
    const { kind, nullable, rest } = partsOf(text);
    return `"${name}" ${dialect.types[kind]}${nullable ? '' : ' NOT NULL'} ${rest}`;
  });
  const key = table.counted ? [] : [`PRIMARY KEY (${quoted(table.key)})`];
  return `CREATE TABLE ${table.name} (${[...columns, ...(table.more ?? []), ...key].join(', ')}) ${dialect.options(table)};`;
}

function createIndexes(table: Table, dialect: Dialect): string[] {
  return Object.entries(table.indexes ?? {}).map(([name, index]) => {
    const { on, where, unique, inOrder }: Index = typeof index === 'string' ? { on: index } : index;
    return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${table.name}_${name} ON ${table.name} (${on}${inOrder ? dialect.keyOf(table) : ''})${where ? ` WHERE ${where}` : ''};`;
  });
}

/** The kind of each column. */
export const kindsOf = (table: Table): Record<string, ColumnKind> =>
  Object.fromEntries(Object.entries(table.columns).map(([name, text]) => [name, partsOf(text).kind]));

export const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

function partsOf(text: string): { readonly kind: ColumnKind; readonly nullable: boolean; readonly rest: string } {
  const [, kind, nullable, rest] = /^(\w+)(\??) ?(.*)$/.exec(text)!;
  return { kind: kind as ColumnKind, nullable: nullable === '?', rest: rest! };
}
