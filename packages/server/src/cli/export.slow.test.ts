import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { runHere } from '../../testing/command.fixture.ts';
import { postgresForTests } from '../../testing/external-services.fixture.ts';
import { runTickwire } from '../../testing/process.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { type TestDatabase, testDatabase } from '../../testing/store/postgres-database.fixture.ts';
import { minuteBar } from '../../testing/store/samples.fixture.ts';
import { createDemoKey } from '../access/first-start.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';

const folder = temporaryFolder();
const data = join(folder, 'data');
const file = join(folder, 'moved.gz');
beforeAll(async () => {
  const store = openSqliteStore({ folder: data, realm: 'sim', exclusive: true });
  await createDemoKey(store.access);
  const bars = Array.from({ length: 1_234 }, (_, index) => minuteBar(index));
  await store.market.write({ bars, prices: [], barsUntil: 1 });
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('tickwire export and import', () => {
  test('move an embedded store into another folder, and show the row counts of both sides', async () => {
    const exported = await runTickwire(['export', file], { data });
    expect(exported).toMatchObject({ status: 0, err: '' });
    expect(exported.out).toMatch(/^sim\.bars +1,234$/m);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const copy = join(folder, 'copy');
    const imported = await runTickwire(['import', file], { data: copy });
    // On a busy machine, it takes long enough for lines of progress.
    expect(imported).toMatchObject({ status: 0, err: expect.stringMatching(/^(import .+\n)*$/) });
    expect(imported.out).toMatch(/^sim\.bars +1,234 +1,234$/m);
    expect(imported.out).toContain('all row counts match');
    const keys = await runHere(['keys', 'list', '--json'], { data: copy });
    expect(JSON.parse(keys.out)).toMatchObject({ name: 'demo', tier: 'premium' });
  });

  test('never overwrite data', async () => {
    expect(await runHere(['export', file], { data })).toMatchObject({ status: 1, out: '' });
    const refused = await runHere(['import', file], { data });
    expect(refused.status).toBe(1);
    expect(refused.err).toContain('already exists');
  });

  test('give a one-line error for a bad file or folder, and leave nothing half done', async () => {
    const missing = await runHere(['export', join(folder, 'none.gz')], { data: join(folder, 'none') });
    expect(missing).toMatchObject({ status: 1, out: '' });
    expect(missing.err).toContain('there is nothing to export');
    expect(existsSync(join(folder, 'none.gz.part'))).toBe(false);
    const broken = join(folder, 'broken.gz');
    writeFileSync(broken, gzipSync('{"tickwire_export":4,"rows":0}\n'));
    const cut = await runHere(['import', broken], { data: join(folder, 'half') });
    expect(cut).toMatchObject({ status: 1, out: '' });
    expect(cut.err).toBe('tickwire: the export is truncated: its footer is missing\n');
    expect(existsSync(join(folder, 'half', 'tickwire.db'))).toBe(false);
    expect(await runHere(['export'], { data })).toMatchObject({ status: 2 });
    expect(await runHere(['migrate'], { data })).toMatchObject({ status: 2 });
  });
});

const server = await postgresForTests();

describe.skipIf(server === null)('with PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase(server!, { empty: true });
  });
  afterAll(() => database.dispose());

  test('migrate creates the tables, import fills them once, and the other commands use them', async () => {
    const settings = { data: join(folder, 'elsewhere'), database_url: database.url };
    const early = await runTickwire(['import', file], settings);
    expect(early.err).toContain('run "tickwire migrate"');
    expect((await runTickwire(['migrate'], settings)).out).toContain('from schema version 0 to');
    expect((await runTickwire(['migrate'], settings)).out).toContain('already');
    const imported = await runTickwire(['import', file], settings);
    expect(imported).toMatchObject({ status: 0, err: '' });
    expect(imported.out).toMatch(/^sim\.bars +1,234 +1,234$/m);
    const again = await runTickwire(['import', file], settings);
    expect(again).toMatchObject({ status: 1, out: '' });
    expect(again.err).toContain('is not empty');
    const made = await runTickwire(['keys', 'create', '--name', 'later', '--json'], settings);
    expect(JSON.parse(made.out)).toMatchObject({ account: 'later', tier: 'free' });
    const audit = await runTickwire(['audit'], settings);
    expect(audit.out).toContain('store imported');
    const doctor = await runTickwire(['doctor', '--json'], { ...settings, port: '0', metrics_port: 'off' });
    expect(doctor.out).toContain('schema is up to date');
    const backup = await runTickwire(['backup', join(folder, 'backup')], settings);
    expect(backup.out).toContain('tickwire.export.gz');
  });

  test('an unreachable database gives a one-line error without its password', async () => {
    const url = 'postgres://someone:secret@127.0.0.1:1/nothing';
    const refused = await runTickwire(['keys', 'list'], { data, database_url: url });
    expect(refused).toMatchObject({ status: 1, out: '' });
    expect(refused.err).toMatch(/^tickwire: postgres:\/\/127\.0\.0\.1:1\/nothing .*\n$/);
    expect(refused.err).not.toContain('secret');
  });
});
