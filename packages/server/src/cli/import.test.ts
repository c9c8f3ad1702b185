import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { dumpOf } from '../import/store-dump.fixture.ts';
import { openSqliteStore } from '../store/sqlite/open.ts';
import { eventually, runTickwire, ServiceProcess } from '../testing/process.fixture.ts';
import { makeKey, spawnTickwire, temporaryFolder } from '../testing/service.fixture.ts';

// Processes start slowly on a busy machine.
setDefaultTimeout(30_000);

const files = temporaryFolder();
const folders: string[] = [files];
const folder = (): string => {
  folders.push(temporaryFolder());
  return folders.at(-1)!;
};
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});

const START = Date.UTC(2024, 0, 2);
function fileOf(name: string, content: string | Uint8Array): string {
  writeFileSync(join(files, name), content);
  return join(files, name);
}
const quotes = (count: number, every = 500): string =>
  Array.from({ length: count }, (_, index) => `${START + index * every},1.1${index % 10},1.2${index % 10}\n`).join('');

/** SIGKILL to the launcher and to Bun under it: nothing gets a chance to tidy up. */
async function killAfter(launcher: ReturnType<typeof spawnTickwire>, ms: number): Promise<void> {
  await Bun.sleep(ms);
  const { pid } = launcher;
  // Through already, on a fast machine: then the next run is a plain repetition.
  if (launcher.exitCode !== null) return;
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  launcher.kill('SIGKILL');
  if (child !== undefined) process.kill(Number(child), 'SIGKILL');
  // Both hold its end of the pipe: when it closes, both are gone, and so is the lock on the folder.
  await new Response(launcher.stdout).text();
}

test('a million lines with one bad one are 999,999 rows; the report says which', async () => {
  const text = `time,bid,ask\n${quotes(700_000, 50)}oops\n${quotes(299_999, 50)}`;
  const path = fileOf('million.csv', text);
  const data = folder();
  const { status, out, err } = await runTickwire(['import', path, '--symbol', 'eurusd'], { data });
  expect(status).toBe(0);
  expect(out).toMatch(
    /^EURUSD: 999,999 rows read from 1 file \(CSV with named columns\) in [\d.]+ s, [\d,]+ rows\/s\n/,
  );
  expect(out).toContain('2024-01-02T00:00:00.000Z to 2024-01-02T09:43:19.950Z');
  // The last third repeats the first: what a file has twice, out of order by hours, is there once.
  expect(out).toMatch(/written {4}\d+ bars, 700,000 ticks in 584 tape minutes\n/);
  expect(out).toContain('wrong_columns: 1, fewer columns than the format has (line 700002)');
  // No terminal, no bar that is drawn over.
  expect(err).not.toContain('\r');
});

test('Ctrl-C leaves what is written, and the same command goes on', async () => {
  const path = fileOf('long.csv', `time,bid,ask\n${quotes(800_000, 20)}`);
  const data = folder();
  const child = spawnTickwire(['import', path, '--symbol', 'EURUSD'], { data });
  // Whoever interrupts it before it has begun ends it without a word.
  await eventually('the import has begun', () => readdirSync(data).length > 0, 10_000);
  child.kill('SIGINT');
  const [out, status] = [await new Response(child.stdout).text(), await child.exited];
  // A fast machine may be through.
  if (status !== 0) {
    expect(status).toBe(130);
    expect(out).toContain('Interrupted: what is written stays. The same command again goes on from there.');
  }
  const again = await runTickwire(['import', path, '--symbol', 'EURUSD'], { data });
  expect(again.status).toBe(0);
  expect(again.out).toContain('800,000 quotes');
});

test.skipIf(!existsSync('/proc/self/task'))(
  'NDJSON and several files at once; killed at any moment it can be repeated',
  async () => {
    const lines = (from: number): string =>
      Array.from({ length: 150_000 }, (_, index) => {
        const time = START + from + index * 100;
        return index % 3
          ? `{"symbol":"EURUSD","time":${time},"bid":1.1,"ask":1.2}\n`
          : `{"time":${time},"price":1.15,"size":2}\n`;
      }).join('');
    const paths = [fileOf('a.ndjson', lines(0)), fileOf('b.ndjson', lines(15_000_000))];
    const [whole, killed] = [folder(), folder()];
    expect((await runTickwire(['import', ...paths, '--symbol', 'EURUSD'], { data: whole })).status).toBe(0);
    for (const ms of [200, 350, 500]) {
      await killAfter(spawnTickwire(['import', ...paths, '--symbol', 'EURUSD'], { data: killed }), ms);
    }
    const last = await runTickwire(['import', ...paths, '--symbol', 'EURUSD'], { data: killed });
    expect([last.status, last.err]).toEqual([0, '']);
    expect(last.out).toContain('200,000 quotes, 100,000 trades');
    expect(dumpOf(killed).bars).toEqual(dumpOf(whole).bars);
    expect(dumpOf(killed).blocks.length).toBe(dumpOf(whole).blocks.length);
  },
);

test('what cannot be done is said in one line', async () => {
  const data = folder();
  const good = fileOf('good.csv', `time,bid,ask\n${quotes(10)}`);
  const cases: [string[], number, RegExp][] = [
    [[good], 2, /--symbol is missing/],
    [['--symbol', 'EURUSD'], 2, /usage: tickwire import FILE/],
    [
      [good, '--symbol', 'NOPE'],
      1,
      /there is no instrument NOPE: add it with an instruments file \(--instruments FILE or TICKWIRE_INSTRUMENTS\)/,
    ],
    [[good, '--symbol', 'BTCUSDT'], 1, /it comes with a venue \(--feeds crypto:binance\)/],
    [
      [fileOf('odd.csv', 'time,bid\n1,2\n'), '--symbol', 'EURUSD', '--format', 'csv'],
      1,
      /odd\.csv: it lacks a column for the ask/,
    ],
    [[fileOf('clock.csv', 'time,bid,ask\n2024-01-02 00:00:00,1.1,1.2\n'), '--symbol', 'EURUSD'], 1, /give --timezone/],
    [[join(files, 'none.csv'), '--symbol', 'EURUSD'], 1, /none\.csv: it cannot be opened/],
    [[good, '--symbol', 'EURUSD', '--format', 'excel'], 2, /--format is "excel": it must be one of auto/],
    [[good, '--symbol', 'EURUSD', '--points', 'x'], 2, /--points/],
    [[good, '--symbol', 'EURUSD', '--start', 'soon'], 2, /--start is "soon"/],
  ];
  for (const [args, status, says] of cases) {
    const ran = await runTickwire(['import', ...args], { data });
    expect({ args, status: ran.status, out: ran.out }).toEqual({ args, status, out: '' });
    expect(ran.err.trim().split('\n')).toHaveLength(1);
    expect(ran.err).toMatch(says);
  }
});

test('a truncated archive keeps what came before and ends with the fault; lines that are too fine are named', async () => {
  const data = folder();
  const packed = gzipSync(`time,bid,ask\n${quotes(200_000)}`);
  const path = fileOf('cut.csv.gz', packed.subarray(0, packed.length >> 1));
  const cut = await runTickwire(['import', path, '--symbol', 'EURUSD'], { data });
  expect(cut.status).toBe(1);
  expect(cut.err).toMatch(/cut\.csv\.gz: the archive ends too early; what came before is kept\n$/);
  expect(dumpOf(data).bars.length).toBeGreaterThan(50);

  const fine = fileOf('fine.csv', `time,bid,ask\n${START},1.1234567,1.2\n`);
  const skipped = await runTickwire(['import', fine, '--symbol', 'EURUSD'], { data: folder() });
  expect(skipped.status).toBe(1);
  expect(skipped.out).toContain('finer_than_digits: 1, a price has more decimals than the instrument (line 2)');
  const rounded = await runTickwire(['import', fine, '--symbol', 'EURUSD', '--round'], { data: folder() });
  expect(rounded.out).toContain('rounded    1 row');
});

test('a service on the folder keeps it; then it serves what was imported, with what it records itself', async () => {
  const data = folder();
  mkdirSync(data, { recursive: true });
  const { key } = await makeKey(data, 'premium', ['read', 'ingest']);
  const path = fileOf('serve.csv', `time,bid,ask\n${quotes(50_000)}`);
  const settings = { data, feeds: 'push' };
  const first = await ServiceProcess.start(settings);
  const refused = await runTickwire(['import', path, '--symbol', 'EURUSD'], { data });
  expect([refused.status, refused.out]).toEqual([1, '']);
  expect(refused.err).toMatch(/is in use by another Tickwire: stop it/);
  await first.stop();

  expect((await runTickwire(['import', path, '--symbol', 'EURUSD'], settings)).status).toBe(0);
  const numbers = await (async () => {
    const store = openSqliteStore({ folder: data, realm: 'live', exclusive: true });
    const found = [await store.market.number('bars_until'), await store.market.number('tape_from')];
    // However old, imported days stay.
    expect(await store.market.pruneTape(Date.now())).toBe(0);
    await store.close();
    return found;
  })();
  const end = Math.ceil((START + 50_000 * 500) / 60_000) * 60_000;
  expect(numbers).toEqual([end, end]);

  const service = await ServiceProcess.start(settings);
  const bars = async (query: string): Promise<{ time: string; volume: number }[]> =>
    ((await (await service.get(`/api/market/EURUSD?${query}`, key)).json()) as { ohlcv: never[] }).ohlcv;
  const before = await bars(`timeframe=1m&bars=3&before=${START + 600_000}`);
  expect(before.map(({ time, volume }) => [time, volume])).toEqual(
    [7, 8, 9].map((minute) => [new Date(START + minute * 60_000).toISOString(), 120]),
  );
  expect(await bars(`timeframe=1h&from=${START}&to=${START + 3 * 3_600_000}`)).toHaveLength(4);
  expect((await bars('timeframe=1m&bars=500')).at(-1)!.time).toBe(new Date(end - 60_000).toISOString());
  expect((await bars('timeframe=1d&bars=5')).map(({ volume }) => volume)).toEqual([50_000]);

  const now = Date.now();
  const body = `{"symbol":"EURUSD","time":${now},"bid":1.15,"ask":1.16}\n`;
  const pushed = await fetch(`${service.url}/ingest/ticks`, { method: 'POST', body, headers: { 'X-API-Key': key } });
  expect(await pushed.json()).toMatchObject({ accepted: 1 });
  expect((await bars('timeframe=1m&bars=1'))[0]!.time).toBe(new Date(now - (now % 60_000)).toISOString());
  // By then the tick is on the tape, and its bar in no store yet.
  await Bun.sleep(500);
  await service.kill();

  // Imported again under what the service has recorded since: nothing moves.
  const again = await runTickwire(['import', path, '--symbol', 'EURUSD'], settings);
  expect(again.out).toContain('0 bars, 0 ticks in 0 tape minutes');
  const restarted = await ServiceProcess.start(settings);
  const answer = await restarted.get('/api/market/EURUSD?timeframe=1d&bars=5', key);
  const days = ((await answer.json()) as { ohlcv: { volume: number }[] }).ohlcv;
  expect(days.map(({ volume }) => volume)).toEqual([50_000, 1]);
  await restarted.stop();
});
