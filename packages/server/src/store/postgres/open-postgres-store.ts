// The store on PostgreSQL: the schema `tickwire` for accounts and keys, one schema per realm for everything else. Plain
// files (evidence, the log key) stay in the data folder of the process that writes them.

import type { Realm } from '../../config/config.ts';
import { parsePostgresAddress } from '../../config/postgres-address.ts';
import type { AccessStore } from '../access-store.ts';
import { backupPostgres } from '../archive/postgres-backup.ts';
import { createAccessStore } from '../sql/access-store.ts';
import type { AccessTables } from '../sql/access-tables.ts';
import { createAlertStore } from '../sql/alert-store.ts';
import { createDeliveryStore } from '../sql/delivery-store.ts';
import type { Store } from '../store.ts';
import { AccessChanges } from './access-changes.ts';
import { createCalendarStore } from './calendar-store.ts';
import { LONG_MS, PostgresDatabase } from './database.ts';
import { createHeadStore } from './head-store.ts';
import { createMarketStore } from './market-store.ts';
import { checkSchema } from './migrate.ts';
import { createNewsStore } from './news-store.ts';
import { Partitions } from './partitions.ts';
import { lockRealm } from './realm-lock.ts';
import { postgresRunner } from './run-work.ts';
import { ACCESS_SCHEMA_NAME, type SchemaStep } from './schema.ts';
import { createSignalStore } from './signal-store.ts';
import { PostgresTapeStore } from './tape-store.ts';
import { WriterFence } from './writer-fence.ts';

/** A service runs many queries at the same time, a command one after the other. */
const CONNECTIONS = { service: 10, command: 2 } as const;

export interface PostgresStoreOptions {
  readonly url: string;
  readonly realm: Realm;
  /** A service is notified of changes by other processes; a command runs once. */
  readonly role: 'service' | 'command';
  /** Data folder; the plain files of the realm are in <folder>/<realm>. */
  readonly folder: string;
  /** Locks the realm as long as the store is open; throws if another process holds the lock. */
  readonly exclusive?: boolean;
  /** Deletes the contents of the realm. */
  readonly empty?: boolean;
  /** How long a statement may take; for tests. */
  readonly queryMs?: number;
  /** Schema steps known to this release; for tests of the next one. */
  readonly steps?: readonly SchemaStep[];
}

export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { realm, role } = options;
  const address = parsePostgresAddress(options.url);
  const database = new PostgresDatabase({
    address,
    searchPath: [realm, ACCESS_SCHEMA_NAME],
    connections: CONNECTIONS[role],
    ...(options.queryMs !== undefined && { queryMs: options.queryMs }),
  });
  const changes = new AccessChanges(address);
  let unlock = async (): Promise<void> => {};
  const close = async (): Promise<void> => {
    await Promise.all([changes.close(), database.close(), unlock()]);
  };
  try {
    await checkSchema(database, options.steps);
    if (options.exclusive) unlock = await lockRealm(address, realm);
    if (options.empty) await emptyRealm(database, realm);
    if (role === 'service') await changes.start();
    const fence = new WriterFence(database);
    database.mayWrite = fence.check;
    const partitions = new Partitions(database, realm);
    const runner = postgresRunner(database);
    return {
      access: createPostgresAccessStore(database, changes),
      market: createMarketStore(database, partitions, new PostgresTapeStore(database, realm, partitions)),
      signals: createSignalStore(database, realm),
      heads: createHeadStore(database),
      news: createNewsStore(database),
      calendar: createCalendarStore(database),
      alerts: createAlertStore(runner),
      delivery: createDeliveryStore(runner),
      fence: (token) => fence.raise(token),
      reachable: () => changes.listening,
      checkSchema: () => checkSchema(database, options.steps),
      backup: (to) => backupPostgres({ database, realm, folder: options.folder, to }),
      close,
    };
  } catch (error) {
    await close();
    throw database.toStoreError(error);
  }
}

/** Opens only accounts and keys, for commands that touch no market data. */
export async function openPostgresAccessStore(
  url: string,
): Promise<{ access: AccessStore; close: () => Promise<void> }> {
  const database = await openPostgresDatabase(url);
  return {
    access: createPostgresAccessStore(database, new AccessChanges(parsePostgresAddress(url))),
    close: () => database.close(),
  };
}

/** Opens the database for commands, after checking its schema. */
export async function openPostgresDatabase(url: string): Promise<PostgresDatabase> {
  const address = parsePostgresAddress(url);
  const database = new PostgresDatabase({
    address,
    searchPath: [ACCESS_SCHEMA_NAME],
    connections: CONNECTIONS.command,
  });
  try {
    await checkSchema(database);
    return database;
  } catch (error) {
    await database.close();
    throw database.toStoreError(error);
  }
}

const createPostgresAccessStore = (database: PostgresDatabase, changes: AccessChanges): AccessStore =>
  createAccessStore({
    database: database.kysely<AccessTables>(),
    version: () => changes.version,
    clock: '(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT',
    toStoreError: (error) => database.toStoreError(error),
  });

export async function emptyRealm(database: PostgresDatabase, realm: Realm): Promise<void> {
  await database.transaction(async (session) => {
    const tables = await session.rows<{ name: string; partition: boolean }>(
      `SELECT quote_ident(relname) AS name, relispartition AS partition FROM pg_class
       WHERE relnamespace = to_regnamespace($1)::oid AND relkind IN ('r', 'p')`,
      [realm],
    );
    const placesOf = (partition: boolean): string =>
      tables
        .filter((table) => table.partition === partition)
        .map(({ name }) => `${realm}.${name}`)
        .join(', ');
    if (placesOf(true)) await session.run(`DROP TABLE ${placesOf(true)}`, [], LONG_MS);
    await session.run(`TRUNCATE ${placesOf(false)}`, [], LONG_MS);
  });
}
