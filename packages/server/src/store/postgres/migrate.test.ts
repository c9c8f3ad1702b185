import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { postgresForTests } from '../../../testing/external-services.fixture.ts';
import { type TestDatabase, testDatabase } from '../../../testing/store/postgres-database.fixture.ts';
import { key, refusalOf } from '../../../testing/store/samples.fixture.ts';
import { someSignals } from '../../../testing/store/signal-samples.fixture.ts';
import { parsePostgresAddress } from '../../config/postgres-address.ts';
import { SchemaError, StoreError } from '../../errors/store-error.ts';
import { PostgresDatabase } from './database.ts';
import { migrateSchema, schemaState } from './migrate.ts';
import { openPostgresStore } from './open-postgres-store.ts';
import { type SchemaStep, STEPS, versionOf } from './schema.ts';

const server = await postgresForTests();

/** A step of the next release that only adds: older code keeps working. */
const ADDING: SchemaStep = {
  access: 'ALTER TABLE keys ADD COLUMN colour TEXT; CREATE TABLE colours (name TEXT)',
  realm: "ALTER TABLE signals ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'; CREATE TABLE moods (name TEXT)",
  compatibleFrom: 1,
};
/** A step of a later release, once no old code runs any more. */
const REMOVING: SchemaStep = {
  access: 'ALTER TABLE idempotent_responses DROP COLUMN response',
  realm: '',
  compatibleFrom: versionOf([...STEPS, ADDING]) + 1,
};

describe.skipIf(server === null)('migrations', () => {
  let place: TestDatabase;
  let database: PostgresDatabase;
  const open = (steps?: readonly SchemaStep[]) =>
    openPostgresStore({
      url: place.url,
      realm: 'sim',
      role: 'service',
      folder: '/nonexistent',
      ...(steps && { steps }),
    });
  beforeEach(async () => {
    place = await testDatabase(server!, { empty: true });
    database = new PostgresDatabase({
      address: parsePostgresAddress(place.url),
      searchPath: ['tickwire'],
      connections: 3,
    });
  });
  afterEach(async () => {
    await database.close();
    await place.dispose();
  });
  const messageOf = async (work: Promise<unknown>): Promise<string> => {
    const refusal = await refusalOf(work);
    expect(refusal).toBeInstanceOf(StoreError);
    return (refusal as Error).message;
  };

  test('a service does not start on a database without tables, and says what to run', async () => {
    expect(await messageOf(open())).toContain('no Tickwire tables yet: run "tickwire migrate"');
    expect(await migrateSchema(database)).toEqual({ from: 0, to: versionOf(STEPS) });
    await (await open()).close();
    expect(await migrateSchema(database)).toEqual({ from: versionOf(STEPS), to: versionOf(STEPS) });
  });

  test('concurrent migrations run each step once', async () => {
    const others = [0, 1].map(
      () =>
        new PostgresDatabase({ address: parsePostgresAddress(place.url), searchPath: ['tickwire'], connections: 1 }),
    );
    const done = await Promise.all([database, ...others].map((each) => migrateSchema(each)));
    expect(done.map(({ from }) => from).sort()).toEqual([0, versionOf(STEPS), versionOf(STEPS)]);
    await Promise.all(others.map((each) => each.close()));
  });

  test('old and new code work side by side on a schema that only added', async () => {
    await migrateSchema(database);
    const old = await open();
    const { id } = await old.access.createAccount('Ada', 'free', 1);
    await migrateSchema(database, [...STEPS, ADDING]);
    // Running stores keep working, and new ones start.
    await old.access.addKey(key('a', id));
    const next = await open([...STEPS, ADDING]);
    const another = await open();
    await another.signals.write(someSignals);
    await next.access.addKey(key('b', id));
    expect(await old.access.keys()).toHaveLength(2);
    expect((await next.signals.tail())?.n).toBe(4);
    await Promise.all([old, next, another].map((store) => store.close()));
  });

  test('new code does not start on an old schema, nor old code on an incompatible new one', async () => {
    await migrateSchema(database);
    expect(await messageOf(open([...STEPS, ADDING]))).toContain('run "tickwire migrate"');
    await migrateSchema(database, [...STEPS, ADDING, REMOVING]);
    expect(await messageOf(open())).toContain('run the newer release');
    expect(await messageOf(migrateSchema(database))).toContain('run the newer release');
  });

  test('a failing step leaves the database unchanged', async () => {
    await migrateSchema(database);
    const broken: SchemaStep = { ...ADDING, realm: 'CREATE TABLE half (a TEXT); SELECT nonsense' };
    expect(await messageOf(migrateSchema(database, [...STEPS, broken]))).toContain('nonsense');
    expect(await schemaState(database)).toEqual({ version: versionOf(STEPS), compatibleFrom: 1 });
    const [half] = await place.ask<{ there: boolean }>("SELECT to_regclass('sim.half') IS NOT NULL AS there");
    expect(half).toEqual({ there: false });
  });

  const earlier = ['schema_steps', 'schema_versions', 'schema_history'];
  test.each(earlier)('a database of a development version is refused in one line and left alone: %s', async (name) => {
    await place.ask('CREATE SCHEMA tickwire');
    await place.ask(`CREATE TABLE tickwire.${name} (version BIGINT)`);
    const refusals = await Promise.all([open(), migrateSchema(database)].map(refusalOf));
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(SchemaError);
      expect((refusal as Error).message).toBe(
        `${database.shown} was written by an earlier development version of Tickwire, which this version cannot read: use a new database`,
      );
    }
    expect(await place.ask("SELECT tablename FROM pg_tables WHERE schemaname = 'tickwire'")).toEqual([
      { tablename: name },
    ]);
  });

  test('a database whose schema names are in use by something else is left alone', async () => {
    await place.ask('CREATE SCHEMA live');
    await place.ask('CREATE TABLE live.concerts (id int)');
    expect(await messageOf(migrateSchema(database))).toContain('in use by something else');
  });
});
