// Firings in SQL. What firings of an account have in common is stored once, and the totals of each account are kept beside them, so
// that its oldest firings can be removed when it has too many.
import { sha256Hex } from '../../ops/sha256.ts';
import type { FiringBound, FiringRow, WrittenFirings } from '../alert-store.ts';
import { rows, rowsFor, run, runFor, type SharedWork, type SqlValue } from './shared-work.ts';
import { columnsWithout, storedFields } from './stored-fields.ts';
import * as tables from './tables/alert-tables.ts';

const FIRINGS = storedFields(tables.FIRINGS, columnsWithout(tables.FIRINGS, 'n'));
const ROW = storedFields(tables.FIRINGS, columnsWithout(tables.FIRINGS, 'n', 'version', 'size'));
const VERSIONS = storedFields(tables.ALERT_VERSIONS);
const TOTALS = storedFields(tables.FIRING_TOTALS);

/** Firings removed in one transaction, which blocks the event loop on SQLite. An account that has far more loses them in steps. */
const REMOVED_AT_ONCE = 2_000;

interface StoredFiring {
  readonly n: number;
  readonly account: string;
  readonly version: string;
  readonly size: number;
}
const STORED = 'n, account, version, size';

/** Firings that match a condition, newest first. */
export function* selectFirings(where: string, values: readonly SqlValue[], limit: number): SharedWork<FiringRow[]> {
  const about = '(SELECT v.about FROM alert_versions v WHERE v.id = firings.version) AS about';
  const last = `ORDER BY n DESC LIMIT $${values.length + 1}`;
  return yield* rows<FiringRow>(`SELECT ${ROW.select}, ${about} FROM firings WHERE ${where} ${last}`, ...values, limit);
}

export function* insertFirings(
  firings: readonly FiringRow[],
  boundOf: ((account: string) => FiringBound) | undefined,
): SharedWork<WrittenFirings> {
  const given = firings.map(({ about, ...firing }) => ({
    ...firing,
    version: sha256Hex(`${firing.account}\n${firing.alert}\n${about}`).slice(0, 32),
    size: Buffer.byteLength(about) + Buffer.byteLength(firing.body),
  }));
  const versions = new Map(given.map(({ version, account }, at) => [version, { account, about: firings[at]!.about }]));
  yield* runFor(
    `${VERSIONS.insert} ON CONFLICT (id) DO NOTHING`,
    VERSIONS.columns,
    [...versions].map(([id, version]) => ({ id, ...version })),
  );
  const inserted = yield* rowsFor<{ id: string }, keyof typeof FIRINGS.columns>(
    `${FIRINGS.insert} ON CONFLICT (alert, cause) DO NOTHING RETURNING id`,
    FIRINGS.columns,
    given,
  );
  const ids = new Set(inserted.map(({ id }) => id));
  if (ids.size < given.length) yield* dropVersions(versions.keys());
  const sums = totalsOf(given.filter(({ id }) => ids.has(id)));
  const totals = yield* rowsFor<{ account: string } & FiringBound, keyof typeof TOTALS.columns>(
    `${TOTALS.insert} ON CONFLICT (account) DO UPDATE SET firings = firing_totals.firings + excluded.firings,
       bytes = firing_totals.bytes + excluded.bytes RETURNING account, firings, bytes`,
    TOTALS.columns,
    [...sums].map(([account, sum]) => ({ account, ...sum, removed: 0 })),
  );
  let removed = 0;
  for (const { account, ...total } of totals) if (boundOf) removed += yield* bound(account, total, boundOf(account));
  return { firings: firings.filter(({ id }) => ids.has(id)), removed };
}

/** Removes the oldest firings of an account that has more than its bound. */
function* bound(account: string, total: FiringBound, allowed: FiringBound): SharedWork<number> {
  let { firings, bytes } = total;
  if (firings <= allowed.firings && bytes <= allowed.bytes) return 0;
  const oldest = yield* rows<StoredFiring>(
    `SELECT ${STORED} FROM firings WHERE account = $1 ORDER BY n LIMIT ${REMOVED_AT_ONCE}`,
    account,
  );
  let count = 0;
  for (; count < oldest.length && (firings > allowed.firings || bytes > allowed.bytes); count++) {
    firings--;
    bytes -= oldest[count]!.size;
  }
  yield* deleteFirings(oldest.slice(0, count));
  yield* run('UPDATE firing_totals SET removed = removed + $1 WHERE account = $2', count, account);
  return count;
}

/** Deletes firings before a time. */
export function* pruneFirings(before: number, atMost: number): SharedWork<number> {
  const old = yield* rows<StoredFiring>(
    `SELECT ${STORED} FROM firings WHERE fired_at < $1 ORDER BY fired_at LIMIT $2`,
    before,
    atMost,
  );
  yield* deleteFirings(old);
  return old.length;
}

function* deleteFirings(firings: readonly StoredFiring[]): SharedWork<void> {
  yield* runFor(
    'DELETE FROM firings WHERE n IN (SELECT r.gone FROM {records})',
    { gone: 'int' },
    firings.map(({ n }) => ({ gone: n })),
  );
  yield* runFor(
    `UPDATE firing_totals SET firings = firing_totals.firings - r.fewer, bytes = firing_totals.bytes - r.lighter FROM {records}
     WHERE account = r.owner`,
    { owner: 'text', fewer: 'int', lighter: 'int' },
    [...totalsOf(firings)].map(([owner, sum]) => ({ owner, fewer: sum.firings, lighter: sum.bytes })),
  );
  yield* dropVersions(new Set(firings.map(({ version }) => version)));
}

/** Deletes those that no firing has. */
function* dropVersions(versions: Iterable<string>): SharedWork<void> {
  yield* runFor(
    `DELETE FROM alert_versions WHERE id IN (SELECT r.version FROM {records})
       AND NOT EXISTS (SELECT 1 FROM firings f WHERE f.version = alert_versions.id)`,
    { version: 'text' },
    [...versions].map((version) => ({ version })),
  );
}

function totalsOf(firings: Iterable<Pick<StoredFiring, 'account' | 'size'>>): Map<string, FiringBound> {
  const totals = new Map<string, FiringBound>();
  for (const { account, size } of firings) {
    const { firings: count, bytes } = totals.get(account) ?? { firings: 0, bytes: 0 };
    totals.set(account, { firings: count + 1, bytes: bytes + size });
  }
  return totals;
}
