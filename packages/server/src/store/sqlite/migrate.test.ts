import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../../testing/service.fixture.ts';
import { SchemaError, StoreError } from '../../errors/store-error.ts';
import { openSqliteDatabase } from './database.ts';
import { type Schema, schemaVersionOf } from './migrate.ts';
import { ACCESS_SCHEMA, MARKET_SCHEMA, TAPE_SCHEMA } from './schema.ts';

const FIRST = 'CREATE TABLE people (name TEXT NOT NULL) STRICT';
const SECOND = 'ALTER TABLE people ADD COLUMN age INTEGER NOT NULL DEFAULT 0; CREATE INDEX by_age ON people (age)';
const BROKEN = 'ALTER TABLE people ADD COLUMN town TEXT; INSERT INTO nowhere VALUES (1)';
const AT_ONCE = fileURLToPath(new URL('../../../testing/store/sqlite-migrate-at.fixture.ts', import.meta.url));

let folder: string;
let file: string;
let backups: string;
const migrations: [number, number, string][] = [];
/** The schema of a release with these steps. */
const after = (...steps: string[]): Schema => ({ create: [FIRST, ...steps].join(';'), steps });
const open = (schema: Schema): Database =>
  openSqliteDatabase(file, {
    schema,
    migration: { backups, onMigrated: (_file, from, to, copy) => migrations.push([from, to, copy]) },
  });
const refusalOf = (work: () => unknown): Error => {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was refused');
};
const people = (database: Database): unknown[] => database.query('SELECT * FROM people').all();
const columns = (path: string): string[] => {
  const database = new Database(path);
  const names = database.query<{ name: string }, []>('PRAGMA table_info(people)').all();
  database.close();
  return names.map(({ name }) => name);
};

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'people.db');
  backups = join(folder, 'backups');
  migrations.length = 0;
  const database = open(after());
  database.run("INSERT INTO people VALUES ('Ada')");
  database.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a database of an older version', () => {
  test('is migrated after a copy was made, and keeps its content', () => {
    const database = open(after(SECOND));
    expect(people(database)).toEqual([{ name: 'Ada', age: 0 }]);
    expect(schemaVersionOf(database)).toBe(2);
    database.close();
    const [copy] = readdirSync(backups);
    expect(copy).toMatch(/^people\.v1\..*\.db$/);
    expect(migrations).toEqual([[1, 2, join(backups, copy!)]]);
    const old = new Database(join(backups, copy!));
    expect(people(old)).toEqual([{ name: 'Ada' }]);
    expect(schemaVersionOf(old)).toBe(1);
    old.close();
  });

  test('takes several steps at once, and none the next time', () => {
    open(after(SECOND, 'CREATE TABLE towns (name TEXT) STRICT')).close();
    const database = open(after(SECOND, 'CREATE TABLE towns (name TEXT) STRICT'));
    expect(database.query('SELECT * FROM towns').all()).toEqual([]);
    database.close();
    expect(migrations).toHaveLength(1);
    expect(readdirSync(backups)).toHaveLength(1);
  });

  test('stays unchanged if a step fails, including earlier steps of the same run', () => {
    expect(() => open(after(SECOND, BROKEN))).toThrow(/nowhere/);
    expect(columns(file)).toEqual(['name']);
    const database = open(after());
    expect(people(database)).toEqual([{ name: 'Ada' }]);
    database.close();
    expect(migrations).toEqual([]);
  });

  test('is not touched if no copy can be made', () => {
    backups = file;
    const before = readFileSync(file);
    expect(() => open(after(SECOND))).toThrow(StoreError);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe('a file of a development version before the first release', () => {
  test.each(Object.entries({ access: ACCESS_SCHEMA, market: MARKET_SCHEMA, tape: TAPE_SCHEMA }))(
    'is rejected in one line that names the file and a remedy, and left alone (%s)',
    (_name, schema) => {
      file = join(folder, 'earlier.db');
      const earlier = new Database(file, { create: true });
      earlier.run('PRAGMA journal_mode = WAL');
      earlier.run('CREATE TABLE blocks (minute INTEGER)');
      earlier.run('PRAGMA user_version = 1');
      earlier.close();
      const before = readFileSync(file);
      const refusal = refusalOf(() => open(schema));
      expect(refusal).toBeInstanceOf(SchemaError);
      expect(refusal.message).toBe(
        `${file} was written by an earlier development version of Tickwire, which this version cannot read: move the data folder away, or set TICKWIRE_DATA to another one`,
      );
      expect(readFileSync(file).equals(before)).toBe(true);
      expect(existsSync(backups)).toBe(false);
    },
  );
});

test('a new file needs no backup', () => {
  file = join(folder, 'deep', 'down', 'new.db');
  open(after(SECOND)).close();
  expect(columns(file)).toEqual(['name', 'age']);
  expect(existsSync(backups)).toBe(false);
});

test('rejects a newer version in one line that names the file and a remedy, and leaves the file alone', () => {
  open(after(SECOND)).close();
  const before = readFileSync(file);
  const refusal = refusalOf(() => open(after()));
  expect(refusal).toBeInstanceOf(StoreError);
  expect(refusal.message).toBe(
    `${file} has schema version 2, this Tickwire knows 1: run the newer release, or restore a backup`,
  );
  expect(readFileSync(file).equals(before)).toBe(true);
});

async function allAtOnce(count: number, schema: readonly string[]): Promise<string[]> {
  const moment = Date.now() + 600;
  return Promise.all(
    Array.from({ length: count }, async () => {
      const child = Bun.spawn([process.execPath, AT_ONCE, file, backups, String(moment), ...schema], {
        stdout: 'pipe',
        stderr: 'pipe',
      });
      const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
      return out + err;
    }),
  );
}

test('concurrent migrations all end up with the new version, each step taken once', async () => {
  const said = await allAtOnce(4, [FIRST, SECOND]);
  for (const line of said) expect(line).toMatch(/^(migrated )?version 2\n$/);
  expect(columns(file)).toEqual(['name', 'age']);
});

test('processes that create the file at the same time all succeed', async () => {
  file = join(folder, 'fresh.db');
  const said = await allAtOnce(4, [FIRST, SECOND]);
  for (const line of said) expect(line).toBe('version 2\n');
});
