import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { asEpochMs, MINUTE_MS, type QuoteEvent, type TradeEvent } from '@tickwire/engine';
import { runHere } from '../../testing/command.fixture.ts';
import { filesUnder, newFolders } from '../../testing/export/round-trip.fixture.ts';
import { postgresForTests } from '../../testing/external-services.fixture.ts';
import type { Ran } from '../../testing/process.fixture.ts';
import type { Settings } from '../../testing/service.fixture.ts';
import { type TestDatabase, testDatabase } from '../../testing/store/postgres-database.fixture.ts';
import { EURUSD, MONDAY, minuteBar } from '../../testing/store/samples.fixture.ts';
import { ExportJournal } from '../export/export-journal.ts';
import { encodeMinuteBlocks } from '../import/write/minute-blocks.ts';
import { openStore } from '../store/open-store.ts';
import type { TapeRecord } from '../store/store.ts';
import { storeName } from './export-history.ts';

const newFolder = newFolders();
const data = newFolder();
/** Two days and a half, without ten minutes of the second day. */
const BARS = 3_600;
const MISSING = { from: 2_000, to: 2_010 };

/** Bars, and quotes and trades of two minutes, in the store of live markets. */
async function fill(settings: { data: string; database_url: string | null }): Promise<void> {
  const store = await openStore({ ...settings, realm: 'live' }, { role: 'command', exclusive: true });
  try {
    const bars = Array.from({ length: BARS }, (_, index) => minuteBar(index)).filter(
      (_, index) => index < MISSING.from || index >= MISSING.to,
    );
    await store.market.write({ bars, prices: [], barsUntil: MONDAY + BARS * MINUTE_MS });
    for (const minute of [MONDAY, MONDAY + MINUTE_MS]) {
      const time = asEpochMs(minute + 5);
      const quote: QuoteEvent = { kind: 'quote', symbol: EURUSD, time, bid: 1.1, ask: 1.2, bidSize: 3, askSize: 4 };
      const crossed: QuoteEvent = { ...quote, bid: 1.3 };
      const trade: TradeEvent = {
        kind: 'trade',
        symbol: EURUSD,
        time,
        price: 1.15,
        size: 2,
        side: 'buy',
        sideMethod: null,
      };
      const records = [quote, crossed, trade].map(
        (event, seq): TapeRecord => ({ seq: seq + 1, event, source: 'push' }),
      );
      const spec = { symbol: EURUSD, digits: 5 } as Parameters<typeof encodeMinuteBlocks>[0];
      await store.market.writeTape(encodeMinuteBlocks(spec, minute, records));
    }
  } finally {
    await store.close();
  }
}
beforeAll(() => fill({ data, database_url: null }));

const run = (args: string, folder: string, settings: Settings = { data }): Promise<Ran> => {
  const [what, ...flags] = args.split(' ');
  return runHere(['export', what!, folder, ...flags, '--realm', 'live'], settings);
};
const namesIn = (folder: string): string[] => filesUnder(folder).map((path) => relative(folder, path));

describe('tickwire export', () => {
  test('writes bars by day, and tells the range, the files, the gaps and how to read them back', async () => {
    const folder = newFolder();
    const { status, out, err } = await run('bars --symbol EURUSD --partition day', folder);
    expect([status, err]).toEqual([0, '']);
    expect(namesIn(folder)).toEqual(['02', '03', '04'].map((day) => `EURUSD/EURUSD-1m-2026-03-${day}.csv`));
    expect(out).toMatch(/^EURUSD: 3,590 bars of 1m in 3 files \(CSV, [\d.]+ KB\) in /);
    expect(out).toContain('from       2026-03-02T00:00:00.000Z to 2026-03-04T11:59:00.000Z\n');
    expect(out).toContain(
      'gaps       1 while the market was open, the longest:\n    2026-03-03T09:20:00.000Z to 2026-03-03T09:30:00.000Z  10 min 0 s\n',
    );
    expect(out).toContain(`npx tickwire import ${folder}/EURUSD/EURUSD-1m-*.csv --symbol EURUSD\n`);
    const [header, first] = readFileSync(filesUnder(folder)[0]!, 'utf8').split('\n');
    expect(header).toBe('time,open,high,low,close,volume,buy_volume,sell_volume,basis');
    expect(first).toBe('2026-03-02T00:00:00.000Z,1.1,1.3,1.05,1.2,12.5,8,4.5,trade');
  });

  test('writes both kinds of ticks, and crossed quotes only if asked for', async () => {
    const folder = newFolder();
    const { status, out } = await run('ticks --symbol eurusd --format ndjson', folder);
    expect(status).toBe(0);
    expect(out).toContain('left out   2 quotes with the bid above the ask; --crossed includes them');
    expect(namesIn(folder)).toEqual(['quotes', 'trades'].map((kind) => `EURUSD/EURUSD-${kind}-2026-03-02.ndjson`));
    const lines = readFileSync(filesUnder(folder)[0]!, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      ['00:00:00', '00:01:00'].map((time) => ({
        time: `2026-03-02T${time}.005Z`,
        bid: 1.1,
        ask: 1.2,
        bid_size: 3,
        ask_size: 4,
      })),
    );
    const all = await run('ticks --symbol EURUSD --kind quotes --crossed --format ndjson', newFolder());
    expect(all.out).toContain('EURUSD: 4 quotes in 1 file');
  });

  test('has the folders of Lean and the names of freqtrade', async () => {
    const folder = newFolder();
    for (const args of [
      'bars --format lean',
      'bars --format lean --interval 1h',
      'ticks --format lean',
      'bars --format freqtrade',
      'ticks --format freqtrade',
    ])
      await run(`${args} --symbol EURUSD`, folder);
    expect(namesIn(folder)).toEqual([
      'EUR_USD-1m.json',
      'EUR_USD-trades.json',
      ...['02', '03', '04'].map((day) => `forex/oanda/minute/eurusd/202603${day}_trade.zip`),
      'forex/oanda/tick/eurusd/20260302_quote.zip',
      'forex/oanda/tick/eurusd/20260302_trade.zip',
    ]);
  });

  test('replaces no file unless forced to', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'EURUSD'));
    const file = join(folder, 'EURUSD', 'EURUSD-1m-2026-03.csv');
    writeFileSync(file, 'mine\n');
    const refused = await run('bars --symbol EURUSD', folder);
    expect(refused).toEqual({
      status: 1,
      out: '',
      err: `tickwire: ${file} already exists; add --force to replace it, or choose another folder\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe('mine\n');
    expect((await run('bars --symbol EURUSD --force', folder)).status).toBe(0);
    expect(readFileSync(file, 'utf8')).toStartWith('time,');
    expect(namesIn(folder)).toHaveLength(1);
  });

  test('continues after the last complete file of an export that was interrupted', async () => {
    const folder = newFolder();
    const args = 'bars --symbol EURUSD --partition day';
    const whole = await run(args, folder);
    const contents = filesUnder(folder).map((path) => readFileSync(path, 'utf8'));
    // As if the process had been killed in the third file.
    const [first, second, third] = filesUnder(folder) as [string, string, string];
    rmSync(third);
    writeFileSync(`${third}.part`, 'time,op');
    const journal = new ExportJournal(folder, 'EURUSD-1m');
    const range = { from: MONDAY, to: MONDAY + BARS * MINUTE_MS };
    const from_store = storeName({ realm: 'live', data, database_url: null });
    const request = {
      name: 'EURUSD-1m',
      format: 'csv',
      partition: 'day',
      crossed: 0,
      from_store,
      from: null,
      to: null,
    };
    journal.open({ request, ...range }, false);
    for (const [index, path] of [first, second].entries())
      journal.add({
        path: relative(folder, path),
        bytes: contents[index]!.length,
        rows: contents[index]!.split('\n').length - 2,
        first: MONDAY + index * 1_440 * MINUTE_MS,
        last: MONDAY + (index * 1_440 + 1_439) * MINUTE_MS,
        until: MONDAY + (index + 1) * 1_440 * MINUTE_MS,
        others: 0,
        bidBars: 0,
        crossed: 0,
        digits: 5,
        gaps: index,
        longestGaps: [],
      });
    journal.close();
    const other = await run(`${args} --interval 1m --to 2026-03-04`, folder);
    expect(other.status).toBe(1);
    expect(other.err).toContain('with other options was interrupted');
    const elsewhere = await runHere(['export', ...args.split(' ').toSpliced(1, 0, folder), '--realm', 'sim'], { data });
    expect(elsewhere.status).toBe(1);
    const continued = await run(args, folder);
    expect(continued).toMatchObject({ status: 0, err: '' });
    expect(continued.out).toContain('kept       2 files of the interrupted export before\n');
    expect(continued.out).toContain('gaps       1 while the market was open');
    expect(continued.out.slice(0, 30)).toBe(whole.out.slice(0, 30));
    expect(filesUnder(folder).map((path) => readFileSync(path, 'utf8'))).toEqual(contents);
  });

  test('fails if less was written than asked for', async () => {
    const early = await run('bars --symbol EURUSD --from 2026-02-01 --to 2026-03-03', newFolder());
    expect(early.status).toBe(1);
    expect(early.err).toBe(
      'tickwire: EURUSD-1m: less than asked for was written: the history begins at 2026-03-02T00:00:00.000Z\n',
    );
    const late = await run('bars --symbol EURUSD --from 2026-03-02 --to 2026-03-06', newFolder());
    expect(late.err).toContain('the history ends at 2026-03-04T12:00:00.000Z');
    expect(await run('bars --symbol EURUSD --from 2026-03-02 --to 2026-03-04', newFolder())).toMatchObject({
      status: 0,
      err: '',
    });
    const none = newFolder();
    const empty = await run('bars --symbol EURUSD --from 2026-01-01 --to 2026-02-01', none);
    expect(empty).toMatchObject({ status: 1, out: '' });
    expect(empty.err).toContain(
      'no rows of EURUSD-1m (it has 2026-03-02T00:00:00.000Z to 2026-03-04T11:59:00.000Z) in this range of the live markets',
    );
    expect(namesIn(none)).toEqual([]);
  });

  test.each([
    ['bars --symbol NOSUCH', 1, 'there is no instrument NOSUCH'],
    ['bars', 2, '--symbol is missing'],
    ['bars --symbol EURUSD --interval 5x', 2, '--interval must be a number of minutes up to 1440m'],
    ['bars --symbol EURUSD --align Mars/Base', 2, '--align must be utc, ny'],
    ['bars --symbol EURUSD --format xlsx', 2, 'must be one of ndjson, csv, parquet, lean, freqtrade'],
    ['bars --symbol EURUSD --kind trades', 2, '--kind applies to ticks'],
    ['ticks --symbol EURUSD --interval 1m', 2, '--interval applies to bars'],
    ['bars --symbol EURUSD --from 2999-01-01', 2, '--from is in the future'],
    ['bars --symbol EURUSD --from 2026-03-03 --to 2026-03-03', 2, '--from must be before --to'],
    ['bars --symbol EURUSD --format lean --interval 5m', 2, 'Lean has bars of 1m, 1h and 1d'],
    ['bars --symbol EURUSD --format lean --market nasdaq', 2, 'must be one of oanda, fxcm'],
    ['bars --symbol EURUSD --format freqtrade --align ny --interval 1d', 2, 'not of 1d@ny'],
    ['ticks --symbol EURUSD --format freqtrade --kind quotes', 2, 'freqtrade has no files of quotes'],
    ['bars --symbol EURUSD --market oanda', 2, '--market applies to --format lean'],
  ])('refuses %s', async (args, status, problem) => {
    const folder = newFolder();
    const refused = await run(args, folder);
    expect(refused).toMatchObject({ status, out: '' });
    expect(refused.err).toContain(problem);
    expect(refused.err.trimEnd().split('\n')).toHaveLength(1);
    expect(namesIn(folder)).toEqual([]);
  });

  test('names a folder that it cannot write, and a store that is not there', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    expect((await run('bars --symbol EURUSD', file)).err).toBe(
      `tickwire: ${file} cannot be written: it is a file, not a folder (EEXIST)\n`,
    );
    const elsewhere = join(newFolder(), 'none');
    const missing = await run('bars --symbol EURUSD', newFolder(), { data: elsewhere });
    expect([missing.status, missing.err]).toEqual([
      1,
      `tickwire: ${join(elsewhere, 'live')} contains no market data of the live markets\n`,
    ]);
    expect(existsSync(elsewhere)).toBe(false);
  });
});

const server = await postgresForTests();

describe.skipIf(server === null)('with PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase(server!);
  });
  afterAll(() => database.dispose());

  test('the files are the same', async () => {
    const settings = { data: newFolder(), database_url: database.url };
    await fill(settings);
    for (const args of ['bars --symbol EURUSD --interval 7m --align ny', 'ticks --symbol EURUSD --format parquet']) {
      const [embedded, remote] = [newFolder(), newFolder()];
      expect((await run(args, embedded)).status).toBe(0);
      expect(await run(args, remote, settings)).toMatchObject({ status: 0, err: '' });
      expect(namesIn(remote)).toEqual(namesIn(embedded));
      const contents = (folder: string): Buffer[] => filesUnder(folder).map((path) => readFileSync(path));
      expect(contents(remote)).toEqual(contents(embedded));
    }
  });
});
