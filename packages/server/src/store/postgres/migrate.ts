// Brings a database to the schema of this release, and checks at start whether the schema fits. Concurrent migrations
// take turns by an advisory lock. A newer schema is accepted if it declares that this release is compatible: during a
// rolling upgrade, old gateways keep running beside new ones.
import { SchemaError, StoreError } from '../../errors/store-error.ts';
import { LONG_MS, type PostgresDatabase, type SqlSession } from './database.ts';
import { ACCESS_SCHEMA_NAME, REALMS, type SchemaStep, STEPS } from './schema.ts';

/** Arbitrary number, not used for any other lock. */
const MIGRATION_LOCK = 7_201_001;
const OLDEST_SERVER = 150_000;

export interface SchemaState {
  /** Number of steps taken; 0 if there are no tables yet. */
  readonly version: number;
  readonly compatibleFrom: number;
}

export async function schemaState(database: SqlSession): Promise<SchemaState> {
  const [table] = await database.rows<{ exists: boolean }>(
    `SELECT to_regclass('${ACCESS_SCHEMA_NAME}.schema_steps') IS NOT NULL AS exists`,
  );
  if (!table?.exists) return { version: 0, compatibleFrom: 0 };
  const [row] = await database.rows<{ version: number | null; from: number | null }>(
    `SELECT max(version) AS version, max(compatible_from) AS "from" FROM ${ACCESS_SCHEMA_NAME}.schema_steps`,
  );
  return { version: row?.version ?? 0, compatibleFrom: row?.from ?? 0 };
}

/** Throws if this release cannot work on the database. */
export async function checkSchema(database: PostgresDatabase, steps: readonly SchemaStep[] = STEPS): Promise<void> {
  const { version, compatibleFrom } = await schemaState(database);
  if (version < steps.length) {
    const what =
      version === 0
        ? 'has no Tickwire tables yet'
        : `has schema version ${version}, this Tickwire needs ${steps.length}`;
    throw new SchemaError(`${database.shown} ${what}: run "tickwire migrate"`);
  }
  if (compatibleFrom > steps.length) refuseNewer(database, version, compatibleFrom, steps);
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
    const { version, compatibleFrom } = await schemaState(session);
    if (version >= steps.length) {
      if (compatibleFrom > steps.length) refuseNewer(database, version, compatibleFrom, steps);
      return { from: version, to: version };
    }
    if (version === 0) await begin(session);
    for (const [index, step] of steps.entries()) {
      if (index < version) continue;
      await inSchema(session, ACCESS_SCHEMA_NAME, step.access);
      for (const realm of REALMS) await inSchema(session, realm, step.realm);
      await session.run(
        `INSERT INTO ${ACCESS_SCHEMA_NAME}.schema_steps (version, compatible_from, at) VALUES ($1, $2, $3)`,
        [index + 1, step.compatibleFrom, Date.now()],
      );
    }
    return { from: version, to: steps.length };
  });
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
    `CREATE TABLE ${ACCESS_SCHEMA_NAME}.schema_steps (version BIGINT PRIMARY KEY, compatible_from BIGINT NOT NULL, at BIGINT NOT NULL)`,
  );
}

async function inSchema(session: SqlSession, schema: string, sql: string): Promise<void> {
  if (sql.trim() === '') return;
  await session.run(`SET LOCAL search_path = ${schema}`);
  await session.run(sql, undefined, LONG_MS);
}

function refuseNewer(
  database: PostgresDatabase,
  version: number,
  compatibleFrom: number,
  steps: readonly SchemaStep[],
): never {
  throw new SchemaError(
    `${database.shown} has schema version ${version}, which needs a Tickwire that knows version ${compatibleFrom}; this one knows ${steps.length}: run the newer release`,
  );
}
