// The tables of an export, ordered so that referenced rows come first, and the two ends of a move. Both databases have these
// tables; anything only one of them has (generated columns, bookkeeping) is left out.
import { KEPT_REALMS } from '../realm-files.ts';
import { ACCESS_TABLES } from '../sql/tables/access-tables.ts';
import { kindsOf, quoted } from '../sql/tables/create-tables.ts';
import { TAPE } from '../sql/tables/market-tables.ts';
import { REALM_TABLES } from '../sql/tables/realm-tables.ts';
import type { ColumnKind, Table } from '../sql/tables/table.ts';

/** The accounts, or a realm. */
export const PARTS = ['access', ...KEPT_REALMS] as const;
export type ArchivePart = (typeof PARTS)[number];

export interface ArchiveTable {
  readonly part: ArchivePart;
  readonly name: string;
  /** Export order of the rows, so that equal stores give equal exports. */
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, ColumnKind>>;
  /** Its key is assigned by the database, which must continue behind the last one. */
  readonly counted: boolean;
}

export const TABLES: readonly ArchiveTable[] = PARTS.flatMap((part) => {
  const tables: readonly Table[] = part === 'access' ? ACCESS_TABLES : [...REALM_TABLES, TAPE];
  return tables
    .filter(({ local }) => !local)
    .map((table) => ({
      part,
      name: table.name,
      key: table.key,
      columns: kindsOf(table),
      counted: table.counted !== undefined,
    }));
});

export const tablesOf = (part: ArchivePart): readonly ArchiveTable[] => TABLES.filter((each) => each.part === part);

/** The name of a table in an export, such as `sim.bars`. */
export const tableName = ({ part, name }: ArchiveTable): string => `${part}.${name}`;

export const columnList = ({ columns }: ArchiveTable): string => quoted(Object.keys(columns));
export const keyList = ({ key }: ArchiveTable): string => quoted(key);

export type ArchiveCell = string | number | Uint8Array | null;
export type ArchiveRow = readonly ArchiveCell[];

export interface ArchiveSource {
  /** Where the store is, without secrets. */
  readonly name: string;
  readonly parts: readonly ArchivePart[];
  count(table: ArchiveTable): Promise<number>;
  /** Columns in the order of the table, rows in the order of its key, in batches. */
  rows(table: ArchiveTable): AsyncIterable<readonly ArchiveRow[]>;
}

export interface ArchiveTarget {
  readonly name: string;
  put(table: ArchiveTable, rows: readonly ArchiveRow[]): Promise<void>;
  count(table: ArchiveTable): Promise<number>;
}
