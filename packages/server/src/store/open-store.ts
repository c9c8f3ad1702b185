// Opens the configured store: PostgreSQL if `database_url` is set, otherwise SQLite files in the data folder.
import type { Config, Realm } from '../config/config.ts';
import type { OpenedAccess } from './access-store.ts';
import { makePrivate } from './private-files.ts';
import { withFileErrors } from './sqlite/errors.ts';
import { openSqliteAccessStore, openSqliteStore, type SqliteStoreOptions } from './sqlite/open-sqlite-store.ts';
import type { Store } from './store.ts';

type StoreSettings = Pick<Config, 'data' | 'database_url' | 'realm'>;

export interface OpenStoreOptions {
  /** A service is notified of changes by other processes; a command runs once, beside it. */
  readonly role: 'service' | 'command';
  /** Overrides the configured realm. */
  readonly realm?: Realm;
  /** Locks the realm: only one process can write its market data. */
  readonly exclusive?: boolean;
  /** Deletes the contents of the realm. */
  readonly empty?: boolean;
  /** Migrates SQLite files of an older release, which are refused without it. PostgreSQL is migrated by `tickwire migrate`. */
  readonly onMigrated?: SqliteStoreOptions['onMigrated'];
}

export async function openStore(config: StoreSettings, options: OpenStoreOptions): Promise<Store> {
  const { role, realm = config.realm, exclusive = false, empty = false, onMigrated } = options;
  const folder = config.data;
  withFileErrors(folder, () => makePrivate(folder));
  if (config.database_url !== null) {
    // Loaded only if needed: a start on SQLite must not pay for the driver.
    const { openPostgresStore } = await import('./postgres/open-postgres-store.ts');
    return openPostgresStore({ url: config.database_url, realm, role, folder, exclusive, empty });
  }
  return openSqliteStore({ folder, realm, exclusive, empty, onMigrated });
}

/** Opens only accounts and keys, for commands that touch no market data. */
export async function openAccessStore(config: Pick<StoreSettings, 'data' | 'database_url'>): Promise<OpenedAccess> {
  withFileErrors(config.data, () => makePrivate(config.data));
  const { access, close } =
    config.database_url === null
      ? openSqliteAccessStore(config.data)
      : await (await import('./postgres/open-postgres-store.ts')).openPostgresAccessStore(config.database_url);
  return { access, [Symbol.asyncDispose]: async () => close() };
}
