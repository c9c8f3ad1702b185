// ChangeLog in SQL that both SQLite and PostgreSQL understand. Triggers write the changes.
import type { AccessDelta, ChangeLog } from '../access-store.ts';
import type { SessionRecord } from '../account-store.ts';
import { ACCOUNTS, type AccountRow, accountOf, KEYS, type KeyRow, keyOf, SESSIONS } from './access-rows.ts';
import { rows, rowsFor, run, type SharedWork, type WorkRunner } from './shared-work.ts';

/** More changes than this are not loaded one by one. */
const MAX_CHANGES = 500;
const KEPT_CHANGES = 2 * MAX_CHANGES;
/** A service that has not reported for this long is not running. It reports every second. */
const ALIVE_MS = 3_000;
/** The time of the database in milliseconds since 1970: services may run on several machines. */
const NOW = {
  sqlite: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  postgres: '(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT',
} as const;

interface ChangeRow {
  readonly n: number;
  readonly kind: 'account' | 'key' | 'session';
  readonly id: string;
}

export function createChangeLog({ database, read, share }: WorkRunner): ChangeLog {
  const now = NOW[database];
  return {
    changePosition: () =>
      read(function* () {
        return (yield* rows<{ last: number | null }>('SELECT max(n) AS last FROM access_changes'))[0]?.last ?? 0;
      }),
    changesSince: (position) => read(() => changesSince(position)),
    forgetChanges: () =>
      share(function* () {
        yield* run(`DELETE FROM access_changes WHERE n <= (SELECT max(n) FROM access_changes) - ${KEPT_CHANGES}`);
        yield* run(`DELETE FROM services WHERE seen_at < ${now} - ${ALIVE_MS}`);
      }),
    reportLoaded: (id, loaded) =>
      share(() =>
        run(
          `INSERT INTO services (id, loaded, seen_at) VALUES ($1, $2, ${now})
           ON CONFLICT (id) DO UPDATE SET loaded = excluded.loaded, seen_at = excluded.seen_at`,
          id,
          loaded,
        ),
      ),
    forgetService: (id) => share(() => run('DELETE FROM services WHERE id = $1', id)),
    servicesBehind: (position) =>
      read(function* () {
        const text = `SELECT count(*) AS behind FROM services WHERE loaded < $1 AND seen_at >= ${now} - ${ALIVE_MS}`;
        return (yield* rows<{ behind: number }>(text, position))[0]!.behind;
      }),
  };
}

function* changesSince(position: number): SharedWork<AccessDelta | null> {
  const text = `SELECT n, kind, id FROM access_changes WHERE n > $1 ORDER BY n LIMIT ${MAX_CHANGES + 1}`;
  const changes = yield* rows<ChangeRow>(text, position);
  if (changes.length > MAX_CHANGES) return null;
  const [first] = yield* rows<{ n: number | null }>('SELECT min(n) AS n FROM access_changes');
  // Changes between the position and the oldest known one may have been deleted.
  if (changes.length > 0 && position < (first?.n ?? 0) - 1) return null;
  const idsOf = (kind: ChangeRow['kind']): string[] => [
    ...new Set(changes.filter((change) => change.kind === kind).map(({ id }) => id)),
  ];
  const [accountIds, keyIds, sessionIds] = [idsOf('account').map(Number), idsOf('key'), idsOf('session')];
  const accounts = yield* rowsFor<AccountRow, 'changed'>(
    `SELECT ${ACCOUNTS.select} FROM accounts, {records} WHERE id = r.changed`,
    { changed: 'int' },
    accountIds.map((changed) => ({ changed })),
  );
  const keys = yield* rowsFor<KeyRow, 'changed'>(
    `SELECT ${KEYS.select} FROM keys, {records} WHERE id = r.changed`,
    { changed: 'text' },
    keyIds.map((changed) => ({ changed })),
  );
  const sessions = yield* rowsFor<SessionRecord, 'changed'>(
    `SELECT ${SESSIONS.select} FROM sessions, {records} WHERE id = r.changed`,
    { changed: 'text' },
    sessionIds.map((changed) => ({ changed })),
  );
  const [foundKeys, foundSessions] = [new Set(keys.map(({ id }) => id)), new Set(sessions.map(({ id }) => id))];
  return {
    position: changes.at(-1)?.n ?? position,
    accounts: accounts.map(accountOf),
    keys: keys.sort((a, b) => a.createdAt - b.createdAt).map(keyOf),
    sessions,
    removedKeys: keyIds.filter((id) => !foundKeys.has(id)),
    removedSessions: sessionIds.filter((id) => !foundSessions.has(id)),
  };
}
