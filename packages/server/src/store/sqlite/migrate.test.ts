import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DAY_MS } from '@tickwire/engine';
import { temporaryFolder } from '../../../testing/service.fixture.ts';
import { move, news } from '../../../testing/store/news-samples.fixture.ts';
import { someSignals } from '../../../testing/store/signal-samples.fixture.ts';
import { StoreError } from '../../errors/store-error.ts';
import { NameTakenError } from '../access-store.ts';
import { openSqliteDatabase } from './database.ts';
import { type Schema, schemaVersionOf } from './migrate.ts';
import { createNewsStore } from './news-store.ts';
import { openSqliteAccessStore } from './open-sqlite-store.ts';
import { ACCESS_SCHEMA, MARKET_SCHEMA } from './schema.ts';
import { createSignalStore } from './signal-store.ts';

// Processes start slowly on a busy machine.
setDefaultTimeout(30_000);

const FIRST = 'CREATE TABLE people (name TEXT NOT NULL) STRICT';
const SECOND = 'ALTER TABLE people ADD COLUMN age INTEGER NOT NULL DEFAULT 0; CREATE INDEX by_age ON people (age)';
const BROKEN = 'ALTER TABLE people ADD COLUMN town TEXT; INSERT INTO nowhere VALUES (1)';
const AT_ONCE = fileURLToPath(new URL('../../../testing/store/sqlite-migrate-at.fixture.ts', import.meta.url));

let folder: string;
let file: string;
let backups: string;
const migrations: [number, number, string][] = [];
const open = (schema: Schema): Database =>
  openSqliteDatabase(file, {
    schema,
    backups,
    onMigrated: (_file, from, to, copy) => migrations.push([from, to, copy]),
  });
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
    open([FIRST, SECOND, 'CREATE TABLE towns (name TEXT) STRICT']).close();
    const database = open([FIRST, SECOND, 'CREATE TABLE towns (name TEXT) STRICT']);
    expect(database.query('SELECT * FROM towns').all()).toEqual([]);
    database.close();
    expect(migrations).toHaveLength(1);
    expect(readdirSync(backups)).toHaveLength(1);
  });

  test('stays unchanged if a step fails, including earlier steps of the same run', () => {
    expect(() => open([FIRST, SECOND, BROKEN])).toThrow(/nowhere/);
    expect(columns(file)).toEqual(['name']);
    const database = open([FIRST]);
    expect(people(database)).toEqual([{ name: 'Ada' }]);
    database.close();
    expect(migrations).toEqual([]);
  });

  test('is not touched if no copy can be made', () => {
    backups = file;
    const before = readFileSync(file);
    expect(() => open([FIRST, SECOND])).toThrow(StoreError);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe('a file of an earlier release', () => {
  /** Opens the only copy. */
  const copyMade = (): Database => new Database(join(backups, readdirSync(backups)[0]!));

  test('gets a random public id for each account, and keeps their keys', () => {
    file = join(folder, 'tickwire.db');
    const old = open(ACCESS_SCHEMA.slice(0, 1));
    for (const name of ['Ada', 'Bob', 'Cy'])
      old.query("INSERT INTO accounts (name, tier, created_at) VALUES (?, 'free', 1)").run(name);
    old.run("INSERT INTO keys VALUES ('k', 2, 'key', x'01', 'read', 1, NULL, NULL, NULL)");
    old.close();

    const database = open(ACCESS_SCHEMA);
    const accounts = database
      .query<{ id: number; name: string; public_id: string }, []>('SELECT * FROM accounts ORDER BY id')
      .all();
    expect(accounts.map(({ id, name }) => [id, name])).toEqual([
      [1, 'Ada'],
      [2, 'Bob'],
      [3, 'Cy'],
    ]);
    for (const { public_id } of accounts) expect(public_id).toMatch(/^pub_[0-9a-f]{16}$/);
    expect(new Set(accounts.map(({ public_id }) => public_id)).size).toBe(3);
    expect(() => database.query('UPDATE accounts SET public_id = ?').run(accounts[0]!.public_id)).toThrow(/UNIQUE/);
    expect(database.query('SELECT id, account_id FROM keys').all()).toEqual([{ id: 'k', account_id: 2 }]);
    database.close();

    const again = open(ACCESS_SCHEMA);
    expect(again.query('SELECT * FROM accounts ORDER BY id').all()).toEqual(accounts);
    again.close();
    const copy = copyMade();
    expect([schemaVersionOf(copy), copy.query('SELECT * FROM accounts').all().length]).toEqual([1, 3]);
    copy.close();
    expect(migrations.map(([from, to]) => [from, to])).toEqual([[1, ACCESS_SCHEMA.length]]);
  });

  test('keeps accounts, keys and usage when accounts that sign in are introduced', () => {
    file = join(folder, 'tickwire.db');
    const old = open(ACCESS_SCHEMA.slice(0, 2));
    old.run("INSERT INTO accounts VALUES (1, 'Ada', 'pro', 7, 'pub_0123456789abcdef')");
    old.run("INSERT INTO names VALUES ('ada', 1, 7)");
    old.run("INSERT INTO keys VALUES ('k', 1, 'key', x'01', 'read', 1, NULL, NULL, NULL)");
    old.run("INSERT INTO usage VALUES (1, x'', 5, 3)");
    old.close();

    const database = open(ACCESS_SCHEMA);
    expect(database.query('SELECT * FROM accounts').all()).toEqual([
      {
        id: 1,
        name: 'Ada',
        tier: 'pro',
        created_at: 7,
        public_id: 'pub_0123456789abcdef',
        owner: 0,
        password: null,
        disabled_at: null,
        deleted_at: null,
        house: 0,
      },
    ]);
    for (const table of ['names', 'keys', 'usage'])
      expect([table, database.query(`SELECT * FROM ${table}`).all().length]).toEqual([table, 1]);
    for (const table of ['sessions', 'invitations', 'usage_history'])
      expect([table, database.query(`SELECT * FROM ${table}`).all()]).toEqual([table, []]);
    database.close();
    expect(migrations.map(([from, to]) => [from, to])).toEqual([[2, ACCESS_SCHEMA.length]]);
  });

  test('knows the example publishers from the audit log', () => {
    file = join(folder, 'tickwire.db');
    const old = open(ACCESS_SCHEMA.slice(0, 3));
    const account = old.query(
      "INSERT INTO accounts (id, name, tier, created_at, public_id) VALUES (?, ?, 'pro', 7, ?)",
    );
    for (const [id, name] of [
      [1, 'Ada'],
      [12, 'House Trend'],
      [13, 'House Trend of Ada'],
    ] as const)
      account.run(id, name, `pub_${id}`);
    const audit = old.query('INSERT INTO audit (at, actor, act, subject) VALUES (1, ?, ?, ?)');
    audit.run('house', 'account created', '12 House Trend (premium)');
    audit.run('house', 'key created', '1 of House Trend');
    audit.run('command line', 'account created', '13 House Trend of Ada (pro)');
    old.close();
    const database = open(ACCESS_SCHEMA);
    expect(database.query('SELECT id, house FROM accounts ORDER BY id').values()).toEqual([
      [1, 0],
      [12, 1],
      [13, 0],
    ]);
    database.close();
  });

  test('reserves the look-alikes of its names, and two names that look alike both stay', async () => {
    file = join(folder, 'tickwire.db');
    const old = open(ACCESS_SCHEMA.slice(0, 3));
    const account = old.query(
      "INSERT INTO accounts (id, name, tier, created_at, public_id) VALUES (?, ?, 'pro', ?, ?)",
    );
    const name = old.query('INSERT INTO names (name, account_id, given_at) VALUES (?, ?, ?)');
    for (const [id, given] of [
      [1, 'Alice'],
      [2, 'Аlice'],
      [3, 'Now Renamed'],
    ] as const) {
      account.run(id, given, id, `pub_${id}`);
      name.run(given.toLowerCase(), id, id);
    }
    name.run('formerly', 3, 2);
    old.close();
    open(ACCESS_SCHEMA).close();
    const { access, close } = openSqliteAccessStore(folder);
    expect((await access.accounts()).map((each) => each.name)).toEqual(['Alice', 'Аlice', 'Now Renamed']);
    for (const taken of ['AIice', 'Аlісе', 'Nоw Renamed', 'Fоrmerly'])
      await expect(access.createAccount(taken, 'free', 5)).rejects.toThrow(NameTakenError);
    // Each may still be renamed, and get its name back.
    for (const [id, given] of [
      [1, 'Alice'],
      [2, 'Аlice'],
    ] as const) {
      await access.rename(id, `Another ${id + 4}`, 6);
      await access.rename(id, given, 7);
    }
    close();
  });

  test('keeps the audit log and the demo key when addresses and two-factor sign-in are introduced', async () => {
    file = join(folder, 'tickwire.db');
    const old = open(ACCESS_SCHEMA.slice(0, 3));
    old.run("INSERT INTO accounts (id, name, tier, created_at, public_id) VALUES (1, 'demo', 'pro', 7, 'pub_1')");
    old.run("INSERT INTO keys VALUES ('k', 1, 'demo', x'01', 'read', 1, NULL, NULL, NULL)");
    old.run("INSERT INTO keys VALUES ('l', 1, 'demo', x'02', 'read', 1, NULL, NULL, NULL)");
    old.run("INSERT INTO sessions VALUES ('ses_1', 1, x'01', 5, 6, 'Firefox', '192.0.2.1')");
    old.run("INSERT INTO audit VALUES (1, 5, 'first start', 'key created', 'k of demo (read)')");
    old.run("INSERT INTO audit VALUES (2, 6, 'pub_1', 'password changed', 'demo')");
    old.close();

    const database = open(ACCESS_SCHEMA);
    expect(database.query('SELECT id, actor, account, address FROM audit').all()).toEqual([
      { id: 1, actor: 'first start', account: null, address: null },
      { id: 2, actor: 'pub_1', account: 'pub_1', address: null },
    ]);
    expect(database.query('SELECT id, demo FROM keys ORDER BY id').all()).toEqual([
      { id: 'k', demo: 1 },
      { id: 'l', demo: 0 },
    ]);
    expect(database.query('SELECT id, created_at, seen_at FROM sessions').all()).toEqual([
      { id: 'ses_1', created_at: 5, seen_at: 6 },
    ]);
    database.close();
  });

  test.each([1, 2, 3, 4, 5, 6])(
    'market data of version %d keeps its rows and takes signals and news',
    async (version) => {
      file = join(folder, 'market.db');
      const old = open(MARKET_SCHEMA.slice(0, version));
      old.run("INSERT INTO bars VALUES ('EURUSD', '1m', 60000, 1, 2, 0.5, 1.5, 3, 1, 2, 'trade')");
      old.run("INSERT INTO numbers VALUES ('bars_until', 120000)");
      const rows = (database: Database) => [
        ...database.query('SELECT * FROM bars').all(),
        ...database.query('SELECT * FROM numbers').all(),
      ];
      const before = rows(old);
      old.close();

      const database = open(MARKET_SCHEMA);
      expect(rows(database)).toEqual(before);
      const signals = createSignalStore(database);
      expect(await signals.tail()).toBeUndefined();
      await signals.write(someSignals);
      expect((await signals.active()).map(({ id }) => id)).toEqual(['sig_2', 'sig_3']);
      expect((await signals.lastEventNumbers(['EURUSD'], 9)).get('EURUSD')).toMatchObject({ published: 2, closed: 4 });
      const newsStore = createNewsStore(database);
      await newsStore.put([news('a', 1)]);
      await newsStore.putMoves([move('a', 0.5)]);
      expect([await newsStore.newest(10), (await newsStore.calibration()).rows.length]).toEqual([[news('a', 1)], 1]);
      database.close();
      const copy = copyMade();
      expect([schemaVersionOf(copy), rows(copy)]).toEqual([version, before]);
      copy.close();
      expect(migrations.map(([from, to]) => [from, to])).toEqual([[version, MARKET_SCHEMA.length]]);
    },
  );
});

test('existing news is indexed under every symbol it mentions', async () => {
  file = join(folder, 'market.db');
  const old = open(MARKET_SCHEMA.slice(0, 5));
  const items = [
    news('a', 1, {
      category: 'gold',
      symbols: ['XAUUSD', 'EURUSD', 'XAUUSD'],
      sentiment: 'bullish',
      sentiment_score: 1,
    }),
    news('b', 2, { category: 'macro', symbols: [], sentiment_score: -0.25 }),
  ];
  for (const { item, seenAt } of items)
    old.run('INSERT INTO news VALUES (?, ?, ?, NULL, ?)', [
      item.id,
      Date.parse(item.timestamp),
      seenAt,
      JSON.stringify(item),
    ]);
  old.close();

  const database = open(MARKET_SCHEMA);
  const store = createNewsStore(database);
  const all = { categories: ['gold', 'macro'], symbol: null, from: 0, except: null } as const;
  const page = async (symbol: string | null): Promise<string> =>
    (await store.pageAfter({ time: Number.MAX_SAFE_INTEGER, id: '' }, { ...all, symbol }, 10))
      .map(({ id }) => id)
      .join('');
  expect([await page(null), await page('XAUUSD'), await page('EURUSD'), await page('BTCUSD')]).toEqual([
    'ba',
    'a',
    'a',
    '',
  ]);
  expect((await store.sentiment(all, DAY_MS)).map(({ category, meanScore }) => [category, meanScore])).toEqual([
    ['gold', 1],
    ['macro', -0.25],
  ]);
  database.close();
});

test('a new file needs no backup', () => {
  file = join(folder, 'deep', 'down', 'new.db');
  open([FIRST, SECOND]).close();
  expect(columns(file)).toEqual(['name', 'age']);
  expect(existsSync(backups)).toBe(false);
});

test('rejects a newer version in one line that names the file and a remedy, and leaves the file alone', () => {
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
