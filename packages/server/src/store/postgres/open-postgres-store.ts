// The store on PostgreSQL: the schema `tickwire` for accounts and keys, one schema per realm for everything else. Plain
// files (evidence, the log key) stay in the data folder of the process that writes them.

import type { Realm } from '../../config/config.ts';
import { parsePostgresAddress } from '../../config/postgres-address.ts';
import type { AccessStore } from '../access-store.ts';
import { createAccessStore } from '../sql/access-store.ts';
import { createAlertStore } from '../sql/alert-store.ts';
import { createCalendarStore } from '../sql/calendar-store.ts';
import { createChatStore } from '../sql/chat-store.ts';
import { createDeliveryStore } from '../sql/delivery-store.ts';
import { createHeadStore } from '../sql/head-store.ts';
import { createMarketStore } from '../sql/market-store.ts';
import { createNewsStore } from '../sql/news-store.ts';
import { createSignalStore } from '../sql/signal-store.ts';
import type { Store } from '../store.ts';
import { AccessChanges } from './access-changes.ts';
import { LONG_MS, PostgresDatabase } from './database.ts';
import { checkSchema } from './migrate.ts';
import { Partitions } from './partitions.ts';
import { lockRealm } from './realm-lock.ts';
import { recentBars } from './recent-bars.ts';
import { postgresRunner } from './run-work.ts';
import { ACCESS_SCHEMA_NAME, type SchemaStep } from './schema.ts';
import { appendTransaction } from './signal-append.ts';
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
      market: createMarketStore({
        runner,
        tape: new PostgresTapeStore(database, realm, partitions),
        recentBars: (symbols, limit) => recentBars(database, symbols, limit),
        inPartitions: (write, work) => partitions.retriedMarket(write, work),
      }),
      signals: createSignalStore(runner, appendTransaction(database, realm)),
      heads: createHeadStore(runner),
      news: createNewsStore(runner),
      calendar: createCalendarStore(runner),
      alerts: createAlertStore(runner),
      delivery: createDeliveryStore(runner),
      chat: createChatStore(runner),
      fence: (token) => fence.raise(token),
      reachable: () => changes.listening,
      checkSchema: () => checkSchema(database, options.steps),
      close,
      [Symbol.asyncDispose]: close,
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
  createAccessStore(postgresRunner(database), () => changes.version);

async function emptyRealm(database: PostgresDatabase, realm: Realm): Promise<void> {
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
