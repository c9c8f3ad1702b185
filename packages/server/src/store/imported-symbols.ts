// The symbols whose history was imported into a realm, read without opening its store: the realm may be another one than the
// service runs on.
import { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config, Realm } from '../config/config.ts';

const PREFIX = 'imported ';
/** Name of the number that an import sets for its symbol. */
export const importedName = (symbol: string): string => `${PREFIX}${symbol}`;

const NAMES = `SELECT name FROM numbers WHERE name LIKE '${PREFIX}%' ORDER BY name`;

/** None if the realm does not exist yet, or has a schema of another release. */
export async function importedSymbols(
  { data, database_url }: Pick<Config, 'data' | 'database_url'>,
  realm: Realm,
): Promise<string[]> {
  try {
    const rows = database_url === null ? sqliteNames(data, realm) : await postgresNames(database_url, realm);
    return rows.map(({ name }) => name.slice(PREFIX.length));
  } catch {
    return [];
  }
}

function sqliteNames(data: string, realm: Realm): { name: string }[] {
  const file = join(data, realm, 'market.db');
  if (!existsSync(file)) return [];
  const database = new Database(file, { readonly: true });
  try {
    return database.query<{ name: string }, []>(NAMES).all();
  } finally {
    database.close();
  }
}

async function postgresNames(url: string, realm: Realm): Promise<{ name: string }[]> {
  const { openPostgresDatabase } = await import('./postgres/open-postgres-store.ts');
  const database = await openPostgresDatabase(url);
  try {
    return await database.rows<{ name: string }>(NAMES.replace('numbers', `"${realm}".numbers`), []);
  } finally {
    await database.close();
  }
}
