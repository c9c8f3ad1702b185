// The embedded store: a folder with tickwire.db (accounts and keys), <realm>/market.db and <realm>/tape/<day>.db.
import type { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { type AccessTables, createAccessStore } from '../access-store.ts';
import type { AccessStore, Store } from '../store.ts';
import { copyDatabase, explain, lockFolder, type OpenOptions, openDatabase } from './database.ts';
import { bunSqliteDialect } from './dialect.ts';
import { createMarketStore } from './market-store.ts';
import { ACCESS_SCHEMA, MARKET_SCHEMA } from './schema.ts';
import { TapeFiles } from './tape-files.ts';

export interface SqliteStoreOptions {
  readonly folder: string;
  readonly realm: 'sim' | 'live';
  /** True for the service, which alone writes market data; false for a command beside it. */
  readonly exclusive: boolean;
  readonly onMigrated?: OpenOptions['onMigrated'];
}

export function openSqliteStore({ folder, realm, exclusive, onMigrated }: SqliteStoreOptions): Store {
  const backups = join(folder, 'backups');
  const unlock = exclusive ? lockFolder(join(folder, realm)) : () => {};
  const opened: Database[] = [];
  const open = (file: string, schema: OpenOptions['schema']): Database => {
    const database = openDatabase(file, { schema, backups, ...(onMigrated && { onMigrated }) });
    opened.push(database);
    return database;
  };
  try {
    const access = open(join(folder, 'tickwire.db'), ACCESS_SCHEMA);
    const market = open(join(folder, realm, 'market.db'), MARKET_SCHEMA);
    const tape = new TapeFiles(join(folder, realm, 'tape'), backups);
    return {
      access: accessStoreOn(access),
      market: createMarketStore(market, tape),
      async backup(to) {
        const copies: [Database, string][] = [
          // Keys and bars first: a tape that is a moment newer than the bars is what a restart expects.
          [access, join(to, 'tickwire.db')],
          [market, join(to, realm, 'market.db')],
          ...tape.days().map((day): [Database, string] => [tape.database(day), join(to, realm, 'tape', `${day}.db`)]),
        ];
        for (const [database, file] of copies) copyDatabase(database, file);
        return copies.map(([, file]) => file);
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
