// The data folder and backups are private, whatever the umask.
import { afterAll, afterEach, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { killLeftovers, runTickwire, ServiceProcess } from '../../testing/process.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';

const folders: string[] = [];
const before = process.umask();
afterEach(() => process.umask(before));
afterAll(async () => {
  await killLeftovers();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** Every path under the folder that others can access, with its mode. */
function readableByOthers(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return [folder, ...all].filter((path) => statSync(path).mode & 0o077).map((path) => `${modeOf(path)} ${path}`);
}

test.each([0o000, 0o022])('new files are private with the umask %o, also in a backup', async (umask) => {
  const folder = temporaryFolder();
  folders.push(folder);
  const data = join(folder, 'data');
  process.umask(umask);
  const service = await ServiceProcess.start({ data, sim_rate: '500' });
  // The recorder writes the tape five times a second.
  await Bun.sleep(500);
  expect(readdirSync(join(data, 'sim'))).toContain('market.db-wal');
  expect(readableByOthers(data)).toEqual([]);
  expect([modeOf(data), modeOf(join(data, 'tickwire.db'))]).toEqual(['700', '600']);
  expect((await runTickwire(['backup', join(folder, 'copy')], { data })).status).toBe(0);
  expect(readableByOthers(join(folder, 'copy'))).toEqual([]);
  await service.stop();
});

test('files that were copied into the folder become private, and those of others stay as they are', async () => {
  const folder = temporaryFolder();
  folders.push(folder);
  const args = ['keys', 'create', '--name', 'test'];
  expect((await runTickwire(args, { data: folder })).status).toBe(0);
  mkdirSync(join(folder, 'sim', 'evidence'), { recursive: true });
  writeFileSync(join(folder, 'sim', 'evidence', 'day.gz'), '');
  for (const name of ['notes.txt', 'two-factor.key']) writeFileSync(join(folder, name), '');
  for (const name of ['', 'tickwire.db', 'sim', 'sim/evidence']) chmodSync(join(folder, name), 0o755);
  for (const name of ['sim/evidence/day.gz', 'notes.txt', 'two-factor.key']) chmodSync(join(folder, name), 0o644);
  expect((await runTickwire(args, { data: folder })).status).toBe(0);
  expect(readableByOthers(folder)).toEqual([`644 ${join(folder, 'notes.txt')}`]);
});

test('an empty folder that the operator has created becomes private at the first start, a shared one does not', async () => {
  const folder = temporaryFolder();
  folders.push(folder);
  const [empty, shared] = ['empty', 'shared'].map((name) => join(folder, name)) as [string, string];
  for (const data of [empty, shared]) {
    mkdirSync(data);
    chmodSync(data, 0o755);
  }
  writeFileSync(join(shared, 'notes.txt'), '');
  for (const data of [empty, shared])
    expect((await runTickwire(['keys', 'create', '--name', 'test'], { data })).status).toBe(0);
  expect([empty, shared].map(modeOf)).toEqual(['700', '755']);
});
