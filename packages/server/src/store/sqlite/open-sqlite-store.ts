// The SQLite store: a folder with tickwire.db (accounts and keys), <realm>/market.db (bars, signals, news) and
// <realm>/tape/<day>.db. Plain files of a realm are described in realm-files.ts.

import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, SqliteDialect } from 'kysely';
import type { AccessStore } from '../access-store.ts';
import { DELIVERY_KEY, VAPID_KEY } from '../delivery-store.ts';
import { copyRealmFiles, copySecret, EVIDENCE, LOG_KEY } from '../realm-files.ts';
import { createAccessStore } from '../sql/access-store.ts';
import type { AccessTables } from '../sql/access-tables.ts';
import { createAlertStore } from '../sql/alert-store.ts';
import { createDeliveryStore } from '../sql/delivery-store.ts';
import type { Store } from '../store.ts';
import { TWO_FACTOR_KEY } from '../two-factor-store.ts';
import { createCalendarStore } from './calendar-store.ts';
import { copyDatabase, type OpenOptions, openSqliteDatabase, SERVICE_BUSY_MS } from './database.ts';
import { toStoreError, withFileErrors } from './errors.ts';
import { createHeadStore } from './head-store.ts';
import { createMarketStore } from './market-store.ts';
import { createNewsStore } from './news-store.ts';
import { lockRealm } from './realm-lock.ts';
import { sqliteRunner } from './run-work.ts';
import { ACCESS_SCHEMA, MARKET_SCHEMA } from './schema.ts';
import { createSignalStore } from './signal-store.ts';
import { SqliteTapeStore } from './tape-store.ts';

export interface SqliteStoreOptions {
  readonly folder: string;
  readonly realm: 'sim' | 'live' | 'replay';
  /** True for the service, the only writer of market data; false for a command beside it. */
  readonly exclusive: boolean;
  /** Deletes the contents of the realm, once its lock is held. */
  readonly empty?: boolean;
  readonly onMigrated?: OpenOptions['onMigrated'];
}

export function openSqliteStore({ folder, realm, exclusive, empty, onMigrated }: SqliteStoreOptions): Store {
  const common = { backups: join(folder, 'backups'), ...(exclusive && { busyMs: SERVICE_BUSY_MS }) };
  const unlock = exclusive ? lockRealm(join(folder, realm)) : () => {};
  if (empty) emptyRealm(join(folder, realm));
  const opened: Database[] = [];
  const open = (file: string, schema: OpenOptions['schema'], durable = false): Database => {
    const database = openSqliteDatabase(file, { ...common, schema, durable, ...(onMigrated && { onMigrated }) });
    opened.push(database);
    return database;
  };
  try {
    const access = open(join(folder, 'tickwire.db'), ACCESS_SCHEMA);
    // Durable, because it contains the signal log: a confirmed publication must survive a power cut.
    const market = open(join(folder, realm, 'market.db'), MARKET_SCHEMA, true);
    const tape = new SqliteTapeStore(join(folder, realm, 'tape'), common);
    const runner = sqliteRunner(market);
    return {
      access: createSqliteAccessStore(access),
      market: createMarketStore(market, tape),
      signals: createSignalStore(market),
      heads: createHeadStore(market),
      news: createNewsStore(market),
      calendar: createCalendarStore(market),
      alerts: createAlertStore(runner),
      delivery: createDeliveryStore(runner),
      async backup(to) {
        const copied: string[] = [];
        const copy = (database: Database, ...place: string[]): void => {
          const file = join(to, ...place);
          copyDatabase(database, file);
          copied.push(file);
        };
        // Accounts and bars first: a restart expects a tape that is at least as new as the bars.
        copy(access, 'tickwire.db');
        for (const key of [TWO_FACTOR_KEY, DELIVERY_KEY, VAPID_KEY]) {
          if (!existsSync(join(folder, key))) continue;
          copySecret(join(folder, key), join(to, key));
          copied.push(join(to, key));
        }
        copy(market, realm, 'market.db');
        // One after the other, because the tape store keeps only a few files open.
        for (const day of tape.days()) copy(tape.database(day), realm, 'tape', `${day}.db`);
        // After the log: a file is written before the log says that its day is sealed.
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
    withFileErrors(join(folder, name), () => rmSync(join(folder, name), { recursive: true, force: true }));
  }
}

/** Opens only accounts and keys, for commands that touch no market data. */
export function openSqliteAccessStore(folder: string): { access: AccessStore; close: () => void } {
  const database = openSqliteDatabase(join(folder, 'tickwire.db'), {
    schema: ACCESS_SCHEMA,
    backups: join(folder, 'backups'),
  });
  return { access: createSqliteAccessStore(database), close: () => database.close() };
}

function createSqliteAccessStore(database: Database): AccessStore {
  const version = database.query<{ data_version: number }, []>('PRAGMA data_version');
  return createAccessStore({
    database: new Kysely<AccessTables>({ dialect: bunSqliteDialect(database) }),
    version: () => version.get()!.data_version,
    clock: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
    toStoreError: (error) => toStoreError(database.filename, error),
  });
}

/** Adapts bun:sqlite to the driver interface of Kysely's SQLite dialect. */
function bunSqliteDialect(database: Database): SqliteDialect {
  return new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare(sql) {
        const statement = database.query(sql);
        const bound = (parameters: readonly unknown[]): SQLQueryBindings[] => [...parameters] as SQLQueryBindings[];
        return {
          reader: statement.columnNames.length > 0,
          all: (parameters) => statement.all(...bound(parameters)),
          run: (parameters) => statement.run(...bound(parameters)),
          iterate: (parameters) => statement.iterate(...bound(parameters)) as IterableIterator<unknown>,
        };
      },
    },
  });
}
