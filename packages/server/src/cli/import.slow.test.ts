import { afterAll, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { runHere } from '../../testing/command.fixture.ts';
import { dumpOf } from '../../testing/import/store-dump.fixture.ts';
import { eventually, runTickwire, ServiceProcess } from '../../testing/process.fixture.ts';
import { makeKey, spawnTickwire, temporaryFolder } from '../../testing/service.fixture.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';

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

/** Sends SIGKILL to the launcher and to Bun, so that nothing is cleaned up. */
async function killAfter(launcher: ReturnType<typeof spawnTickwire>, ms: number): Promise<void> {
  await Bun.sleep(ms);
  const { pid } = launcher;
  // On a fast machine it may have finished; then the next run just repeats it.
  if (launcher.exitCode !== null) return;
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  launcher.kill('SIGKILL');
  if (child !== undefined) process.kill(Number(child), 'SIGKILL');
  // Both hold the pipe open: when it closes, both have ended, and the lock on the folder is released.
  await new Response(launcher.stdout).text();
}

test('imports 999,999 rows of a million lines and reports the bad one', async () => {
  const text = `time,bid,ask\n${quotes(700_000, 50)}oops\n${quotes(299_999, 50)}`;
  const path = fileOf('million.csv', text);
  const data = folder();
  const { status, out, err } = await runTickwire(['import', path, '--symbol', 'eurusd'], { data });
  expect(status).toBe(0);
  expect(out).toMatch(
    /^EURUSD: 999,999 rows read from 1 file \(CSV with named columns\) in [\d.]+ s, [\d,]+ rows\/s\n/,
  );
  expect(out).toContain('2024-01-02T00:00:00.000Z to 2024-01-02T09:43:19.950Z');
  // The last third repeats the first: duplicates, out of order by hours, are imported once.
  expect(out).toMatch(/written {4}\d+ bars, 700,000 ticks in 584 tape minutes\n/);
  expect(out).toContain('wrong_columns: 1, the line has too few columns (line 700002)');
  // Without a terminal there is no progress bar.
  expect(err).not.toContain('\r');
});

test('Ctrl-C keeps what is written, and the same command resumes', async () => {
  const path = fileOf('long.csv', `time,bid,ask\n${quotes(800_000, 20)}`);
  const data = folder();
  const child = spawnTickwire(['import', path, '--symbol', 'EURUSD'], { data });
  // Interrupting it before it has started ends it without output.
  await eventually('the import has begun', () => readdirSync(data).length > 0, 10_000);
  child.kill('SIGINT');
  const [out, status] = [await new Response(child.stdout).text(), await child.exited];
  // A fast machine may have finished.
  if (status !== 0) {
    expect(status).toBe(130);
    expect(out).toContain('Interrupted. Written data stays; run the same command again to continue.');
  }
  const again = await runTickwire(['import', path, '--symbol', 'EURUSD'], { data });
  expect(again.status).toBe(0);
  expect(again.out).toContain('800,000 quotes');
});

test.skipIf(!existsSync('/proc/self/task'))(
  'imports several NDJSON files at once, and can be repeated after a kill at any moment',
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
    // On a busy machine it takes long enough to report its progress.
    const errors = last.err.split('\n').filter((line) => line !== '' && !line.includes(' rows/s, '));
    expect([last.status, errors]).toEqual([0, []]);
    expect(last.out).toContain('200,000 quotes, 100,000 trades');
    expect(dumpOf(killed).bars).toEqual(dumpOf(whole).bars);
    expect(dumpOf(killed).blocks.length).toBe(dumpOf(whole).blocks.length);
  },
);

test('invalid arguments and files give a one-line error', async () => {
  const data = folder();
  const good = fileOf('good.csv', `time,bid,ask\n${quotes(10)}`);
  const cases: [string[], number, RegExp][] = [
    [[good], 2, /--symbol is missing/],
    [['--symbol', 'EURUSD'], 2, /usage: tickwire import FILE/],
    [
      [good, '--symbol', 'NOPE'],
      1,
      /there is no instrument NOPE; add it, such as with: tickwire instruments add NOPE --type equity /,
    ],
    [[good, '--symbol', 'BTCUSDT'], 1, /enable a venue that has it \(--feeds binance\)/],
    [
      [fileOf('odd.csv', 'time,bid\n1,2\n'), '--symbol', 'EURUSD', '--format', 'csv'],
      1,
      /odd\.csv: missing: the ask column/,
    ],
    [
      [fileOf('clock.csv', 'time,bid,ask\n2024-01-02 00:00:00,1.1,1.2\n'), '--symbol', 'EURUSD'],
      1,
      /specify --timezone/,
    ],
    [[join(files, 'none.csv'), '--symbol', 'EURUSD'], 1, /none\.csv: the file cannot be opened/],
    [[good, '--symbol', 'EURUSD', '--format', 'excel'], 2, /--format is "excel", but must be one of auto/],
    [[good, '--symbol', 'EURUSD', '--points', 'x'], 2, /--points/],
    [[good, '--symbol', 'EURUSD', '--start', 'soon'], 2, /--start is "soon"/],
  ];
  for (const [args, status, says] of cases) {
    const ran = await runHere(['import', ...args], { data });
    expect({ args, status: ran.status, out: ran.out }).toEqual({ args, status, out: '' });
    expect(ran.err.trim().split('\n')).toHaveLength(1);
    expect(ran.err).toMatch(says);
  }
});

test('stores nothing of a truncated archive unless told to', async () => {
  const data = folder();
  const packed = gzipSync(`time,bid,ask\n${quotes(200_000)}`);
  const path = fileOf('cut.csv.gz', packed.subarray(0, packed.length >> 1));
  const refused = await runTickwire(['import', path, '--symbol', 'EURUSD'], { data });
  expect([refused.status, dumpOf(data).bars.length]).toEqual([1, 0]);
  expect(refused.err).toMatch(
    /cut\.csv\.gz: the archive is truncated; nothing was stored\. --allow-skipped imports the [\d,]+ rows before the fault\n$/,
  );
  const cut = await runTickwire(['import', path, '--symbol', 'EURUSD', '--allow-skipped'], { data });
  expect(cut.status).toBe(1);
  expect(cut.err).toMatch(/cut\.csv\.gz: the archive is truncated; the rows before it were imported\n$/);
  expect(dumpOf(data).bars.length).toBeGreaterThan(50);
});

test('stores nothing if rows would be lost, and says why and what helps', async () => {
  const data = folder();
  const run = (...args: string[]) => runTickwire(['import', ...args, '--symbol', 'EURUSD'], { data });
  // One digit too many in most rows, as in a file of another broker.
  const fine = fileOf(
    'fine.csv',
    `time,bid,ask\n${Array.from({ length: 100 }, (_, i) => `${START + i},1.1${i}${i % 7 ? '2341' : ''},1.3\n`).join('')}`,
  );
  const refused = await run(fine);
  expect([refused.status, dumpOf(data).bars.length]).toEqual([1, 0]);
  expect(refused.out).toContain('15 rows can be used (15 %); nothing was stored\n');
  expect(refused.out).toContain('finer_than_digits: 85, a price has more decimals than the instrument (line 3, 4, 5');
  expect(refused.err).toContain('85 prices have more than the 5 decimals of EURUSD');
  expect(refused.err).toContain('--round rounds them; --digits N imports them with N decimals');
  expect((await run(fine, '--round')).out).toContain('rounded    85 rows');

  const bad = fileOf('bad.csv', `time,bid,ask\n${quotes(1_000)}oops\noops\n${quotes(5_000)}`);
  const lost = await run(bad);
  expect(lost.status).toBe(1);
  expect(lost.err).toContain(
    'nothing was stored: 2 of 6,002 rows (<0.1 %) cannot be used: 2 × the line has too few columns',
  );
  const allowed = await run(bad, '--allow-skipped');
  expect([allowed.status, allowed.err]).toEqual([0, '']);
  expect(allowed.out).toContain('used       99.9 % of the rows');
});

test('imports all instruments of a symbol column, or the one that is asked for', async () => {
  const data = folder();
  const lines = ['EUR/USD', 'USD/JPY'].flatMap((symbol, index) =>
    [0, 1, 2].map((i) => `${symbol},${START + i * 1000},${index ? 140 : 1}.1,${index ? 140 : 1}.2\n`),
  );
  const path = fileOf('pairs.csv', `symbol,time,bid,ask\n${lines.join('')}`);
  const wrong = await runTickwire(['import', path, '--symbol', 'GBPUSD'], { data });
  expect([wrong.status, dumpOf(data).bars.length]).toEqual([1, 0]);
  expect(wrong.err).toContain('no row is of GBPUSD: its symbol column has EUR/USD, USD/JPY. Specify --symbol');
  const both = await runTickwire(['import', path, '--symbol', 'from-file'], { data });
  expect(both.status).toBe(0);
  const bars = dumpOf(data).bars as { symbol: string; timeframe: string; open: number }[];
  expect(bars.filter(({ timeframe }) => timeframe === '1m').map(({ symbol, open }) => [symbol, open])).toEqual([
    ['EURUSD', 1.1],
    ['USDJPY', 140.1],
  ]);
  expect(both.out).toContain('Imported history belongs to the live markets');
  expect(both.out).toContain('npx tickwire serve --feeds push');

  const simulated = await ServiceProcess.start({ data, news: 'none' });
  await eventually('the hidden history is named', () => simulated.out.includes('is not shown'), 10_000);
  expect(simulated.out).toContain(
    'Imported history of EURUSD, USDJPY is not shown: it belongs to the live markets. Start with --feeds push',
  );
  await simulated.stop();
});

test('rejects a data folder in use; later the service serves imported history together with its own recordings', async () => {
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
    // Imported days are kept, however old they are.
    expect(await store.market.pruneTape(Date.now())).toBe(0);
    await store.close();
    return found;
  })();
  const end = Math.ceil((START + 50_000 * 500) / MINUTE_MS) * MINUTE_MS;
  expect(numbers).toEqual([end, end]);

  const service = await ServiceProcess.start(settings);
  const bars = async (query: string): Promise<{ time: string; volume: number }[]> =>
    ((await (await service.get(`/api/market/EURUSD?${query}`, key)).json()) as { ohlcv: never[] }).ohlcv;
  const before = await bars(`timeframe=1m&bars=3&before=${START + 600_000}`);
  expect(before.map(({ time, volume }) => [time, volume])).toEqual(
    [7, 8, 9].map((minute) => [new Date(START + minute * MINUTE_MS).toISOString(), 120]),
  );
  expect(await bars(`timeframe=1h&from=${START}&to=${START + 4 * HOUR_MS}`)).toHaveLength(4);
  expect((await bars('timeframe=1m&bars=500')).at(-1)!.time).toBe(new Date(end - MINUTE_MS).toISOString());
  expect((await bars('timeframe=1d&bars=5')).map(({ volume }) => volume)).toEqual([50_000]);

  const now = Date.now();
  // The second quote confirms the first, which is far from the last imported one.
  const body = [now - 1, now].map((time) => `{"symbol":"EURUSD","time":${time},"bid":1.15,"ask":1.16}\n`).join('');
  const pushed = await fetch(`${service.url}/ingest/ticks`, { method: 'POST', body, headers: { 'X-API-Key': key } });
  expect(await pushed.json()).toMatchObject({ accepted: 2 });
  expect((await bars('timeframe=1m&bars=1'))[0]!.time).toBe(new Date(now - (now % MINUTE_MS)).toISOString());
  // By now the tick is on the tape, and its bar is not stored yet.
  await Bun.sleep(500);
  await service.kill();

  // Importing again below what the service has recorded since changes nothing.
  const again = await runTickwire(['import', path, '--symbol', 'EURUSD'], settings);
  expect(again.out).toContain('0 bars, 0 ticks in 0 tape minutes');
  const restarted = await ServiceProcess.start(settings);
  const answer = await restarted.get('/api/market/EURUSD?timeframe=1d&bars=5', key);
  const days = ((await answer.json()) as { ohlcv: { volume: number }[] }).ohlcv;
  expect(days.map(({ volume }) => volume)).toEqual([50_000, 2]);
  await restarted.stop();
});
