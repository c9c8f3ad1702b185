import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { asEpochMs, DAY_MS } from '@tickwire/engine';
import { calendarEvent } from '../../../testing/calendar.fixture.ts';
import { postgresForTests } from '../../../testing/external-services.fixture.ts';
import { temporaryFolder } from '../../../testing/service.fixture.ts';
import { someAlerts } from '../../../testing/store/alert-samples.fixture.ts';
import { chatChannel, chatEdit, chatMessage } from '../../../testing/store/chat-samples.fixture.ts';
import { move, news } from '../../../testing/store/news-samples.fixture.ts';
import { type TestDatabase, testDatabase } from '../../../testing/store/postgres-database.fixture.ts';
import {
  block,
  EURUSD,
  histogram,
  key,
  MONDAY,
  minuteBar,
  quote,
  refusalOf,
  trade,
  XAUUSD,
} from '../../../testing/store/samples.fixture.ts';
import { someSignals } from '../../../testing/store/signal-samples.fixture.ts';
import { parsePostgresAddress } from '../../config/postgres-address.ts';
import { StoreError } from '../../errors/store-error.ts';
import { PostgresDatabase } from '../postgres/database.ts';
import { openPostgresStore } from '../postgres/open-postgres-store.ts';
import { copySqliteStore, openSqliteStore } from '../sqlite/open-sqlite-store.ts';
import type { Store } from '../store.ts';
import { exportArchive } from './export.ts';
import { isArchive, readArchive, writeArchive } from './format.ts';
import { countsAgree, importArchive, type TableCount } from './import.ts';
import { fillPostgres, readPostgres } from './postgres-archive.ts';
import { fillSqlite, readSqlite } from './sqlite-archive.ts';
import { type ArchiveSource, type ArchiveTarget, TABLES, tableName } from './tables.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const DATA_FILES = [
  'two-factor.key',
  'delivery.key',
  'vapid.key',
  'house-keys.json',
  'markets.json',
  'instruments.json',
] as const;

/** At least one row in every table of the accounts and of both realms, and plain files. */
async function fillEverything(data: string): Promise<void> {
  const at = MONDAY;
  for (const realm of ['sim', 'live'] as const) {
    const store = openSqliteStore({ folder: data, realm, exclusive: true });
    const ofRealm = (name: string): string => `${name} of ${realm}`;
    const { id } = await store.access.createAccount(ofRealm('Ada "\\\t\n€'), 'pro', 1);
    await store.access.rename(id, ofRealm('Grace'), 2);
    await store.access.addKey(key(realm, id, { hash: new Uint8Array([0, 10, 13, 92, 255]), scopes: [] }));
    await store.access.saveUsage([{ accountId: id, requests: [1.5, -3], aiDay: at, aiCalls: 2 }]);
    await store.access.audit({ at, actor: 'command line', action: 'backup made', subject: 'a\\b\tc\r\nd' });
    await store.access.rememberResponse({
      accountId: id,
      key: 'k',
      bodyHash: new Uint8Array([1]),
      response: '{"a":"\\n"}',
      at,
    });
    await store.access.addSession({
      id: `s_${realm}`,
      accountId: id,
      hash: new Uint8Array([7, realm.length]),
      createdAt: 1,
      seenAt: 2,
      browser: '',
      address: '::1',
    });
    await store.access.addInvitation({
      id: `i_${realm}`,
      hash: new Uint8Array([8, realm.length]),
      tier: 'free',
      owner: false,
      createdAt: 1,
      expiresAt: null,
      usedAt: null,
      revokedAt: null,
      accountId: null,
    });
    await store.access.startTwoFactor({ accountId: id, secret: 's', at });
    await store.access.confirmTwoFactor(id, [new Uint8Array([9])], at);
    const document = { kind: 'layout', name: 'ö', base: 0, value: '{"a":"\\n"}', bytes: 10, at };
    await store.access.putDocument({ accountId: id, ...document, limits: { documents: 9, bytes: 99 } });
    const counts = { requests: 1, errors: 2, aiCalls: 3, streamSeconds: 4 };
    await store.access.addUsage([{ accountId: id, keyId: '', step: 60_000, start: at, ...counts }]);
    await store.market.addInstrument({ symbol: EURUSD, venue: 'kraken', listing: '{"digits":5}', addedAt: 1 });
    await store.market.write({
      bars: [...Array(5_000).keys()].map((index) => minuteBar(index, { close: 1 + index / 7 })),
      prices: [{ symbol: EURUSD, quote, trade: realm === 'sim' ? trade : null }],
      barsUntil: at,
      histograms: [histogram],
      watched: [{ symbols: [EURUSD, XAUUSD], from: 1, to: 2 }],
    });
    const days = ['2026-03-02'];
    const fetched = [{ symbol: EURUSD, timeframe: '1h', from: 0, to: at }] as const;
    const numbers = { tiny: 5e-324 };
    await store.market.writeImported({ bars: [], prices: [], numbers, days, watched: [], fetched });
    await store.market.writeTape(
      [-400, -1, 0, 1].map((day) => block({ minute: asEpochMs(at + day * DAY_MS), bidVolume: 0.1 + 0.2 })),
    );
    await store.signals.write(someSignals);
    await store.heads.keep({ n: 0, hash: 'ab', at, signature: 'cd' });
    await store.heads.addToken(0, { authority: 'https://tsa.example/', at, token: 'AQI=' });
    await store.news.put([news('a', 1, { symbols: ['EURUSD'] }), news('b', 2)]);
    await store.news.put([{ ...news('b', 2, { revision: 1 }), knownAt: MONDAY + DAY_MS }]);
    await store.news.putMoves([move('a', 0.5)]);
    await store.calendar.put([calendarEvent('a', 1)]);
    await store.chat.putChannel(chatChannel('1', { title: 'a\tb' }));
    await store.chat.addMessage(chatMessage('1', '2', { outcome: 'published', signal: 'sig_1' }));
    await store.chat.addEdit(chatEdit('1', '2', 1));
    await someAlerts(store);
    await store.close();
    for (const name of ['log-key.pem', 'evidence/2026-03-02/EURUSD.jsonl.gz']) {
      mkdirSync(dirname(join(data, realm, name)), { recursive: true });
      writeFileSync(join(data, realm, name), `${name} of ${realm}`);
    }
  }
  for (const name of DATA_FILES) writeFileSync(join(data, name), `the ${name}`);
}

const filesIn = (data: string) => ({ data, instruments: null });

async function textOf(source: ArchiveSource, data: string, instruments: string | null = null): Promise<string[]> {
  const lines: string[] = [];
  for await (const text of exportArchive({ source, files: { data, instruments }, at: 0 })) lines.push(text);
  // Only the name of the source may differ.
  return lines.join('').split('\n').slice(1);
}

const linesOf = (text: string) => readArchive(Readable.from([gzipSync(text)]));
const put = (text: string, data: string) => (target: ArchiveTarget) =>
  importArchive({ lines: linesOf(text), target, files: filesIn(data) });
const wholeText = (data: string): Promise<string> =>
  readSqlite(data, async (source) => {
    let text = '';
    for await (const part of exportArchive({ source, files: filesIn(data), at: 0 })) text += part;
    return text;
  });

describe('an export', () => {
  test('has rows of every table, and is recognized by its first bytes', async () => {
    const [data, file] = [join(folder, 'data'), join(folder, 'file.gz')];
    await fillEverything(data);
    let counts: Readonly<Record<string, number>> = {};
    await readSqlite(data, (source) =>
      writeArchive(
        exportArchive({
          source,
          files: filesIn(data),
          at: 0,
          onEnd: (footer) => {
            counts = footer.counts;
          },
        }),
        createWriteStream(file),
      ),
    );
    const names = TABLES.map(tableName);
    expect(Object.keys(counts)).toEqual(names);
    expect(names.filter((name) => !(counts[name]! > 0))).toEqual([]);
    expect(isArchive(readFileSync(file).subarray(0, 300))).toBe(true);
    expect(isArchive(gzipSync('time,bid,ask\n'))).toBe(false);
  });

  test('imported into an empty folder and exported again has the same bytes', async () => {
    const [data, copy] = [join(folder, 'data'), join(folder, 'copy')];
    await fillEverything(data);
    const before = await readSqlite(data, (source) => textOf(source, data));
    const counts = await fillSqlite(copy, put(await wholeText(data), copy));
    expect(countsAgree(counts)).toBe(true);
    expect(await readSqlite(copy, (source) => textOf(source, copy))).toEqual(before);
    for (const name of ['live/log-key.pem', ...DATA_FILES]) {
      expect(readFileSync(join(copy, name))).toEqual(readFileSync(join(data, name)));
      expect(statSync(join(copy, name)).mode & 0o777).toBe(0o600);
    }
    expect(existsSync(join(copy, `importing.${process.pid}`))).toBe(false);
  });

  test('takes the instruments from the configured file, and puts them where the configuration says', async () => {
    const [data, copy] = [join(folder, 'data'), join(folder, 'copy')];
    const [from, to] = [join(folder, 'from.json'), join(folder, 'to.json')];
    await fillEverything(data);
    writeFileSync(from, 'the configured instruments');
    const text = await readSqlite(data, (source) => textOf(source, data, from));
    const lines = `{"tickwire_export":4}\n${text.join('\n')}`;
    const files = { data: copy, instruments: to };
    await fillSqlite(copy, (target) => importArchive({ lines: linesOf(lines), target, files }));
    expect(readFileSync(to, 'utf8')).toBe('the configured instruments');
    expect(existsSync(join(copy, 'instruments.json'))).toBe(false);
  });

  test('of a copied folder has the same bytes: a backup has both markets and all files', async () => {
    const [data, copy] = [join(folder, 'data'), join(folder, 'copy')];
    await fillEverything(data);
    const instruments = join(folder, 'configured.json');
    writeFileSync(instruments, 'the instruments.json');
    rmSync(join(data, 'instruments.json'));
    copySqliteStore({ data, instruments }, copy);
    const before = await readSqlite(data, (source) => textOf(source, data, instruments));
    expect(await readSqlite(copy, (source) => textOf(source, copy))).toEqual(before);
    for (const name of DATA_FILES) expect(statSync(join(copy, name)).mode & 0o777).toBe(0o600);
  });

  test('that is truncated, damaged or of another kind is rejected, and nothing of it is kept', async () => {
    const data = join(folder, 'data');
    await fillEverything(data);
    const text = await wholeText(data);
    const lines = text.trimEnd().split('\n');
    const zipped = gzipSync(text);
    const cases: readonly (readonly [string, Buffer])[] = [
      ['truncated', gzipSync(`${lines.slice(0, -1).join('\n')}\n`)],
      ['truncated', gzipSync(text.slice(0, 5_000))],
      ['cannot be read', zipped.subarray(0, zipped.length / 2)],
      ['cannot be read', Buffer.from('no gzip at all')],
      ['not an export', gzipSync('{"hello":1}\n')],
      ['format 99', gzipSync(text.replace('"tickwire_export":4', '"tickwire_export":99'))],
      ['earlier development version', gzipSync(text.replace('"tickwire_export":4', '"tickwire_export":1'))],
      ['not JSON', gzipSync(`${lines[0]}\nrubbish\n`)],
      ['unknown table', gzipSync(`${lines[0]}\n{"table":"sim.secrets","columns":[]}\n`)],
      ['other columns', gzipSync(text.replace('"public_id"', '"private_id"'))],
      ['has a file', gzipSync(text.replace('live/log-key.pem', 'live/../log-key.pem'))],
      ['damaged', gzipSync(text.replace('"EURUSD","1m",', '"EURUSD",1,'))],
    ];
    for (const [message, bytes] of cases) {
      const copy = join(folder, 'copy');
      const refusal = await refusalOf(
        fillSqlite(copy, (target) =>
          importArchive({ lines: readArchive(Readable.from([bytes])), target, files: filesIn(copy) }),
        ),
      );
      expect(refusal).toBeInstanceOf(StoreError);
      expect((refusal as Error).message).toContain(message);
      expect(existsSync(join(copy, 'tickwire.db'))).toBe(false);
    }
  });

  test('with fewer rows than its footer says does not agree', async () => {
    const data = join(folder, 'data');
    await fillEverything(data);
    const lines = (await wholeText(data)).split('\n');
    const bar = lines.findIndex((line) => line.startsWith('["EURUSD","1m"'));
    const counts = await fillSqlite(join(folder, 'copy'), put(lines.toSpliced(bar, 1).join('\n'), folder));
    expect(countsAgree(counts)).toBe(false);
    expect(counts.find(({ exported, imported }) => exported !== imported)).toEqual({
      table: 'sim.bars',
      exported: 5_000,
      imported: 4_999,
    });
  });

  test('is not imported into a folder that has a store', async () => {
    const data = join(folder, 'data');
    await fillEverything(data);
    const refusal = await refusalOf(fillSqlite(data, put(await wholeText(data), data)));
    expect((refusal as Error).message).toContain('already exists');
  });
});

const server = await postgresForTests();

describe.skipIf(server === null)('moving to PostgreSQL', () => {
  let place: TestDatabase;
  let database: PostgresDatabase;
  let data: string;
  beforeEach(async () => {
    data = join(folder, 'data');
    await fillEverything(data);
    place = await testDatabase(server!);
    database = new PostgresDatabase({
      address: parsePostgresAddress(place.url),
      searchPath: ['tickwire'],
      connections: 2,
    });
  });
  afterEach(async () => {
    await database.close();
    await place.dispose();
  });
  const openMoved = (realm: 'sim' | 'live'): Promise<Store> =>
    openPostgresStore({ url: place.url, realm, role: 'command', folder: data });

  test('and back loses nothing, byte for byte', async () => {
    const [moved, back] = [join(folder, 'moved'), join(folder, 'back')];
    const before = await readSqlite(data, (source) => textOf(source, data));
    let counts: TableCount[] = [];
    await fillPostgres(database, async (target) => {
      counts = await put(await wholeText(data), moved)(target);
    });
    expect(counts.filter(({ exported, imported }) => exported !== imported)).toEqual([]);
    expect(await readPostgres(database, (source) => textOf(source, moved))).toEqual(before);
    const file = join(folder, 'file.gz');
    await readPostgres(database, (source) =>
      writeArchive(exportArchive({ source, files: filesIn(moved), at: 0 }), createWriteStream(file)),
    );
    await fillSqlite(back, (target) =>
      importArchive({ lines: readArchive(createReadStream(file)), target, files: filesIn(back) }),
    );
    expect(await readSqlite(back, (source) => textOf(source, back))).toEqual(before);
    expect(gunzipSync(readFileSync(file)).toString().split('\n').slice(1)).toEqual(before);
  });

  test('new accounts, records and ticks follow the imported ones', async () => {
    await fillPostgres(database, put(await wholeText(data), join(folder, 'moved')));
    const store = await openMoved('live');
    const accounts = await store.access.accounts();
    const made = await store.access.createAccount('Bob', 'free', 1);
    expect(accounts.map(({ id }) => id)).not.toContain(made.id);
    await store.access.audit({ at: 1, actor: 'test', action: 'tier set', subject: '' });
    expect((await store.access.auditLog({ limit: 1 }))[0]?.action).toBe('tier set');
    expect((await store.signals.tail())?.n).toBe(4);
    expect(await refusalOf(store.access.createAccount('grace OF live', 'free', 1))).toBeInstanceOf(StoreError);
    await store.market.writeTape([block({ minute: asEpochMs(MONDAY + 5 * DAY_MS) })]);
    expect(await store.market.tape(MONDAY + 5 * DAY_MS)).toHaveLength(1);
    await store.close();
  });

  test('rejects a database that contains rows, and leaves it empty if the import fails half-way', async () => {
    const text = await wholeText(data);
    const half = text.slice(0, text.length * 0.9);
    expect(await refusalOf(fillPostgres(database, put(half, folder)))).toBeInstanceOf(StoreError);
    expect(await place.ask('SELECT 1 FROM sim.bars UNION ALL SELECT 1 FROM accounts')).toEqual([]);
    const store = await openMoved('live');
    await store.market.setNumber('one', 1);
    await store.close();
    const refusal = await refusalOf(fillPostgres(database, put(text, folder)));
    expect((refusal as Error).message).toContain('live.numbers has rows');
  });
});
