// Numbers of a realm, such as the symbols whose history was imported, read without opening its store: a service may run on it, or on
// another realm.
import { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config, Realm } from '../config/config.ts';

const PREFIX = 'imported ';
/** Name of the number that an import sets for its symbol. */
export const importedName = (symbol: string): string => `${PREFIX}${symbol}`;

interface StoredNumber {
  readonly name: string;
  readonly value: number;
}

const SELECT = 'SELECT name, value FROM numbers WHERE name LIKE $1 ORDER BY name';

export async function importedSymbols(
  settings: Pick<Config, 'data' | 'database_url'>,
  realm: Realm,
): Promise<string[]> {
  return (await storedNumbers(settings, realm, `${PREFIX}%`)).map(({ name }) => name.slice(PREFIX.length));
}

/** Numbers whose name matches a pattern of SQL. None if the realm does not exist yet, or has a schema of another release. */
export async function storedNumbers(
  { data, database_url }: Pick<Config, 'data' | 'database_url'>,
  realm: Realm,
  pattern: string,
): Promise<StoredNumber[]> {
  try {
    if (database_url === null) return sqliteNumbers(join(data, realm, 'market.db'), pattern);
    const { openPostgresDatabase } = await import('./postgres/open-postgres-store.ts');
    await using database = await openPostgresDatabase(database_url);
    return await database.rows<StoredNumber>(SELECT.replace('numbers', `"${realm}".numbers`), [pattern]);
  } catch {
    return [];
  }
}

function sqliteNumbers(file: string, pattern: string): StoredNumber[] {
  if (!existsSync(file)) return [];
  using database = new Database(file, { readonly: true });
  return database.query<StoredNumber, [string]>(SELECT.replace('$1', '?1')).all(pattern);
}
