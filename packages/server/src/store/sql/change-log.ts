// ChangeLog in SQL that both SQLite and PostgreSQL understand. Triggers write the changes.
import { sql } from 'kysely';
import type { AccessDelta, ChangeLog } from '../access-store.ts';
import { accountOf, keyOf, sessionOf } from './access-rows.ts';
import type { AccessTables } from './access-tables.ts';
import type { Work } from './work.ts';

/** More changes than this are not loaded one by one. */
const MAX_CHANGES = 500;
const KEPT_CHANGES = 2 * MAX_CHANGES;
/** A service that has not reported for this long is not running. It reports every second. */
const ALIVE_MS = 3_000;

/** `clock`: SQL for the time of the database in milliseconds since 1970, since services may run on several machines. */
export function createChangeLog({ run, clock }: { readonly run: Work; readonly clock: string }): ChangeLog {
  const now = sql<number>`${sql.raw(clock)}`;
  return {
    changePosition: () =>
      run(async (tables) => {
        const row = await tables
          .selectFrom('access_changes')
          .select(({ fn }) => fn.max('n').as('last'))
          .executeTakeFirst();
        return Number(row?.last ?? 0);
      }),
    changesSince: (position) =>
      run(async (tables): Promise<AccessDelta | null> => {
        const changes = await tables
          .selectFrom('access_changes')
          .selectAll()
          .where('n', '>', position)
          .orderBy('n')
          .limit(MAX_CHANGES + 1)
          .execute();
        if (changes.length > MAX_CHANGES) return null;
        const first = await tables
          .selectFrom('access_changes')
          .select(({ fn }) => fn.min('n').as('n'))
          .executeTakeFirst();
        // Changes between the position and the oldest known one may have been deleted.
        if (changes.length > 0 && position < Number(first?.n ?? 0) - 1) return null;
        const idsOf = (kind: AccessTables['access_changes']['kind']): string[] => [
          ...new Set(changes.filter((change) => change.kind === kind).map(({ id }) => id)),
        ];
        const [accountIds, keyIds, sessionIds] = [idsOf('account').map(Number), idsOf('key'), idsOf('session')];
        const accounts = accountIds.length
          ? await tables.selectFrom('accounts').selectAll().where('id', 'in', accountIds).execute()
          : [];
        const keys = keyIds.length
          ? await tables.selectFrom('keys').selectAll().where('id', 'in', keyIds).orderBy('created_at').execute()
          : [];
        const sessions = sessionIds.length
          ? await tables.selectFrom('sessions').selectAll().where('id', 'in', sessionIds).execute()
          : [];
        const [foundKeys, foundSessions] = [new Set(keys.map(({ id }) => id)), new Set(sessions.map(({ id }) => id))];
        return {
          position: changes.at(-1)?.n ?? position,
          accounts: accounts.map(accountOf),
          keys: keys.map(keyOf),
          sessions: sessions.map(sessionOf),
          removedKeys: keyIds.filter((id) => !foundKeys.has(id)),
          removedSessions: sessionIds.filter((id) => !foundSessions.has(id)),
        };
      }),
    forgetChanges: () =>
      run(async (tables) => {
        await tables
          .deleteFrom('access_changes')
          .where('n', '<=', sql<number>`(SELECT max(n) FROM access_changes) - ${sql.lit(KEPT_CHANGES)}`)
          .execute();
        await tables
          .deleteFrom('services')
          .where('seen_at', '<', sql<number>`${now} - ${sql.lit(ALIVE_MS)}`)
          .execute();
      }),
    reportLoaded: (id, loaded) =>
      run(async (tables) => {
        await tables
          .insertInto('services')
          .values({ id, loaded, seen_at: now })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ loaded, seen_at: now }))
          .execute();
      }),
    forgetService: (id) =>
      run(async (tables) => {
        await tables.deleteFrom('services').where('id', '=', id).execute();
      }),
    servicesBehind: (position) =>
      run(async (tables) => {
        const row = await tables
          .selectFrom('services')
          .select(({ fn }) => fn.countAll().as('behind'))
          .where('loaded', '<', position)
          .where('seen_at', '>=', sql<number>`${now} - ${sql.lit(ALIVE_MS)}`)
          .executeTakeFirst();
        return Number(row?.behind ?? 0);
      }),
  };
}
