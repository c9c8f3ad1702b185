// A full disk: the data folder is on a small separate file system.
import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { appendFileSync, rmSync, statfsSync, statSync, truncateSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { asEpochMs, asSymbol, CATALOGUE, DAY_MS, MINUTE_MS } from '@tickwire/engine';
import { eventually, killLeftovers, ServiceProcess } from '../../testing/process.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { reportSkipped } from '../../testing/skipped.fixture.ts';
import { SimMarket } from '../market/feeds/sim/sim-market.ts';
import { run, type SharedWork } from '../store/sql/shared-work.ts';
import { openSqliteDatabase } from '../store/sqlite/database.ts';
import { toStoreError } from '../store/sqlite/errors.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import { sqliteRunner } from '../store/sqlite/run-work.ts';
import { SqliteTapeStore } from '../store/sqlite/tape-store.ts';
import { ticksOf } from '../store/tape-records.ts';

const disk = temporaryFolder();
const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', disk]).success;
if (!mounted) reportSkipped('tests with a full disk', 'no file system can be mounted here');

afterAll(async () => {
  await killLeftovers();
  if (mounted) Bun.spawnSync(['umount', disk]);
  rmSync(disk, { recursive: true, force: true });
});

/** Fills the file system to the last page. The service writes too, so the size is known only at the end. */
function fillUp(): string {
  const ballast = join(disk, 'ballast');
  const { bsize } = statfsSync(disk);
  for (const bytes of [256 * 1024, bsize]) {
    try {
      for (;;) appendFileSync(ballast, Buffer.alloc(bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  return ballast;
}

/** Ticks per millisecond of a symbol on the tape, starting at `from`. */
function onTape(symbol: string, from: number): string[] {
  const tape = new SqliteTapeStore(join(disk, 'data', 'sim', 'tape'));
  const blocks = tape.readOf(asSymbol(symbol), from - (from % MINUTE_MS), from + DAY_MS);
  tape.close();
  return blocks
    .flatMap(ticksOf)
    .sort((a, b) => a.seq - b.seq)
    .filter(({ event }) => event.time >= from)
    .map(({ event }) => JSON.stringify(event));
}

test.skipIf(!mounted)(
  'reports a full disk and keeps responding; once there is space, everything since is written to the tape',
  async () => {
    const service = await ServiceProcess.start({ data: join(disk, 'data'), sim_rate: '500', news: 'none' });
    const startedAt = Date.now();
    const key = service.demoKey!;
    const ballast = fillUp();
    const filledAt = Date.now();
    await eventually('degraded', async () => (await service.get('/readyz')).status === 503, 8_000);
    const report = (await (await service.get('/readyz')).json()) as { status: string; checks: { store: string } };
    expect(report.status).toBe('degraded');
    expect(report.checks.store).toContain('full');
    while (Date.now() < filledAt + 2_000) {
      const answer = await service.get('/api/market/EURUSD?timeframe=1m&bars=10', key);
      expect(answer.status).toBe(200);
      await Bun.sleep(100);
    }
    expect((await service.get('/healthz')).status).toBe(200);
    unlinkSync(ballast);
    await eventually('well again', async () => (await service.get('/readyz')).status === 200, 8_000);
    await Bun.sleep(500);
    const until = Date.now() - 500;
    const { status } = await service.stop();
    expect(status).toBe(0);
    expect(service.err).toContain('the store writes again');
    const market = new SimMarket(CATALOGUE, { seed: 1, rate: 500, hours: 'always' });
    for (const symbol of ['EURUSD', 'BTCUSD']) {
      const expected = market
        .collect(asEpochMs(startedAt), asEpochMs(until))
        .filter((event) => event.symbol === symbol)
        .map((event) => JSON.stringify(event));
      expect(expected.length).toBeGreaterThan(30);
      expect(onTape(symbol, startedAt).slice(0, expected.length)).toEqual(expected);
    }
  },
);

test.skipIf(!mounted)('every error of SQLite that follows from a full disk says that the disk is full', () => {
  const ballast = fillUp();
  const { bsize } = statfsSync(disk);
  const messages = new Set<string>();
  for (let pages = 0; pages < 8; pages++) {
    const folder = join(disk, `pages-${pages}`);
    try {
      openSqliteStore({ folder, realm: 'sim', exclusive: true });
      throw new Error('opened');
    } catch (error) {
      messages.add((error as Error).message.replace(/^\S+ /, ''));
    }
    rmSync(folder, { recursive: true, force: true });
    truncateSync(ballast, statSync(ballast).size - bsize);
  }
  // With a few pages, the file of shared memory is what cannot grow.
  expect([...messages].sort()).toEqual([
    'cannot grow: the disk is full (SQLITE_FULL)',
    'cannot grow: the disk is full (SQLITE_IOERR_SHMSIZE)',
  ]);
  let ended: unknown;
  try {
    new Database(':memory:').run('ROLLBACK');
  } catch (error) {
    ended = error;
  }
  expect(String(ended)).toContain('cannot rollback');
  expect((toStoreError(join(disk, 'market.db'), ended) as Error).message).toContain('the disk is full');
  unlinkSync(ballast);
  expect((toStoreError(join(disk, 'market.db'), ended) as Error).message).toContain('cannot rollback');
});

test.skipIf(!mounted)('a transaction that a full disk ends is rejected with that, not with its rollback', async () => {
  const file = join(disk, 'transactions.db');
  const schema = { create: 'CREATE TABLE pages (page BLOB NOT NULL) STRICT', steps: [] };
  const database = openSqliteDatabase(file, { schema, durable: true });
  const runner = sqliteRunner(database);
  const ballast = fillUp();
  const messages = new Set<string>();
  const { bsize } = statfsSync(disk);
  // At its first statements, at later ones, and at its end.
  for (let pages = 1; pages < 60; pages++) {
    const bytes = new Uint8Array(pages * 250);
    const insert = function* (): SharedWork<void> {
      for (let row = 0; row < 20; row++) yield* run('INSERT INTO pages VALUES ($1)', bytes);
    };
    await runner[pages % 2 ? 'write' : 'share'](insert).catch(({ message }) => messages.add(message));
    if (pages % 10 === 0) truncateSync(ballast, statSync(ballast).size - bsize);
  }
  expect([...messages]).toEqual([`${file} cannot grow: the disk is full (SQLITE_FULL)`]);
  database.close();
  unlinkSync(ballast);
});

test.skipIf(!mounted)('the start fails with a one-line error if the disk is full', async () => {
  fillUp();
  const service = ServiceProcess.launch({ data: join(disk, 'none') });
  expect((await service.ended()).status).toBe(1);
  const lines = service.err.trim().split('\n');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^tickwire: .*\.(db|lock) .*(full|disk)/);
});
