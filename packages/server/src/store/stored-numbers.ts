// Single rows of a realm, such as the symbols whose history was imported, read without opening its store: a service may run on it,
// or on another realm.
import { Database, SQLiteError } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config, Realm } from '../config/config.ts';
import { SchemaError, StoreError } from '../errors/store-error.ts';
import type { AddedInstrument } from './market-store.ts';
import { toStoreError } from './sqlite/errors.ts';

const PREFIX = 'imported ';
/** Name of the number that an import sets for its symbol. */
export const importedName = (symbol: string): string => `${PREFIX}${symbol}`;

interface StoredNumber {
  readonly name: string;
  readonly value: number;
}

interface Query {
  readonly table: string;
  readonly columns: string;
  readonly where?: string;
  readonly orderBy: string;
}

const NUMBERS = { table: 'numbers', columns: 'name, value', where: 'name LIKE $1', orderBy: 'name' };
const ADDED = {
  table: 'added_instruments',
  columns: 'symbol, venue, listing, added_at AS "addedAt"',
  orderBy: 'added_at, symbol',
};

type StoreSettings = Pick<Config, 'data' | 'database_url'>;

export async function importedSymbols(settings: StoreSettings, realm: Realm): Promise<string[]> {
  return (await storedNumbers(settings, realm, `${PREFIX}%`)).map(({ name }) => name.slice(PREFIX.length));
}

/** Numbers whose name matches a pattern of SQL. */
export const storedNumbers = (settings: StoreSettings, realm: Realm, pattern: string): Promise<StoredNumber[]> =>
  storedRows<StoredNumber>(settings, realm, NUMBERS, pattern);

/** Instruments that were added from the lists of venues. */
export const storedInstruments = (settings: StoreSettings, realm: Realm): Promise<AddedInstrument[]> =>
  storedRows<AddedInstrument>(settings, realm, ADDED);

/** No such realm, table or column: of PostgreSQL by the state of the statement. */
const isMissing = (error: unknown): boolean =>
  error instanceof SchemaError ||
  (error instanceof SQLiteError && /^no such (table|column)/.test(error.message)) ||
  (error instanceof StoreError &&
    /^(3F000|42P01|42703)/.test((error.cause as { code?: string } | undefined)?.code ?? ''));

/** None if the realm does not exist yet, or has a schema of another release. */
async function storedRows<Row>(
  { data, database_url }: StoreSettings,
  realm: Realm,
  { table, columns, where, orderBy }: Query,
  ...values: string[]
): Promise<Row[]> {
  const select = (name: string): string =>
    `SELECT ${columns} FROM ${name}${where === undefined ? '' : ` WHERE ${where}`} ORDER BY ${orderBy}`;
  try {
    if (database_url === null) {
      const file = join(data, realm, 'market.db');
      if (!existsSync(file)) return [];
      using database = new Database(file, { readonly: true });
      return database.query<Row, string[]>(select(table).replace('$1', '?1')).all(...values);
    }
    const { openPostgresDatabase } = await import('./postgres/open-postgres-store.ts');
    await using database = await openPostgresDatabase(database_url);
    return await database.rows<Row>(select(`"${realm}".${table}`), values);
  } catch (error) {
    if (isMissing(error)) return [];
    throw toStoreError(join(data, realm, 'market.db'), error);
  }
}
