// AuditStore in SQL that both SQLite and PostgreSQL understand.
import type { AuditRecord, AuditStore } from '../audit-store.ts';
import { change, rows, run, type SharedWork, type SqlValue, type WorkRunner } from './shared-work.ts';
import { columnsWithout, insert, storedFields } from './stored-fields.ts';
import * as tables from './tables/access-tables.ts';

const NEW_ENTRIES = storedFields(tables.AUDIT, columnsWithout(tables.AUDIT, 'id'));
/** Entries of the service itself are never deleted. */
const DELETABLE = "actor NOT IN ('house', 'first start')";

export function createAuditStore({ read, share }: WorkRunner): AuditStore {
  return {
    audit: ({ account = null, address = null, ...entry }) =>
      share(() => insert(NEW_ENTRIES, [{ ...entry, account, address }])),
    auditLog: ({ account, action, from, to, before, limit }) =>
      read(() => {
        const values: SqlValue[] = [];
        const where = ['true'];
        if (account !== undefined) where.push(`(account = $${values.push(account)} OR actor = $${values.length})`);
        if (action !== undefined) where.push(`action = $${values.push(action)}`);
        if (from !== undefined) where.push(`at >= $${values.push(from)}`);
        if (to !== undefined) where.push(`at < $${values.push(to)}`);
        if (before !== undefined) where.push(`id < $${values.push(before)}`);
        const last = `ORDER BY id DESC LIMIT $${values.push(limit)}`;
        return rows<AuditRecord>(`SELECT * FROM audit WHERE ${where.join(' AND ')} ${last}`, ...values);
      }),
    pruneAudit: ({ since, maxEntries }) =>
      share(function* () {
        yield* run(`DELETE FROM audit WHERE at < $1 AND ${DELETABLE}`, since);
        const [entries] = yield* rows<{ count: number }>('SELECT count(*) AS count FROM audit');
        const surplus = entries!.count - maxEntries;
        if (surplus <= 0) return;
        const deleted = yield* deleteOldest(surplus, `${DELETABLE} AND action = 'sign-in failed'`);
        if (deleted < surplus) yield* deleteOldest(surplus - deleted, DELETABLE);
      }),
  };
}

/** Returns the number of deleted entries. */
const deleteOldest = (count: number, which: string): SharedWork<number> =>
  change(`DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE ${which} ORDER BY id LIMIT $1)`, count);
