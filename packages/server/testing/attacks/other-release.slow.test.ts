// The next release is installed while this one serves the folder. None of its commands changes a file of the running service, its
// backup is a copy of what is there, and only its own "serve" migrates the folder, once no service uses it.
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { schemaVersionOf } from '../../src/store/sqlite/migrate.ts';
import { preparedFolder } from '../prepared-folder.fixture.ts';
import { eventually, killLeftovers, type Ran, runTickwire, ServiceProcess } from '../process.fixture.ts';
import { environmentOf, temporaryFolder } from '../service.fixture.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const NEXT = fileURLToPath(new URL('../store/next-schema.fixture.ts', import.meta.url));

const copies = temporaryFolder();
let data: string;
let key: string;
let service: ServiceProcess;
beforeAll(async () => {
  ({ data, key } = await preparedFolder());
  service = await ServiceProcess.start({ data, news: 'none' });
});
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await killLeftovers();
  for (const folder of [data, copies]) rmSync(folder, { recursive: true, force: true });
});

const settings = (folder: string) => ({ data: folder, port: '0', metrics_port: 'off', news: 'none', sim_seed: '1' });
const started: { kill(signal: NodeJS.Signals): void }[] = [];
function startNext(args: string[], changes: Readonly<Record<string, string>> = {}) {
  const child = Bun.spawn([process.execPath, '--preload', NEXT, MAIN, ...args], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: {
      PATH: process.env.PATH ?? '',
      ...environmentOf({ ...settings(data), ...changes }),
      TICKWIRE_TEST_NEXT_RELEASE: '1',
    },
  });
  started.push(child);
  return child;
}
async function runNext(args: string[], changes?: Readonly<Record<string, string>>): Promise<Ran> {
  const child = startNext(args, changes);
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { status: await child.exited, out, err };
}
/** The schema versions of the databases of a folder, each once. */
function versions(folder: string): number[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const databases = files.filter((name) => name.endsWith('.db') && !name.startsWith('backups'));
  expect(databases.length).toBeGreaterThan(2);
  return [
    ...new Set(
      databases.map((name) => {
        using database = new Database(join(folder, name));
        return schemaVersionOf(database);
      }),
    ),
  ];
}

test('commands of the next release change nothing in the folder of a running service', async () => {
  const copy = join(copies, 'copy');
  const backup = await runNext(['backup', copy]);
  expect(backup.status).toBe(0);
  for (const args of [['keys', 'create', '--name', 'next'], ['verify'], ['export', join(copies, 'export.gz')]]) {
    const { status, err } = await runNext(args);
    expect({ args, status, err }).toEqual({ args, status: 1, err: expect.stringContaining('has schema version 1') });
  }
  // The service of another realm shares the accounts.
  const other = await runNext(['serve'], { feeds: 'push' });
  expect(other.status).toBe(1);
  expect(other.err).toContain(`${join(data, 'sim')} is in use by another Tickwire`);
  expect([versions(data), versions(copy)]).toEqual([[1], [1]]);
  expect((await service.get('/api/session', key)).status).toBe(200);
  expect(await runTickwire(['keys', 'create', '--name', 'this'], { data })).toMatchObject({ status: 0 });
  const restored = await ServiceProcess.start({ data: copy, news: 'none' });
  expect((await restored.get('/api/session', key)).status).toBe(200);
  await restored.stop();
});

test('its service migrates the folder once the other one has stopped, which then refuses it', async () => {
  expect((await service.stop()).status).toBe(0);
  expect(service.err).not.toContain('"level":"error"');
  const next = startNext(['serve']);
  let out = '';
  void (async () => {
    for await (const chunk of next.stdout) out += new TextDecoder().decode(chunk);
  })();
  await eventually('it serves', () => out.includes('curl'), 60_000);
  expect(versions(data)).toEqual([2]);
  const { status, err } = await runTickwire(['keys', 'list'], { data });
  expect([status, err]).toEqual([1, expect.stringContaining('run the newer release, or restore a backup')]);
  next.kill('SIGTERM');
  expect(await next.exited).toBe(0);
});
