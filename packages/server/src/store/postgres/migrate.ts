// Brings a database to the schema of this release, and checks at start whether the schema fits. Concurrent migrations
// take turns by an advisory lock. A newer schema is accepted if it declares that this release is compatible: during a
// rolling upgrade, old gateways keep running beside new ones.
import { SchemaError, StoreError } from '../../errors/store-error.ts';
import { LONG_MS, type PostgresDatabase, type SqlSession } from './database.ts';
import { ACCESS_SCHEMA_NAME, CREATE, REALMS, type SchemaSql, type SchemaStep, STEPS, versionOf } from './schema.ts';

/** Arbitrary number, not used for any other lock. */
const MIGRATION_LOCK = 7_201_001;
const OLDEST_SERVER = 150_000;
/** The versions that the database had. */
const VERSIONS = `${ACCESS_SCHEMA_NAME}.schema_log`;
/** The same table of development versions before the first release. */
const EARLIER = "'schema_steps', 'schema_versions', 'schema_history'";

export interface SchemaState {
  /** 0 if there are no tables yet. */
  readonly version: number;
  readonly compatibleFrom: number;
}

/** Throws if a development version before the first release has written the database: it had other tables. */
export async function schemaState(database: PostgresDatabase, session: SqlSession = database): Promise<SchemaState> {
  const [exists] = await session.rows<{ current: boolean; earlier: boolean }>(
    `SELECT to_regclass('${VERSIONS}') IS NOT NULL AS current, EXISTS (
      SELECT FROM pg_tables WHERE schemaname = '${ACCESS_SCHEMA_NAME}' AND tablename IN (${EARLIER})
    ) AS earlier`,
  );
  if (exists!.earlier)
    throw new SchemaError(
      `${database.shown} was written by an earlier development version of Tickwire, which this version cannot read: use a new database`,
    );
  if (!exists!.current) return { version: 0, compatibleFrom: 0 };
  const [row] = await session.rows<{ version: number | null; from: number | null }>(
    `SELECT max(version) AS version, max(compatible_from) AS "from" FROM ${VERSIONS}`,
  );
  return { version: row?.version ?? 0, compatibleFrom: row?.from ?? 0 };
}

/** Throws if this release cannot work on the database. */
export async function checkSchema(database: PostgresDatabase, steps: readonly SchemaStep[] = STEPS): Promise<void> {
  const { version, compatibleFrom } = await schemaState(database);
  const newest = versionOf(steps);
  if (version < newest) {
    const what =
      version === 0 ? 'has no Tickwire tables yet' : `has schema version ${version}, this Tickwire needs ${newest}`;
    const otherwise = version === 0 ? '' : ', or use the release that the service runs';
    throw new SchemaError(`${database.shown} ${what}: run "tickwire migrate"${otherwise}`);
  }
  if (compatibleFrom > newest) refuseNewer(database, version, compatibleFrom, newest);
}

/** Returns the versions before and after. */
export async function migrateSchema(
  database: PostgresDatabase,
  steps: readonly SchemaStep[] = STEPS,
): Promise<{ readonly from: number; readonly to: number }> {
  return database.transaction(async (session) => {
    await session.run(`SET LOCAL lock_timeout = ${LONG_MS}`);
    await session.run('SET LOCAL idle_in_transaction_session_timeout = 0');
    await session.rows('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK], LONG_MS);
    const [server] = await session.rows<{ number: number; name: string }>(
      "SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS name",
    );
    if (server!.number < OLDEST_SERVER)
      throw new StoreError(`${database.shown} is PostgreSQL ${server!.name}: Tickwire needs 15 or newer`);
    const { version, compatibleFrom } = await schemaState(database, session);
    const newest = versionOf(steps);
    if (version >= newest) {
      if (compatibleFrom > newest) refuseNewer(database, version, compatibleFrom, newest);
      return { from: version, to: version };
    }
    if (version === 0) {
      await begin(session);
      await take(session, CREATE, newest, steps.at(-1)?.compatibleFrom ?? 1);
    } else
      for (const [index, step] of steps.entries())
        if (index + 2 > version) await take(session, step, index + 2, step.compatibleFrom);
    return { from: version, to: newest };
  });
}

async function take(session: SqlSession, sql: SchemaSql, version: number, compatibleFrom: number): Promise<void> {
  await inSchema(session, ACCESS_SCHEMA_NAME, sql.access);
  for (const realm of REALMS) await inSchema(session, realm, sql.realm);
  await session.run(`INSERT INTO ${VERSIONS} (version, compatible_from, at) VALUES ($1, $2, $3)`, [
    version,
    compatibleFrom,
    Date.now(),
  ]);
}

async function begin(session: SqlSession): Promise<void> {
  for (const schema of [ACCESS_SCHEMA_NAME, ...REALMS]) {
    const [taken] = await session.rows('SELECT 1 FROM pg_class WHERE relnamespace = to_regnamespace($1)::oid LIMIT 1', [
      schema,
    ]);
    if (taken)
      throw new StoreError(`the schema ${schema} is already in use by something else: give Tickwire its own database`);
    await session.run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  }
  await session.run(
    `CREATE TABLE ${VERSIONS} (version BIGINT PRIMARY KEY, compatible_from BIGINT NOT NULL, at BIGINT NOT NULL)`,
  );
}

async function inSchema(session: SqlSession, schema: string, sql: string): Promise<void> {
  if (sql.trim() === '') return;
  await session.run(`SET LOCAL search_path = ${schema}`);
  await session.run(sql, undefined, LONG_MS);
}

function refuseNewer(database: PostgresDatabase, version: number, compatibleFrom: number, newest: number): never {
  throw new SchemaError(
    `${database.shown} has schema version ${version}, which needs a Tickwire that knows version ${compatibleFrom}; this one knows ${newest}: run the newer release`,
  );
}
