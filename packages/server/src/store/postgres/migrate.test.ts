import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { postgresForTests } from '../../../testing/external-services.fixture.ts';
import { type TestDatabase, testDatabase } from '../../../testing/store/postgres-database.fixture.ts';
import { key, refusalOf } from '../../../testing/store/samples.fixture.ts';
import { someSignals } from '../../../testing/store/signal-samples.fixture.ts';
import { parsePostgresAddress } from '../../config/postgres-address.ts';
import { StoreError } from '../../errors/store-error.ts';
import { NameTakenError } from '../access-store.ts';
import { PostgresDatabase } from './database.ts';
import { migrateSchema, schemaState } from './migrate.ts';
import { openPostgresStore } from './open-postgres-store.ts';
import { type SchemaStep, STEPS } from './schema.ts';

const server = await postgresForTests();

/** A step of the next release that only adds: older code keeps working. */
const ADDING: SchemaStep = {
  access: 'ALTER TABLE keys ADD COLUMN colour TEXT; CREATE TABLE colours (name TEXT)',
  realm: "ALTER TABLE signals ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'; CREATE TABLE moods (name TEXT)",
  compatibleFrom: 1,
};
/** A step of a later release, once no old code runs any more. */
const REMOVING: SchemaStep = {
  access: 'ALTER TABLE answers DROP COLUMN answer',
  realm: '',
  compatibleFrom: STEPS.length + 2,
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
    place = await testDatabase(server!, []);
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
    expect(await migrateSchema(database)).toEqual({ from: 0, to: STEPS.length });
    await (await open()).close();
    expect(await migrateSchema(database)).toEqual({ from: STEPS.length, to: STEPS.length });
  });

  test('accounts of the first version stay, and example publishers are known from the audit log', async () => {
    await migrateSchema(database, STEPS.slice(0, 1));
    for (const [id, name] of [
      [101, 'Ada'],
      [112, 'House Trend'],
    ])
      await place.ask(
        "INSERT INTO tickwire.accounts (id, public_id, name, tier, created_at) VALUES ($1, 'pub_' || $2, $2, 'pro', 1)",
        [id, name],
      );
    await place.ask(
      `INSERT INTO tickwire.audit (at, actor, act, subject)
       VALUES (1, 'house', 'account created', '112 House Trend (premium)'), (1, 'house', 'key created', 'k1 of House Trend')`,
    );
    await place.ask(
      "INSERT INTO tickwire.names (name, account_id, given_at) VALUES ('ada', 101, 1), ('formerly', 101, 1)",
    );
    await migrateSchema(database);
    const store = await open();
    for (const taken of ['Аdа', 'Fоrmerly', 'H0use Trend'])
      expect(await refusalOf(store.access.createAccount(taken, 'free', 5))).toBeInstanceOf(NameTakenError);
    expect((await store.access.accounts()).map(({ name, house }) => [name, house])).toEqual([
      ['Ada', false],
      ['House Trend', true],
    ]);
    await store.close();
  });

  test('concurrent migrations run each step once', async () => {
    const others = [0, 1].map(
      () =>
        new PostgresDatabase({ address: parsePostgresAddress(place.url), searchPath: ['tickwire'], connections: 1 }),
    );
    const done = await Promise.all([database, ...others].map((each) => migrateSchema(each)));
    expect(done.map(({ from }) => from).sort()).toEqual([0, STEPS.length, STEPS.length]);
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

  test('the audit log and the demo key of the first release are kept', async () => {
    await migrateSchema(database, STEPS.slice(0, 1));
    await place.ask("INSERT INTO tickwire.accounts VALUES (1, 'pub_1', 'demo', 'pro', 7)");
    await place.ask(
      "INSERT INTO tickwire.keys VALUES ('k', 1, 'demo', '', 'read', 1), ('l', 1, 'demo', '', 'read', 1)",
    );
    await place.ask(
      "INSERT INTO tickwire.audit VALUES (1, 5, 'first start', 'key created', 'k of demo (read)'), (2, 6, 'pub_1', 'signed up', 'demo')",
    );
    await migrateSchema(database);
    const store = await open();
    expect(await store.access.auditLog({ limit: 10 })).toMatchObject([
      { id: 2, actor: 'pub_1', account: 'pub_1', address: null },
      { id: 1, actor: 'first start', account: null, address: null },
    ]);
    expect(await place.ask('SELECT id, demo FROM tickwire.keys ORDER BY id')).toEqual([
      { id: 'k', demo: 1 },
      { id: 'l', demo: 0 },
    ]);
    await store.close();
  });

  test('signals of earlier releases keep their results, under rules version 1', async () => {
    await migrateSchema(database, STEPS.slice(0, 4));
    const published = {
      ...{ direction: 'sell', order: 'limit', entry: 1.1, stop_loss: 1.11, take_profit: 1.05 },
      ...{ entry_deadline: 'then', quote: { source: 'oanda' } },
    };
    const closed = { closed_at: 'before', gap_from: 'x', decided: { source: 'push:pub_2' } };
    for (const [n, record] of [{}, published, closed, published].entries())
      await place.ask('INSERT INTO sim.signal_log VALUES ($1, $2, $3)', [n, `h${n}`, JSON.stringify(record)]);
    await place.ask(
      `INSERT INTO sim.signals (published_n, id, publisher, symbol, closed_n, published_at, quote_at, filled_at, closed_at,
         decided_at, reason, pnl_r, ranked, fill)
       VALUES (1, 'sig_1', 'pub_1', 'EURUSD', 2, 10, 9, NULL, 20, 19, 'unfilled', 0, 0, NULL),
         (3, 'sig_3', 'pub_1', 'EURUSD', NULL, 30, 29, 31, NULL, NULL, NULL, NULL, NULL, $1)`,
      [JSON.stringify({ price: 1, at: 31, evidence: { source: 'sim' } })],
    );
    await migrateSchema(database);
    const store = await open();
    const [done, active] = await store.signals.outcomes();
    const facts = { rules: 1, direction: 'sell', order: 'limit', source: 'oanda' };
    expect(done).toMatchObject({
      ...facts,
      ...{ reason: 'unfilled', pnlR: 0, rankR: 0, gap: true, selfSourced: false, withdrawn: true },
      ...{ decidedSource: 'push:pub_2', filledSource: null, voided: false },
    });
    expect(done!.plannedRisk).toBeCloseTo(0.01, 9);
    expect(active).toMatchObject({ ...facts, filledAt: 31, filledSource: 'sim', closedN: null, withdrawn: false });
    expect((await store.signals.events(0, 9)).map(({ stream, record: { n } }) => [stream, n])).toEqual([
      ['published', 1],
      ['closed', 2],
      ['published', 3],
    ]);
    // An ingest node of an earlier release cannot write any more.
    const old = place.ask(
      `INSERT INTO sim.signals (published_n, id, publisher, symbol, published_at, quote_at) VALUES (0, 'a', 'b', 'c', 1, 1)`,
    );
    expect(await refusalOf(old)).toBeInstanceOf(Error);
    await store.close();
  });

  test('a failing step leaves the database unchanged', async () => {
    await migrateSchema(database);
    const broken: SchemaStep = { ...ADDING, realm: 'CREATE TABLE half (a TEXT); SELECT nonsense' };
    expect(await messageOf(migrateSchema(database, [...STEPS, broken]))).toContain('nonsense');
    const { compatibleFrom } = STEPS.at(-1)!;
    expect(await schemaState(database)).toEqual({ version: STEPS.length, compatibleFrom });
    const [half] = await place.ask<{ there: boolean }>("SELECT to_regclass('sim.half') IS NOT NULL AS there");
    expect(half).toEqual({ there: false });
  });

  test('a database whose schema names are in use by something else is left alone', async () => {
    await place.ask('CREATE SCHEMA live');
    await place.ask('CREATE TABLE live.concerts (id int)');
    expect(await messageOf(migrateSchema(database))).toContain('in use by something else');
  });
});
