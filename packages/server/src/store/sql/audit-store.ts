// AuditStore in SQL that both SQLite and PostgreSQL understand.
import type { Kysely } from 'kysely';
import type { AuditStore } from '../audit-store.ts';
import type { AccessTables } from './access-tables.ts';
import type { Work } from './work.ts';

/** Actors whose entries are never deleted. */
const SERVICE_ACTORS = ['house', 'first start'];
const FAILED = 'sign-in failed';

export function createAuditStore(run: Work): AuditStore {
  return {
    audit: ({ at, actor, act, subject, account = null, address = null }) =>
      run(async (tables) => {
        const row = { at, actor, act, subject, account, address };
        await tables
          .insertInto('audit')
          .values(row as AccessTables['audit'])
          .execute();
      }),
    auditLog: ({ account, act, from, to, before, limit }) =>
      run(async (tables) => {
        let query = tables.selectFrom('audit').selectAll();
        if (account !== undefined)
          query = query.where(({ eb, or }) => or([eb('account', '=', account), eb('actor', '=', account)]));
        if (act !== undefined) query = query.where('act', '=', act);
        if (from !== undefined) query = query.where('at', '>=', from);
        if (to !== undefined) query = query.where('at', '<', to);
        if (before !== undefined) query = query.where('id', '<', before);
        return query.orderBy('id', 'desc').limit(limit).execute();
      }),
    pruneAudit: ({ since, maxEntries }) =>
      run(async (tables) => {
        await tables.deleteFrom('audit').where('at', '<', since).where('actor', 'not in', SERVICE_ACTORS).execute();
        const { count } = await tables
          .selectFrom('audit')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow();
        const surplus = Number(count) - maxEntries;
        if (surplus <= 0) return;
        const deleted = await deleteOldest(tables, surplus, true);
        if (deleted < surplus) await deleteOldest(tables, surplus - deleted, false);
      }),
  };
}

/** Returns the number of deleted entries. */
async function deleteOldest(tables: Kysely<AccessTables>, count: number, failedOnly: boolean): Promise<number> {
  const result = await tables
    .deleteFrom('audit')
    .where('id', 'in', (nested) => {
      const oldest = nested.selectFrom('audit').select('id').where('actor', 'not in', SERVICE_ACTORS);
      return (failedOnly ? oldest.where('act', '=', FAILED) : oldest).orderBy('id').limit(count);
    })
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
