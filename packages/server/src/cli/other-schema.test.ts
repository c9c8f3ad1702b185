// Commands of another release than the one that serves a folder.
import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { asSymbol } from '@tickwire/engine';
import { runHere } from '../../testing/command.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { becomeNextRelease } from '../../testing/store/next-schema.fixture.ts';
import { schemaVersionOf } from '../store/sqlite/migrate.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import { lockRealm } from '../store/sqlite/realm-lock.ts';

const EURUSD = asSymbol('EURUSD');
let data: string;
let becomeThisRelease = (): void => {};

/** The versions of all databases of a folder. */
const versions = (folder: string): Record<string, number> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(({ name }) => name.endsWith('.db'))
      .map(({ parentPath, name }): [string, number] => {
        using database = new Database(join(parentPath, name));
        return [relative(folder, join(parentPath, name)), schemaVersionOf(database)];
      })
      .sort(),
  );
const THIS = { 'live/market.db': 1, 'live/tape/2026-03-02.db': 1, 'tickwire.db': 1 };
const NEXT = { 'live/market.db': 2, 'live/tape/2026-03-02.db': 2, 'tickwire.db': 2 };

beforeEach(async () => {
  data = temporaryFolder();
  const store = openSqliteStore({ folder: data, realm: 'live', exclusive: true });
  const minute = Date.UTC(2026, 2, 2) as never;
  const block = { symbol: EURUSD, minute, firstSeq: 1, count: 0, bidVolume: 0, askVolume: 0, bytes: new Uint8Array() };
  await store.market.writeTape([block]);
  await store.market.setNumber('bars_until', Date.UTC(2026, 2, 2));
  await store.close();
  expect(await runHere(['keys', 'create', '--name', 'kept'], settings())).toMatchObject({ status: 0 });
});
afterEach(() => {
  becomeThisRelease();
  rmSync(data, { recursive: true, force: true });
});
const settings = () => ({ data, feeds: 'push', port: '0', metrics_port: 'off' });

const COMMANDS = [
  ['keys', 'list'],
  ['accounts', 'list'],
  ['audit'],
  ['verify'],
  ['export', 'bars', 'FOLDER', '--symbol', 'EURUSD'],
  ['export', 'FOLDER/export.gz'],
  ['import', 'DATA/ticks.csv', '--symbol', 'EURUSD'],
];

describe('a command refuses the files of another release, says which one to use, and changes nothing', () => {
  test.each(COMMANDS.map((args) => [args.join(' '), args] as const))('%s', async (_name, args) => {
    const out = temporaryFolder();
    writeFileSync(join(data, 'ticks.csv'), 'time,bid,ask\n2026-03-02T00:00:00Z,1.1,1.2\n');
    const run = () =>
      runHere(
        args.map((word) => word.replace('FOLDER', out).replace('DATA', data)),
        settings(),
      );
    becomeThisRelease = becomeNextRelease();
    const newer = await run();
    expect([newer.status, versions(data)]).toEqual([1, THIS]);
    expect(newer.err.trimEnd().split('\n').at(-1)).toEndWith(
      'db has schema version 1, this Tickwire needs 2: use the release that the service runs, or start "tickwire serve" of this one, which migrates the folder',
    );
    openSqliteStore({ folder: data, realm: 'live', exclusive: true, onMigrated: () => {} }).close();
    expect(versions(data)).toMatchObject(NEXT);
    becomeThisRelease();
    const older = await run();
    expect(older.status).toBe(1);
    expect(older.err).toContain('db has schema version 2, this Tickwire knows 1: run the newer release');
    expect(versions(data)).toMatchObject(NEXT);
    rmSync(out, { recursive: true });
  });
});

test('a backup by another release is a copy of what is there, and says that the audit log has no entry', async () => {
  const copy = temporaryFolder();
  becomeThisRelease = becomeNextRelease();
  const { status, err } = await runHere(['backup', copy], settings());
  expect([status, versions(data), versions(copy)]).toEqual([0, THIS, THIS]);
  expect(err).toStartWith('tickwire: the backup is complete, but not in the audit log: ');
  becomeThisRelease();
  expect((await runHere(['keys', 'list'], { ...settings(), data: copy })).out).toContain('kept');
  rmSync(copy, { recursive: true });
});

test('doctor says that the next start migrates the files', async () => {
  becomeThisRelease = becomeNextRelease();
  const { out } = await runHere(['doctor'], settings());
  expect(out).toContain(
    'warn  store          the files have schema version 1; the next start of this release migrates them',
  );
  expect(versions(data)).toEqual(THIS);
});

test('a service migrates all files of its realm, with a copy of each, but none while another realm is served', () => {
  const migrated: string[] = [];
  const serve = () =>
    openSqliteStore({ folder: data, realm: 'live', exclusive: true, onMigrated: (file) => migrated.push(file) });
  becomeThisRelease = becomeNextRelease();
  const unlock = lockRealm(join(data, 'sim'));
  expect(serve).toThrow(`${join(data, 'sim')} is in use by another Tickwire`);
  expect([versions(data), migrated]).toEqual([THIS, []]);
  unlock();
  serve().close();
  expect(migrated.map((file) => relative(data, file)).sort()).toEqual(Object.keys(NEXT));
  expect(versions(join(data, 'backups'))).toEqual(
    Object.fromEntries(readdirSync(join(data, 'backups')).map((name) => [name, 1])),
  );
  expect(readdirSync(join(data, 'backups'))).toHaveLength(3);
});
