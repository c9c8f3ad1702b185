// Reads or fills the configured store for an export or import.
import type { Config } from '../../config/config.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { fillSqlite, readSqlite } from './sqlite-archive.ts';
import type { ArchiveSource, ArchiveTarget } from './tables.ts';

type StoreSettings = Pick<Config, 'data' | 'database_url'>;

export async function readStore<T>(config: StoreSettings, work: (source: ArchiveSource) => Promise<T>): Promise<T> {
  if (config.database_url === null) return readSqlite(config.data, work);
  const { readPostgres } = await import('./postgres-archive.ts');
  return withDatabase(config.database_url, (database) => readPostgres(database, work));
}

/** Throws if the store contains anything. What `work` puts is kept if it resolves. */
export async function fillStore<T>(config: StoreSettings, work: (target: ArchiveTarget) => Promise<T>): Promise<T> {
  if (config.database_url === null) return fillSqlite(config.data, work);
  const { fillPostgres } = await import('./postgres-archive.ts');
  return withDatabase(config.database_url, (database) => fillPostgres(database, work));
}

/** Loads the driver only if needed: a start on SQLite must not pay for it. */
async function withDatabase<T>(url: string, work: (database: PostgresDatabase) => Promise<T>): Promise<T> {
  const { openPostgresDatabase } = await import('../postgres/open-postgres-store.ts');
  await using database = await openPostgresDatabase(url);
  return await work(database);
}
