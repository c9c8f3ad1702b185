// The embedded store: a folder with tickwire.db (accounts and keys), <realm>/market.db (with the signals) and
// <realm>/tape/<day>.db. Beside these lie plain files that others write: see realm-files.ts.
import type { Database } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { type AccessTables, createAccessStore } from '../access-store.ts';
import type { AccessStore, Store } from '../store.ts';
import {
  copyDatabase,
  explain,
  explained,
  lockFolder,
  type OpenOptions,
  openDatabase,
  SERVICE_BUSY_MS,
} from './database.ts';
import { bunSqliteDialect } from './dialect.ts';
import { createMarketStore } from './market-store.ts';
import { createNewsStore } from './news-store.ts';
import { copyRealmFiles, EVIDENCE, LOG_KEY } from './realm-files.ts';
import { ACCESS_SCHEMA, MARKET_SCHEMA } from './schema.ts';
import { createSignalStore } from './signal-store.ts';
import { TapeFiles } from './tape-files.ts';

export interface SqliteStoreOptions {
  readonly folder: string;
  readonly realm: 'sim' | 'live' | 'replay';
  /** True for the service, which alone writes market data; false for a command beside it. */
  readonly exclusive: boolean;
  /** Throws away what the realm holds, once the folder is known to be ours. */
  readonly empty?: boolean;
  readonly onMigrated?: OpenOptions['onMigrated'];
}

export function openSqliteStore({ folder, realm, exclusive, empty, onMigrated }: SqliteStoreOptions): Store {
  const common = { backups: join(folder, 'backups'), ...(exclusive && { busyMs: SERVICE_BUSY_MS }) };
  const unlock = exclusive ? lockFolder(join(folder, realm)) : () => {};
  if (empty) emptyRealm(join(folder, realm));
  const opened: Database[] = [];
  const open = (file: string, schema: OpenOptions['schema'], durable = false): Database => {
    const database = openDatabase(file, { ...common, schema, durable, ...(onMigrated && { onMigrated }) });
    opened.push(database);
    return database;
  };
  try {
    const access = open(join(folder, 'tickwire.db'), ACCESS_SCHEMA);
    // The signal log is in it, and what was promised there must hold.
    const market = open(join(folder, realm, 'market.db'), MARKET_SCHEMA, true);
    const tape = new TapeFiles(join(folder, realm, 'tape'), common);
    return {
      access: accessStoreOn(access),
      market: createMarketStore(market, tape),
      signals: createSignalStore(market),
      news: createNewsStore(market),
      async backup(to) {
        const copied: string[] = [];
        const copy = (database: Database, ...place: string[]): void => {
          const file = join(to, ...place);
          copyDatabase(database, file);
          copied.push(file);
        };
        // Keys and bars first: a tape that is a moment newer than the bars is what a restart expects.
        copy(access, 'tickwire.db');
        copy(market, realm, 'market.db');
        // One after the other: the tape holds only a few of its files open.
        for (const day of tape.days()) copy(tape.database(day), realm, 'tape', `${day}.db`);
        // After the log: what it says is sealed was written before it said so.
        copied.push(...copyRealmFiles(join(folder, realm), join(to, realm)));
        return copied;
      },
      async close() {
        tape.close();
        for (const database of opened) database.close();
        unlock();
      },
    };
  } catch (error) {
    for (const database of opened) database.close();
    unlock();
    throw error;
  }
}

function emptyRealm(folder: string): void {
  for (const name of ['market.db', 'market.db-wal', 'market.db-shm', 'tape', EVIDENCE, LOG_KEY]) {
    explained(join(folder, name), () => rmSync(join(folder, name), { recursive: true, force: true }));
  }
}

/** Accounts and keys alone, for commands that touch no market data. */
export function openAccessStore(folder: string): { access: AccessStore; close: () => void } {
  const database = openDatabase(join(folder, 'tickwire.db'), {
    schema: ACCESS_SCHEMA,
    backups: join(folder, 'backups'),
  });
  return { access: accessStoreOn(database), close: () => database.close() };
}

function accessStoreOn(database: Database): AccessStore {
  const version = database.query<{ data_version: number }, []>('PRAGMA data_version');
  return createAccessStore({
    database: new Kysely<AccessTables>({ dialect: bunSqliteDialect(database) }),
    version: () => version.get()!.data_version,
    explain: (error) => explain(database.filename, error),
  });
}
