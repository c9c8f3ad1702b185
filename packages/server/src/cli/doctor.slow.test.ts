import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runHere } from '../../testing/command.fixture.ts';
import { postgresForTests } from '../../testing/external-services.fixture.ts';
import { preparedFolder } from '../../testing/prepared-folder.fixture.ts';
import { killLeftovers, runTickwire, ServiceProcess } from '../../testing/process.fixture.ts';
import { type Settings, temporaryFolder } from '../../testing/service.fixture.ts';
import { reportSkipped } from '../../testing/skipped.fixture.ts';
import { testDatabase } from '../../testing/store/postgres-database.fixture.ts';
import { STANDING_BY, startStandbyServer } from '../app/standby-server.ts';
import { loadConfig } from '../config/config.ts';
import { Ports } from '../http/ports.ts';
import { silentLog } from '../ops/log.ts';

interface Finding {
  readonly part: string;
  readonly state: string;
  readonly what: string;
}

const postgres = await postgresForTests();
let data: string;
const spoilt = temporaryFolder();
let service: ServiceProcess;
const foreign = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('somebody else') });

beforeAll(async () => {
  ({ data } = await preparedFolder());
  service = await ServiceProcess.start({ data, news: 'none' });
});
afterAll(async () => {
  await service.stop();
  await foreign.stop(true);
  await killLeftovers();
  for (const folder of [data, spoilt]) rmSync(folder, { recursive: true, force: true });
});

async function examine(settings: Settings): Promise<{ status: number; findings: Finding[] }> {
  const { status, out } = await runHere(['doctor', '--json'], settings);
  const lines = out.trim().split('\n');
  return { status, findings: lines.map((line) => JSON.parse(line) as Finding) };
}
const failures = (findings: Finding[]): string[] =>
  findings.filter(({ state }) => state === 'fail').map(({ part }) => part);

describe('without problems', () => {
  test('before the first start', async () => {
    const { status, findings } = await examine({ data: join(spoilt, 'new'), port: '0' });
    expect([status, failures(findings)]).toEqual([0, []]);
    expect(findings.map(({ part }) => part)).toEqual(
      expect.arrayContaining([
        'runtime',
        'configuration',
        'headline model',
        'open files',
        'instruments',
        'calendars',
        'disk',
        'store',
        'port',
        'feeds',
      ]),
    );
    expect(findings.find(({ part }) => part === 'store')!.what).toContain('the first start creates it');
  });

  test('while the service runs, checks the service', async () => {
    const { status, findings } = await examine({ data, port: new URL(service.url).port });
    expect([status, failures(findings)]).toEqual([0, []]);
    const said = Object.fromEntries(findings.map(({ part, what }) => [part, what]));
    expect(said.port).toBe(`the service is running at ${service.url}`);
    expect([said['service store'], said['service feed sim'], said.service]).toEqual(['ok', 'ok', 'ok']);
    expect(said.store).toMatch(/^(\d+) of \1 files are intact$/);
  });

  test('on a standby ingest node', async () => {
    const config = loadConfig({ flags: { data: spoilt, port: '0' }, env: {}, cwd: spoilt });
    const checks = (): Record<string, string> => ({ ingest: STANDING_BY });
    const ports = new Ports(silentLog);
    const standby = startStandbyServer({ config, ports, tls: null, checks, ready: () => true, stopping: () => false });
    const { status, findings } = await examine({ data: join(spoilt, 'new'), port: String(standby.port) });
    await standby.stop();
    ports.stop();
    expect([status, failures(findings)]).toEqual([0, []]);
    expect(findings.find(({ part }) => part === 'service ingest')).toMatchObject({ what: 'standing by' });
  });

  test('prints a line for each part without --json', async () => {
    const { status, out } = await runTickwire(['doctor'], { data, port: new URL(service.url).port });
    expect(status).toBe(0);
    for (const line of out.trim().split('\n')) expect(line).toMatch(/^(ok {2}|warn) {2}\w+/);
  });
});

describe('reports', () => {
  test('a port in use by another program', async () => {
    const { status, findings } = await examine({ data, port: String(foreign.port) });
    expect([status, failures(findings)]).toEqual([1, ['port']]);
    expect(findings.find(({ part }) => part === 'port')!.what).toContain('set TICKWIRE_PORT to a free port');
  });

  test('a corrupt file by name, with what to do', async () => {
    const folder = join(spoilt, 'corrupt');
    cpSync(data, folder, { recursive: true });
    const file = join(folder, 'sim', 'market.db');
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
    writeFileSync(file, Buffer.alloc(8_192, 'garbage'));
    const { status, findings } = await examine({ data: folder, port: '0' });
    expect([status, failures(findings)]).toEqual([1, ['store']]);
    expect(findings.find(({ state }) => state === 'fail')!.what).toMatch(/market\.db is damaged .*restore a backup/);
  });

  test('files of a read-only folder as such, and does not advise to move them', async () => {
    const disk = temporaryFolder();
    const mount = (...options: string[]): boolean =>
      Bun.spawnSync(['mount', '-t', 'tmpfs', ...options, 'tmpfs', disk]).success;
    if (!mount()) return reportSkipped('a test with a read-only folder', 'no file system can be mounted here');
    const folder = join(disk, 'data');
    // Copied from a service that has stopped, so that nothing but the files themselves is there.
    const { data: stopped } = await preparedFolder();
    cpSync(stopped, folder, { recursive: true });
    mount('-o', 'remount,ro');
    const { status, findings } = await examine({ data: folder, port: '0' });
    Bun.spawnSync(['umount', disk]);
    for (const each of [disk, stopped]) rmSync(each, { recursive: true, force: true });
    expect([status, new Set(failures(findings))]).toEqual([1, new Set(['disk', 'store'])]);
    for (const { what } of findings.filter(({ part, state }) => part === 'store' && state === 'fail'))
      expect(what).toMatch(/\.db cannot be opened for writing: check the folder and its permissions \(SQLITE_\w+\)$/);
  });

  test('a data folder of an earlier development version, in one line', async () => {
    const folder = join(spoilt, 'earlier');
    cpSync(data, folder, { recursive: true });
    for (const name of ['tickwire.db', 'sim/market.db']) {
      const database = new Database(join(folder, name));
      database.run('PRAGMA application_id = 0');
      database.close();
    }
    const { status, findings } = await examine({ data: folder, port: '0' });
    expect(status).toBe(1);
    expect(findings.filter(({ part }) => part === 'store').map(({ what }) => what)).toEqual([
      `${join(folder, 'tickwire.db')} was written by an earlier development version of Tickwire, which this version cannot read: move the data folder away, or set TICKWIRE_DATA to another one`,
    ]);
  });

  test.skipIf(postgres === null)('a database of an earlier development version', async () => {
    const place = await testDatabase(postgres!, { empty: true });
    await place.ask('CREATE SCHEMA tickwire');
    await place.ask('CREATE TABLE tickwire.schema_steps (version BIGINT)');
    const { status, findings } = await examine({
      data: join(spoilt, 'new'),
      port: '0',
      database_url: place.url,
    }).finally(() => place.dispose());
    expect([status, failures(findings)]).toEqual([1, ['store']]);
    expect(findings.find(({ part }) => part === 'store')!.what).toMatch(
      /^\S+ was written by an earlier development version of Tickwire, which this version cannot read: use a new database$/,
    );
  });

  test('a key file that does not exist', async () => {
    const { status, findings } = await examine({ data, port: '0', log_key: join(spoilt, 'mistyped.pem') });
    expect([status, failures(findings)]).toEqual([1, ['key files']]);
    expect(findings.find(({ part }) => part === 'key files')!.what).toContain('mistyped.pem. Correct the path');
  });

  test('an invalid setting', async () => {
    const { status, findings } = await examine({ data, port: 'eighty' });
    expect(status).toBe(1);
    expect(findings).toEqual([
      {
        part: 'configuration',
        state: 'fail',
        what: 'TICKWIRE_PORT is "eighty", but must be a port from 0 to 65535',
      },
    ]);
  });

  test('a data folder that is a file, an invalid instrument file, and a missing certificate', async () => {
    const file = join(spoilt, 'file');
    writeFileSync(file, '{"instruments":[]}');
    const certificate = { tls_cert: join(spoilt, 'none.pem'), tls_key: join(spoilt, 'none.pem') };
    const { status, findings } = await examine({ data: file, instruments: file, port: '0', ...certificate });
    expect(status).toBe(1);
    expect(failures(findings).sort()).toEqual(['disk', 'instruments', 'tls']);
  });

  test('a metrics port in use by another program', async () => {
    const { status, findings } = await examine({ data, port: '0', metrics_port: String(foreign.port) });
    expect([status, failures(findings)]).toEqual([1, ['metrics port']]);
  });

  test('an environment variable that is not a setting as a warning', async () => {
    const { status, findings } = await examine({ data, port: '0', prot: '80' });
    expect(status).toBe(0);
    expect(findings).toContainEqual({
      part: 'configuration',
      state: 'warn',
      what: 'TICKWIRE_PROT is set but is not a setting',
    });
  });
});
