// The store of the configuration as either end of a move.
import type { Config } from '../../config.ts';
import type { Database } from '../postgres/database.ts';
import type { Source, Target } from './sides.ts';
import { fillSqlite, readSqlite } from './sqlite-side.ts';

type Place = Pick<Config, 'data' | 'database_url'>;

export async function readStore<T>(config: Place, work: (source: Source) => Promise<T>): Promise<T> {
  if (config.database_url === null) return readSqlite(config.data, work);
  const { readPostgres } = await import('./postgres-side.ts');
  return withDatabase(config.database_url, (database) => readPostgres(database, work));
}

/** Refuses a store that holds anything; what `work` puts is kept where it resolves. */
export async function fillStore<T>(config: Place, work: (target: Target) => Promise<T>): Promise<T> {
  if (config.database_url === null) return fillSqlite(config.data, work);
  const { fillPostgres } = await import('./postgres-side.ts');
  return withDatabase(config.database_url, (database) => fillPostgres(database, work));
}

/** The driver is loaded only where there is a use for it: a start on files must not pay for it. */
async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const { openDatabase } = await import('../postgres/open.ts');
  const database = await openDatabase(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
