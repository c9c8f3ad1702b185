// The store that the configuration names: PostgreSQL where it has the address of one, else files in the data folder.
import type { Config, Realm } from '../config.ts';
import { openAccessStore as openSqliteAccess, openSqliteStore, type SqliteStoreOptions } from './sqlite/open.ts';
import type { AccessStore, Store } from './store.ts';

type Place = Pick<Config, 'data' | 'database_url' | 'realm'>;

export interface OpenStoreOptions {
  /** A service runs on and is told of what others change; a command runs once, beside it. */
  readonly role: 'service' | 'command';
  /** Another than the configuration's. */
  readonly realm?: Realm;
  /** Alone writes market data: two cannot have the same realm so. */
  readonly exclusive?: boolean;
  /** Throws away what the realm holds. */
  readonly empty?: boolean;
  /** Files of the data folder are migrated when they are opened; PostgreSQL by `tickwire migrate`. */
  readonly onMigrated?: SqliteStoreOptions['onMigrated'];
}

export async function openStore(config: Place, options: OpenStoreOptions): Promise<Store> {
  const { role, realm = config.realm, exclusive = false, empty = false, onMigrated } = options;
  const folder = config.data;
  if (config.database_url !== null) {
    // The driver is loaded only where there is a use for it: a start on files must not pay for it.
    const { openPostgresStore } = await import('./postgres/open.ts');
    return openPostgresStore({ url: config.database_url, realm, role, folder, exclusive, empty });
  }
  return openSqliteStore({ folder, realm, exclusive, empty, ...(onMigrated && { onMigrated }) });
}

/** Accounts and keys alone, for commands that touch no market data. */
export async function openAccessStore(
  config: Pick<Place, 'data' | 'database_url'>,
): Promise<{ access: AccessStore; close: () => Promise<void> | void }> {
  if (config.database_url === null) return openSqliteAccess(config.data);
  const { openPostgresAccess } = await import('./postgres/open.ts');
  return openPostgresAccess(config.database_url);
}
