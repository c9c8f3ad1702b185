import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { StoreError } from '../store.ts';
import { openDatabase, type Schema, versionOf } from './database.ts';

// Processes start slowly on a busy machine.
setDefaultTimeout(30_000);

const FIRST = 'CREATE TABLE people (name TEXT NOT NULL) STRICT';
const SECOND = 'ALTER TABLE people ADD COLUMN age INTEGER NOT NULL DEFAULT 0; CREATE INDEX by_age ON people (age)';
const BROKEN = 'ALTER TABLE people ADD COLUMN town TEXT; INSERT INTO nowhere VALUES (1)';
const AT_ONCE = fileURLToPath(new URL('./migrate-at.fixture.ts', import.meta.url));

let folder: string;
let file: string;
let backups: string;
const migrations: [number, number, string][] = [];
const open = (schema: Schema): Database =>
  openDatabase(file, { schema, backups, onMigrated: (_file, from, to, copy) => migrations.push([from, to, copy]) });
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
  const database = open([FIRST]);
  database.run("INSERT INTO people VALUES ('Ada')");
  database.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a database of an older version', () => {
  test('is migrated after a copy was made, and keeps its content', () => {
    const database = open([FIRST, SECOND]);
    expect(people(database)).toEqual([{ name: 'Ada', age: 0 }]);
    expect(versionOf(database)).toBe(2);
    database.close();
    const [copy] = readdirSync(backups);
    expect(copy).toMatch(/^people\.v1\..*\.db$/);
    expect(migrations).toEqual([[1, 2, join(backups, copy!)]]);
    const old = new Database(join(backups, copy!));
    expect(people(old)).toEqual([{ name: 'Ada' }]);
    expect(versionOf(old)).toBe(1);
    old.close();
  });

  test('takes several steps in one go, and none the next time', () => {
    open([FIRST, SECOND, 'CREATE TABLE towns (name TEXT) STRICT']).close();
    const database = open([FIRST, SECOND, 'CREATE TABLE towns (name TEXT) STRICT']);
    expect(database.query('SELECT * FROM towns').all()).toEqual([]);
    database.close();
    expect(migrations).toHaveLength(1);
    expect(readdirSync(backups)).toHaveLength(1);
  });

  test('stays as it was where a step fails, earlier steps of the same go included', () => {
    expect(() => open([FIRST, SECOND, BROKEN])).toThrow(/nowhere/);
    expect(columns(file)).toEqual(['name']);
    const database = open([FIRST]);
    expect(people(database)).toEqual([{ name: 'Ada' }]);
    database.close();
    expect(migrations).toEqual([]);
  });

  test('is not touched where no copy can be made', () => {
    backups = file;
    const before = readFileSync(file);
    expect(() => open([FIRST, SECOND])).toThrow(StoreError);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

test('a new file needs no backup', () => {
  file = join(folder, 'deep', 'down', 'new.db');
  open([FIRST, SECOND]).close();
  expect(columns(file)).toEqual(['name', 'age']);
  expect(existsSync(backups)).toBe(false);
});

test('a newer version is refused in one line that names the file and what to do, and is left alone', () => {
  open([FIRST, SECOND]).close();
  const before = readFileSync(file);
  const refusal = (() => {
    try {
      return open([FIRST]);
    } catch (error) {
      return error;
    }
  })();
  expect(refusal).toBeInstanceOf(StoreError);
  expect((refusal as Error).message).toBe(
    `${file} has schema version 2, this Tickwire knows 1: run the newer release, or restore a backup`,
  );
  expect(readFileSync(file).equals(before)).toBe(true);
});

async function allAtOnce(count: number, schema: Schema): Promise<string[]> {
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

test('processes that migrate at once all end up with the new version, each step taken once', async () => {
  const said = await allAtOnce(4, [FIRST, SECOND]);
  for (const line of said) expect(line).toMatch(/^(migrated )?version 2\n$/);
  expect(columns(file)).toEqual(['name', 'age']);
});

test('processes that make the file at once all find it made', async () => {
  file = join(folder, 'fresh.db');
  const said = await allAtOnce(4, [FIRST, SECOND]);
  for (const line of said) expect(line).toBe('version 2\n');
});
