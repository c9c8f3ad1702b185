// `tickwire export` in a process of its own: interrupted in the middle, killed, and beside a running service.
import { beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { filesUnder, newFolders } from '../../testing/export/round-trip.fixture.ts';
import { runTickwire, ServiceProcess } from '../../testing/process.fixture.ts';
import { spawnTickwire } from '../../testing/service.fixture.ts';
import { MONDAY, minuteBar } from '../../testing/store/samples.fixture.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';

const BARS = 150_000;
const newFolder = newFolders();
const data = newFolder();
const argumentsFor = (folder: string): string[] => [
  ...['export', 'bars', folder, '--symbol', 'EURUSD', '--realm', 'live', '--partition', 'day', '--format', 'parquet'],
];

beforeAll(async () => {
  const store = openSqliteStore({ folder: data, realm: 'live', exclusive: true });
  const start = -BARS;
  for (let at = start; at < 0; at += 50_000) {
    const bars = Array.from({ length: 50_000 }, (_, index) => minuteBar(at + index));
    await store.market.write({ bars, prices: [], barsUntil: MONDAY });
  }
  await store.close();
});

test.each(['SIGINT', 'SIGKILL'] as const)(
  '%s leaves complete files, and the same command completes them',
  async (signal) => {
    const [whole, cut] = [newFolder(), newFolder()];
    expect((await runTickwire(argumentsFor(whole), { data })).status).toBe(0);
    const child = spawnTickwire(argumentsFor(cut), { data });
    const complete = (): string[] => filesUnder(cut).filter((path) => path.endsWith('.parquet'));
    while (complete().length < 5) await Bun.sleep(5);
    // The launcher has a child, which must not outlive it.
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ').filter(Boolean);
    for (const pid of children) process.kill(Number(pid), signal);
    const status = await child.exited;
    const written = complete().length;
    expect(written).toBeLessThan(filesUnder(whole).length);
    if (signal === 'SIGINT') {
      expect(status).toBe(130);
      expect(await new Response(child.stdout).text()).toEndWith(
        'Interrupted. Complete files stay; run the same command again to continue.\n',
      );
      expect(filesUnder(cut).filter((path) => path.endsWith('.part'))).toEqual([]);
    }
    const continued = await runTickwire(argumentsFor(cut), { data });
    expect(continued).toMatchObject({ status: 0 });
    expect(continued.out).toMatch(/kept {7}\d+ files of the interrupted export before/);
    const contents = (folder: string) => filesUnder(folder).map((path) => [relative(folder, path), readFileSync(path)]);
    expect(contents(cut)).toEqual(contents(whole));
  },
);

test('beside a running service, files have the bars and ticks that it serves', async () => {
  const [own, folder] = [newFolder(), newFolder()];
  const service = await ServiceProcess.start({ data: own, news: 'none' });
  try {
    for (const args of [
      ['bars', '--interval', '15m'],
      ['ticks', '--kind', 'trades'],
    ] as const) {
      const [what, ...flags] = args;
      const ran = await runTickwire(['export', what, folder, '--symbol', 'BTCUSD', '--format', 'ndjson', ...flags], {
        data: own,
      });
      expect(ran).toMatchObject({ status: 0 });
    }
    for (const path of filesUnder(folder)) {
      const rows = readFileSync(path, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { time: string; basis?: string });
      const from = rows[0]!.time;
      const to = Date.parse(rows.at(-1)!.time) + 1;
      const query = `from=${from}&to=${to}&format=ndjson`;
      const request = path.includes('trades')
        ? `/api/ticks/BTCUSD?kind=trades&${query}`
        : `/api/bars/BTCUSD?interval=15m&fields=buy_volume,sell_volume&${query}`;
      const served = await service.get(request, service.demoKey);
      expect(served.status).toBe(200);
      const lines = (await served.text())
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object);
      expect(rows.map((row): object => ({ ...row, basis: undefined }))).toEqual(lines);
    }
  } finally {
    await service.stop();
  }
});
