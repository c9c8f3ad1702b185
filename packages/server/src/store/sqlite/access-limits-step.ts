// A step of the schema of tickwire.db: limits of keys and signals, the changes of keys, and names that look alike.
import type { Database } from 'bun:sqlite';
import { skeletonsOf } from '../names/name-skeleton.ts';
import type { FilledStep } from './migrate.ts';

const SQL = `-- Example publishers have no daily limit of signals. Earlier releases recorded them only in the audit log.
   ALTER TABLE accounts ADD COLUMN house INTEGER NOT NULL DEFAULT 0;
   UPDATE accounts SET house = 1
     WHERE id IN (SELECT CAST(subject AS INTEGER) FROM audit WHERE actor = 'house' AND act = 'account created');
   -- Keys that an account has created on a UTC day.
   ALTER TABLE usage ADD COLUMN key_day INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE usage ADD COLUMN key_count INTEGER NOT NULL DEFAULT 0;
   CREATE INDEX keys_account ON keys (account_id);
   -- The newest changes of accounts, keys and sessions: a running service loads only the rows that changed. A use of a key
   -- or session is not a change.
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
   CREATE TRIGGER key_changed AFTER UPDATE OF account_id, name, hash, scopes, expires_at, revoked_at ON keys
     BEGIN INSERT INTO access_changes (kind, id) VALUES ('key', NEW.id); END;
   CREATE TRIGGER key_removed AFTER DELETE ON keys
     BEGIN INSERT INTO access_changes (kind, id) VALUES ('key', OLD.id); END;
   CREATE TRIGGER session_added AFTER INSERT ON sessions
     BEGIN INSERT INTO access_changes (kind, id) VALUES ('session', NEW.id); END;
   CREATE TRIGGER session_removed AFTER DELETE ON sessions
     BEGIN INSERT INTO access_changes (kind, id) VALUES ('session', OLD.id); END;
   -- Running services, and the change up to which each has loaded keys.
   CREATE TABLE services (
     id TEXT PRIMARY KEY,
     loaded INTEGER NOT NULL,
     seen_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   -- The skeleton of every name ever given (names/name-skeleton.ts): a name that looks like it never passes to another account.
   CREATE TABLE name_skeletons (
     skeleton TEXT PRIMARY KEY,
     account_id INTEGER NOT NULL REFERENCES accounts (id)
   ) STRICT, WITHOUT ROWID;`;

/** If names of two accounts look alike, both keep their names, and the older one holds the skeleton. */
function fillSkeletons(database: Database): void {
  const names = database
    .query<{ name: string; id: number }, []>(
      `SELECT name, id FROM (
         SELECT name, account_id AS id, given_at AS at FROM names
         UNION ALL SELECT name, id, created_at FROM accounts WHERE deleted_at IS NULL
       ) ORDER BY at, id, name`,
    )
    .all();
  const put = database.query('INSERT OR IGNORE INTO name_skeletons (skeleton, account_id) VALUES (?, ?)');
  for (const { name, id } of names) for (const skeleton of skeletonsOf(name)) put.run(skeleton, id);
}

export const ACCESS_LIMITS: FilledStep = { sql: SQL, fill: fillSkeletons };
