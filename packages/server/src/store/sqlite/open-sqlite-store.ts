// The SQLite store: a folder with tickwire.db (accounts and keys), <realm>/market.db (bars, signals, news) and
// <realm>/tape/<day>.db. Plain files of a realm are described in realm-files.ts.

import type { Database } from 'bun:sqlite';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TIMEFRAMES } from '@tickwire/contract';
import type { Bar } from '@tickwire/engine';
import type { Realm } from '../../config/config.ts';
import type { AccessStore } from '../access-store.ts';
import { dataFilePath, dataFiles, type FileSettings } from '../data-files.ts';
import type { MarketStore } from '../market-store.ts';
import { copyRealmFiles, copySecret, EVIDENCE, KEPT_REALMS, LOG_KEY } from '../realm-files.ts';
import { createAccessStore } from '../sql/access-store.ts';
import { createAlertStore } from '../sql/alert-store.ts';
import { createCalendarStore } from '../sql/calendar-store.ts';
import { createChatStore } from '../sql/chat-store.ts';
import { createDeliveryStore } from '../sql/delivery-store.ts';
import { createHeadStore } from '../sql/head-store.ts';
import { BAR_COLUMNS, createMarketStore } from '../sql/market-store.ts';
import { createNewsStore } from '../sql/news-store.ts';
import { createSignalStore } from '../sql/signal-store.ts';
import type { Store } from '../store.ts';
import { copyDatabase, type OpenOptions, openSqliteDatabase, SERVICE_BUSY_MS } from './database.ts';
import { withFileErrors } from './errors.ts';
import { type Migration, versionOf } from './migrate.ts';
import { LOCK, lockRealm } from './realm-lock.ts';
import { sqliteRunner } from './run-work.ts';
import { ACCESS_SCHEMA, MARKET_SCHEMA, TAPE_SCHEMA } from './schema.ts';
import { SqliteTapeStore, tapeDays } from './tape-store.ts';

export interface SqliteStoreOptions {
  readonly folder: string;
  readonly realm: Realm;
  /** True for the service, the only writer of market data; false for a command beside it. */
  readonly exclusive: boolean;
  /** Deletes the contents of the realm, once its lock is held. */
  readonly empty?: boolean;
  /** Migrates files of an older release; only if `exclusive`. Default: they are refused. */
  readonly onMigrated?: Migration['onMigrated'] | undefined;
}

export function openSqliteStore({ folder, realm, exclusive, empty, onMigrated }: SqliteStoreOptions): Store {
  const migration = exclusive && onMigrated ? { backups: join(folder, 'backups'), onMigrated } : undefined;
  const common = { migration, ...(exclusive && { busyMs: SERVICE_BUSY_MS }) };
  const unlock = exclusive ? lockRealm(join(folder, realm)) : () => {};
  if (empty) emptyRealm(join(folder, realm));
  const opened: Database[] = [];
  const tape = new SqliteTapeStore(join(folder, realm, 'tape'), common);
  const close = async (): Promise<void> => {
    tape.close();
    for (const database of opened) database.close();
    unlock();
  };
  const open = (file: string, options: Omit<OpenOptions, 'busyMs'>): Database => {
    const database = openSqliteDatabase(file, { ...common, ...options });
    opened.push(database);
    return database;
  };
  try {
    const access = open(join(folder, 'tickwire.db'), {
      schema: ACCESS_SCHEMA,
      // Services of other realms use it too.
      ...(migration && { migration: { ...migration, lock: () => lockOthers(folder, realm) } }),
    });
    // Durable, because it contains the signal log: a confirmed publication must survive a power cut.
    const market = open(join(folder, realm, 'market.db'), { schema: MARKET_SCHEMA, durable: true });
    // All days at once: a command beside the service must be able to read them.
    if (migration && versionOf(TAPE_SCHEMA) > 1) for (const day of tape.days()) tape.database(day);
    const runner = sqliteRunner(market);
    return {
      access: createSqliteAccessStore(access),
      market: createMarketStore({ runner, tape, recentBars: recentBarsIn(market) }),
      signals: createSignalStore(runner),
      heads: createHeadStore(runner),
      news: createNewsStore(runner),
      calendar: createCalendarStore(runner),
      alerts: createAlertStore(runner),
      delivery: createDeliveryStore(runner),
      chat: createChatStore(runner),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    void close();
    throw error;
  }
}

/** Copies the files of a store that may be in use, whatever their schema is, to an empty folder. Returns the files written. */
export function copySqliteStore(settings: FileSettings, to: string): string[] {
  const copied: string[] = [];
  const copy = (how: (source: string, target: string) => void, source: string, name: string): void => {
    if (!existsSync(source)) return;
    const target = join(to, name);
    withFileErrors(target, () => {
      mkdirSync(dirname(target), { recursive: true });
      how(source, target);
    });
    copied.push(target);
  };
  const copyOpen = (...place: string[]): void => copy(copyDatabase, join(settings.data, ...place), join(...place));
  copyOpen('tickwire.db');
  for (const name of dataFiles(settings)) copy(copySecret, dataFilePath(settings, name), name);
  for (const realm of KEPT_REALMS) {
    const folder = join(settings.data, realm);
    // Bars first: a restart expects a tape that is at least as new.
    copyOpen(realm, 'market.db');
    for (const day of tapeDays(join(folder, 'tape'))) copyOpen(realm, 'tape', `${day}.db`);
    // After the log: a file is written before the log says that its day is sealed.
    copied.push(...copyRealmFiles(folder, join(to, realm)));
  }
  return copied;
}

/** Locks the other realms of a folder. */
function lockOthers(folder: string, realm: Realm): () => void {
  const unlocks: (() => void)[] = [];
  const unlock = (): void => {
    for (const each of unlocks) each();
  };
  try {
    for (const other of readdirSync(folder))
      if (other !== realm && existsSync(join(folder, other, LOCK))) unlocks.push(lockRealm(join(folder, other)));
    return unlock;
  } catch (error) {
    unlock();
    throw error;
  }
}

const recentBarsIn =
  (database: Database): MarketStore['recentBars'] =>
  async (symbols, limit) =>
    withFileErrors(database.filename, () => {
      const newest = database.query<Bar, [string, string, number]>(
        `SELECT ${BAR_COLUMNS} FROM bars WHERE symbol = ? AND timeframe = ? ORDER BY time DESC LIMIT ?`,
      );
      return symbols.flatMap((symbol) =>
        TIMEFRAMES.map((timeframe) => ({ symbol, timeframe, bars: newest.all(symbol, timeframe, limit).reverse() })),
      );
    });

function emptyRealm(folder: string): void {
  for (const name of ['market.db', 'market.db-wal', 'market.db-shm', 'tape', EVIDENCE, LOG_KEY]) {
    withFileErrors(join(folder, name), () => rmSync(join(folder, name), { recursive: true, force: true }));
  }
}

/** Opens only accounts and keys, for commands that touch no market data. */
export function openSqliteAccessStore(folder: string): { access: AccessStore; close: () => void } {
  const database = openSqliteDatabase(join(folder, 'tickwire.db'), {
    schema: ACCESS_SCHEMA,
  });
  return { access: createSqliteAccessStore(database), close: () => database.close() };
}

function createSqliteAccessStore(database: Database): AccessStore {
  const version = database.query<{ data_version: number }, []>('PRAGMA data_version');
  return createAccessStore(sqliteRunner(database), () => version.get()!.data_version);
}
