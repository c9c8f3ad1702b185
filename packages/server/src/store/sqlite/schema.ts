// The schemas of the three kinds of file. From the first release on: a table that changes is changed in its definition, and a step
// is added that brings existing files to the same state. A released step never changes.
import { ACCESS_TABLES } from '../sql/tables/access-tables.ts';
import { createTables, type Dialect } from '../sql/tables/create-tables.ts';
import { TAPE } from '../sql/tables/market-tables.ts';
import { REALM_TABLES } from '../sql/tables/realm-tables.ts';
import type { Table } from '../sql/tables/table.ts';
import type { Schema } from './migrate.ts';

/** Such a table needs no separate index of its key. */
const isKeyedByNumber = ({ key, columns }: Table): boolean => key.length === 1 && columns[key[0]!]!.startsWith('int');

const SQLITE: Dialect = {
  types: { int: 'INTEGER', float: 'REAL', text: 'TEXT', bytes: 'BLOB' },
  counted: ({ counted }) => `INTEGER PRIMARY KEY${counted === 'never again' ? ' AUTOINCREMENT' : ''}`,
  options: (table) => (table.large || isKeyedByNumber(table) ? 'STRICT' : 'STRICT, WITHOUT ROWID'),
  keyOf: () => '',
};

/**
 * The newest changes of accounts, keys and sessions: a running service loads only the rows that changed. A use of a key or session
 * is not a change.
 */
const ACCESS_CHANGES = `
  CREATE TABLE access_changes (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    id TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER account_added AFTER INSERT ON accounts
    BEGIN INSERT INTO access_changes (kind, id) VALUES ('account', CAST(NEW.id AS TEXT)); END;
  CREATE TRIGGER account_changed AFTER UPDATE ON accounts
    BEGIN INSERT INTO access_changes (kind, id) VALUES ('account', CAST(NEW.id AS TEXT)); END;
  CREATE TRIGGER key_added AFTER INSERT ON keys
    BEGIN INSERT INTO access_changes (kind, id) VALUES ('key', NEW.id); END;
  CREATE TRIGGER key_changed AFTER UPDATE OF account_id, name, hash, scopes, expires_at, revoked_at, session_ended_at ON keys
    BEGIN INSERT INTO access_changes (kind, id) VALUES ('key', NEW.id); END;
  CREATE TRIGGER key_removed AFTER DELETE ON keys
    BEGIN INSERT INTO access_changes (kind, id) VALUES ('key', OLD.id); END;
  CREATE TRIGGER session_added AFTER INSERT ON sessions
    BEGIN INSERT INTO access_changes (kind, id) VALUES ('session', NEW.id); END;
  CREATE TRIGGER session_removed AFTER DELETE ON sessions
    BEGIN INSERT INTO access_changes (kind, id) VALUES ('session', OLD.id); END;
`;

/** tickwire.db: accounts, keys and usage; shared by all realms. */
export const ACCESS_SCHEMA: Schema = { create: createTables(ACCESS_TABLES, SQLITE) + ACCESS_CHANGES, steps: [] };

/** <realm>/market.db: closed bars, volume at price, last prices, the signal log, news, the economic calendar and alerts. */
export const MARKET_SCHEMA: Schema = { create: createTables(REALM_TABLES, SQLITE), steps: [] };

/** <realm>/tape/<day>.db: the ticks of one UTC day. */
export const TAPE_SCHEMA: Schema = { create: createTables([TAPE], SQLITE), steps: [] };
