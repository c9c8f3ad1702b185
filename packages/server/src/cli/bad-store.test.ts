// Databases that are locked, corrupt or out of reach: one clear line at the start, life goes on while running.
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Subprocess } from 'bun';
import { preparedFolder } from '../testing/prepared.fixture.ts';
import { eventually, killLeftovers, ServiceProcess } from '../testing/process.fixture.ts';
import { temporaryFolder } from '../testing/service.fixture.ts';

// Processes start slowly on a busy machine.
setDefaultTimeout(30_000);

const LOCKER = fileURLToPath(new URL('../store/sqlite/hold-lock.fixture.ts', import.meta.url));
const folders: string[] = [];
const lockers: Subprocess[] = [];
/** A folder as a first start left it. */
let original: string;

beforeAll(async () => {
  original = (await preparedFolder()).data;
  folders.push(original);
});
afterAll(async () => {
  await killLeftovers();
  for (const locker of lockers) locker.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const copied = (): string => {
  const folder = temporaryFolder();
  folders.push(folder);
  cpSync(original, folder, { recursive: true });
  return folder;
};
const tapeOf = (folder: string): string => {
  const tape = join(folder, 'sim', 'tape');
  return join(
    tape,
    readdirSync(tape)
      .filter((name) => name.endsWith('.db'))
      .sort()
      .at(-1)!,
  );
};

async function hold(...files: string[]): Promise<Subprocess> {
  const locker = Bun.spawn([process.execPath, LOCKER, ...files], { stdout: 'pipe', stderr: 'inherit' });
  lockers.push(locker);
  const reader = locker.stdout.getReader();
  await reader.read();
  return locker;
}

/** A start that must fail: its one line. */
async function refusal(settings: Record<string, string>): Promise<string> {
  const service = ServiceProcess.launch(settings);
  const { status } = await service.ended();
  expect(status).toBe(1);
  expect(service.out).toBe('');
  const lines = service.err.trim().split('\n');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toStartWith('tickwire: ');
  return lines[0]!;
}

describe('at the start', () => {
  const FILES: Record<string, (folder: string) => string> = {
    'tickwire.db': (folder) => join(folder, 'tickwire.db'),
    'market.db': (folder) => join(folder, 'sim', 'market.db'),
    "today's tape": tapeOf,
  };

  test.each(Object.keys(FILES))('garbage in %s is refused in one line and left as it is', async (name) => {
    const data = copied();
    const file = FILES[name]!(data);
    const garbage = Buffer.alloc(65_536, 'no database at all. ');
    writeFileSync(file, garbage);
    expect(await refusal({ data })).toContain(`${file} is not a sound database: move it away`);
    expect(readFileSync(file).equals(garbage)).toBe(true);
  });

  test('a file locked by another process is refused in one line', async () => {
    const cases = ['tickwire.db', 'market.db'].map(async (name) => {
      const data = copied();
      const file = FILES[name]!(data);
      const locker = await hold(withoutWal(file));
      expect(await refusal({ data })).toContain(`${file} is locked by another process`);
      locker.kill('SIGKILL');
    });
    await Promise.all(cases);
  });

  test('a data folder that is a file is refused in one line', async () => {
    const data = join(copied(), 'file');
    writeFileSync(data, 'not a folder');
    expect(await refusal({ data })).toMatch(/cannot be made: check the folder and its permissions/);
    expect(await refusal({ data: join(data, 'deeper') })).toMatch(/cannot be made: check the folder/);
  });

  test('a data folder that cannot be written is refused in one line', async () => {
    // Not even root may write here.
    expect(await refusal({ data: '/proc/tickwire' })).toMatch(/\/proc\/tickwire/);
  });

  test('a newer schema is refused in one line', async () => {
    const data = copied();
    const database = new Database(join(data, 'sim', 'market.db'));
    database.run('PRAGMA user_version = 99');
    database.close();
    expect(await refusal({ data })).toMatch(/market\.db has schema version 99, this Tickwire knows \d+: run the newer/);
  });

  test('a second service on the same folder is refused in one line, and the first lives on', async () => {
    const data = copied();
    const first = await ServiceProcess.start({ data, news: 'none' });
    expect(await refusal({ data })).toContain('is in use by another Tickwire: stop it, or set TICKWIRE_DATA');
    expect((await first.get('/readyz')).status).toBe(200);
    await first.stop();
  });
});

/** Back to a rollback journal, whose exclusive lock keeps everyone out. */
function withoutWal(file: string): string {
  const database = new Database(file);
  database.run('PRAGMA journal_mode = DELETE');
  database.close();
  return file;
}

test('locked while it runs, the service says so, keeps answering, and loses nothing', async () => {
  const data = copied();
  const service = await ServiceProcess.start({ data, news: 'none' });
  const locker = await hold(join(data, 'sim', 'market.db'), tapeOf(data), join(data, 'tickwire.db'));
  const lockedAt = Date.now();
  await eventually('degraded', async () => (await service.get('/readyz')).status === 503);
  const { status, checks } = (await (await service.get('/readyz')).json()) as {
    status: string;
    checks: { store: string };
  };
  expect(status).toBe('degraded');
  expect(checks.store).toContain('is locked by another process');
  let slowest = 0;
  while (Date.now() < lockedAt + 2_000) {
    const at = performance.now();
    expect((await service.get('/healthz')).status).toBe(200);
    slowest = Math.max(slowest, performance.now() - at);
    await Bun.sleep(50);
  }
  expect(slowest).toBeLessThan(1_000);
  locker.kill('SIGKILL');
  await eventually('well again', async () => (await service.get('/readyz')).status === 200);
  await service.stop();
  const tape = new Database(tapeOf(data));
  const blocks = tape.query<{ ticks: number }, [number]>('SELECT sum(count) AS ticks FROM blocks WHERE minute >= ?');
  // Some 75 a second: the two seconds of the lock are there.
  expect(blocks.get(lockedAt - (lockedAt % 60_000))!.ticks).toBeGreaterThan(100);
  tape.close();
  expect(service.err).not.toContain('ticks were lost');
});
