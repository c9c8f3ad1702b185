// The store on PostgreSQL: the schema `tickwire` for accounts and keys, a schema per realm for everything else. Plain files
// (evidence, the key of the log) stay in the data folder of whoever writes them.
import type { Realm } from '../../config.ts';
import { type AccessTables, createAccessStore } from '../access-store.ts';
import { backupStore } from '../archive/backup.ts';
import type { AccessStore, Store } from '../store.ts';
import { AccessChanges } from './access-changes.ts';
import { readAddress } from './address.ts';
import { Database, LONG_MS } from './database.ts';
import { lockRealm } from './exclusive.ts';
import { createMarketStore } from './market-store.ts';
import { checkSchema } from './migrate.ts';
import { createNewsStore } from './news-store.ts';
import { Partitions } from './partitions.ts';
import { ACCESS_SCHEMA, type Step } from './schema.ts';
import { createSignalStore } from './signal-store.ts';
import { TapeTable } from './tape-table.ts';
import { WriterFence } from './writer-fence.ts';

/** A service answers many at once; a command does one thing after the other. */
const CONNECTIONS = { service: 10, command: 2 } as const;

export interface PostgresStoreOptions {
  readonly url: string;
  readonly realm: Realm;
  /** A service is told of what others change; a command runs once. */
  readonly role: 'service' | 'command';
  /** Where the realm's plain files are: <folder>/<realm>. */
  readonly folder: string;
  /** Refuses where another process has the realm to itself, and keeps others out as long as it is open. */
  readonly exclusive?: boolean;
  /** Throws away what the realm holds. */
  readonly empty?: boolean;
  /** How long a statement may take; for tests. */
  readonly queryMs?: number;
  /** What this release knows; for tests of the next one. */
  readonly steps?: readonly Step[];
}

export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { realm, role } = options;
  const address = readAddress(options.url);
  const database = new Database({
    address,
    searchPath: [realm, ACCESS_SCHEMA],
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
    return {
      access: accessStoreOn(database, changes),
      market: createMarketStore(database, partitions, new TapeTable(database, realm, partitions)),
      signals: createSignalStore(database, realm),
      news: createNewsStore(database),
      fence: (token) => fence.raise(token),
      reachable: () => changes.listening,
      backup: (to) => backupStore({ database, realm, folder: options.folder, to }),
      close,
    };
  } catch (error) {
    await close();
    throw database.explain(error);
  }
}

/** Accounts and keys alone, for commands that touch no market data. */
export async function openPostgresAccess(url: string): Promise<{ access: AccessStore; close: () => Promise<void> }> {
  const database = await openDatabase(url);
  return { access: accessStoreOn(database, new AccessChanges(readAddress(url))), close: () => database.close() };
}

/** The database itself, for commands, once its schema is known to fit. */
export async function openDatabase(url: string): Promise<Database> {
  const address = readAddress(url);
  const database = new Database({ address, searchPath: [ACCESS_SCHEMA], connections: CONNECTIONS.command });
  try {
    await checkSchema(database);
    return database;
  } catch (error) {
    await database.close();
    throw database.explain(error);
  }
}

const accessStoreOn = (database: Database, changes: AccessChanges): AccessStore =>
  createAccessStore({
    database: database.kysely<AccessTables>(),
    version: () => changes.version,
    explain: (error) => database.explain(error),
  });

export async function emptyRealm(database: Database, realm: Realm): Promise<void> {
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
