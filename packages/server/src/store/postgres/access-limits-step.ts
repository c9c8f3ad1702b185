// A step of the access schema: limits of keys and signals, the changes of keys, and names that look alike.
import { skeletonsOf } from '../names/name-skeleton.ts';
import { WORD } from './column-types.ts';
import type { SqlSession } from './database.ts';

export const ACCESS_LIMITS = `
  -- Example publishers have no daily limit of signals. Earlier releases recorded them only in the audit log.
  ALTER TABLE accounts ADD COLUMN house INTEGER NOT NULL DEFAULT 0;
  UPDATE accounts SET house = 1
    WHERE id IN (SELECT split_part(subject, ' ', 1)::BIGINT FROM audit WHERE actor = 'house' AND act = 'account created');
  -- Keys that an account has created on a UTC day.
  ALTER TABLE usage ADD COLUMN key_day BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE usage ADD COLUMN key_count BIGINT NOT NULL DEFAULT 0;
  CREATE INDEX keys_account ON keys (account_id);
  -- The newest changes of accounts, keys and sessions, by the version they belong to: a running service loads only the rows
  -- that changed. The row of "changes" is locked until the commit, so versions become visible in order.
  CREATE TABLE access_changes (n BIGINT NOT NULL, kind ${WORD} NOT NULL, id ${WORD} NOT NULL);
  CREATE INDEX access_changes_n ON access_changes (n);
  CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO tickwire.access_changes (n, kind, id)
        SELECT version, TG_ARGV[0], CASE WHEN TG_OP = 'DELETE' THEN OLD.id::TEXT ELSE NEW.id::TEXT END
        FROM tickwire.changes;
      RETURN NULL;
    END $$;
  CREATE TRIGGER noted AFTER INSERT OR UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION note_change('account');
  CREATE TRIGGER noted AFTER INSERT OR DELETE OR UPDATE OF account_id, name, hash, scopes, expires_at, revoked_at ON keys
    FOR EACH ROW EXECUTE FUNCTION note_change('key');
  CREATE TRIGGER noted AFTER INSERT OR DELETE OR UPDATE OF account_id, hash ON sessions
    FOR EACH ROW EXECUTE FUNCTION note_change('session');
  -- Running services, and the change up to which each has loaded keys.
  CREATE TABLE services (id ${WORD} PRIMARY KEY, loaded BIGINT NOT NULL, seen_at BIGINT NOT NULL);
  -- The skeleton of every name ever given (names/name-skeleton.ts): a name that looks like it never passes to another account.
  CREATE TABLE name_skeletons (skeleton ${WORD} PRIMARY KEY, account_id BIGINT NOT NULL REFERENCES accounts (id));
`;

/** If names of two accounts look alike, both keep their names, and the older one holds the skeleton. */
export async function fillSkeletons(session: SqlSession): Promise<void> {
  const names = await session.rows<{ name: string; id: number }>(
    `SELECT name, id FROM (
       SELECT name, account_id AS id, given_at AS at FROM names
       UNION ALL SELECT name, id, created_at FROM accounts WHERE deleted_at IS NULL
     ) AS given ORDER BY at, id, name`,
  );
  for (const { name, id } of names)
    for (const skeleton of skeletonsOf(name))
      await session.run('INSERT INTO name_skeletons (skeleton, account_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        skeleton,
        id,
      ]);
}
