// Databases that are locked, corrupt or unreachable: a one-line error at the start; a running service continues.

import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MINUTE_MS } from '@tickwire/engine';
import type { Subprocess } from 'bun';
import { startWatch } from '../../testing/event-loop.fixture.ts';
import { preparedFolder } from '../../testing/prepared-folder.fixture.ts';
import { eventually, killLeftovers, ServiceProcess } from '../../testing/process.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';

const LOCKER = fileURLToPath(new URL('../../testing/store/sqlite-hold-lock.fixture.ts', import.meta.url));
const folders: string[] = [];
const lockers: Subprocess[] = [];
/** A folder as the first start leaves it. */
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

/** The one-line error of a start that must fail. */
async function startError(settings: Record<string, string>): Promise<string> {
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

  test.each(Object.keys(FILES))('rejects garbage in %s with a one-line error and leaves it unchanged', async (name) => {
    const data = copied();
    const file = FILES[name]!(data);
    const garbage = Buffer.alloc(65_536, 'no database at all. ');
    writeFileSync(file, garbage);
    expect(await startError({ data })).toContain(`${file} is damaged or not a database: move it away`);
    expect(readFileSync(file).equals(garbage)).toBe(true);
  });

  test('rejects a file locked by another process with a one-line error', async () => {
    const cases = ['tickwire.db', 'market.db'].map(async (name) => {
      const data = copied();
      const file = FILES[name]!(data);
      const locker = await hold(withoutWal(file));
      expect(await startError({ data })).toContain(`${file} is locked by another process`);
      locker.kill('SIGKILL');
    });
    await Promise.all(cases);
  });

  test('rejects a data folder that is a file with a one-line error', async () => {
    const data = join(copied(), 'file');
    writeFileSync(data, 'not a folder');
    expect(await startError({ data })).toMatch(/cannot be created: check the folder and its permissions/);
    expect(await startError({ data: join(data, 'deeper') })).toMatch(/cannot be created: check the folder/);
  });

  test('rejects a data folder that is not writable with a one-line error', async () => {
    // Not even root can write here.
    expect(await startError({ data: '/proc/tickwire' })).toMatch(/\/proc\/tickwire/);
  });

  test('rejects a newer schema with a one-line error', async () => {
    const data = copied();
    const database = new Database(join(data, 'sim', 'market.db'));
    database.run('PRAGMA user_version = 99');
    database.close();
    expect(await startError({ data })).toMatch(
      /market\.db has schema version 99, this Tickwire knows \d+: run the newer/,
    );
  });

  test.each(Object.keys(FILES))(
    'rejects %s of an earlier development version with a one-line error and leaves it unchanged',
    async (name) => {
      const data = copied();
      const file = FILES[name]!(data);
      const database = new Database(file);
      database.run('PRAGMA application_id = 0');
      database.close();
      const before = readFileSync(file);
      expect(await startError({ data })).toContain(`${file} was written by an earlier development version of Tickwire`);
      expect(readFileSync(file).equals(before)).toBe(true);
    },
  );

  test('rejects a second service on the same folder with a one-line error, and the first keeps running', async () => {
    const data = copied();
    const first = await ServiceProcess.start({ data, news: 'none' });
    expect(await startError({ data })).toContain('is in use by another Tickwire: stop it, or set TICKWIRE_DATA');
    expect((await first.get('/readyz')).status).toBe(200);
    await first.stop();
  });
});

/** Switches back to a rollback journal, whose exclusive lock blocks everyone else. */
function withoutWal(file: string): string {
  const database = new Database(file);
  database.run('PRAGMA journal_mode = DELETE');
  database.close();
  return file;
}

test('a running service reports a locked store, keeps responding, and loses nothing', async () => {
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
    const passed = startWatch();
    expect((await service.get('/healthz')).status).toBe(200);
    slowest = Math.max(slowest, passed());
    await Bun.sleep(50);
  }
  expect(slowest).toBeLessThan(1_000);
  locker.kill('SIGKILL');
  await eventually('well again', async () => (await service.get('/readyz')).status === 200);
  await service.stop();
  const tape = new Database(tapeOf(data));
  const blocks = tape.query<{ ticks: number }, [number]>('SELECT sum(count) AS ticks FROM tape WHERE minute >= ?');
  // About 75 per second: the two seconds of the lock are included.
  expect(blocks.get(lockedAt - (lockedAt % MINUTE_MS))!.ticks).toBeGreaterThan(100);
  tape.close();
  expect(service.err).not.toContain('ticks were lost');
});
