import { afterAll, expect, test } from 'bun:test';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TIMEFRAME_MS, TIMEFRAMES } from '@tickwire/contract';
import { preparedFolder } from '../../testing/prepared-folder.fixture.ts';
import { killLeftovers, runTickwire, ServiceProcess } from '../../testing/process.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';

let data: string;
const copies = temporaryFolder();

afterAll(async () => {
  await killLeftovers();
  for (const folder of [data, copies]) rmSync(folder, { recursive: true, force: true });
});

interface WireBar {
  readonly time: string;
}

async function closedBars(service: ServiceProcess, key: string, until: number): Promise<Record<string, WireBar[]>> {
  const bars: Record<string, WireBar[]> = {};
  for (const symbol of ['EURUSD', 'BTCUSD']) {
    for (const timeframe of TIMEFRAMES) {
      const answer = await service.get(`/api/market/${symbol}?timeframe=${timeframe}&bars=400`, key);
      const { ohlcv } = (await answer.json()) as { ohlcv: WireBar[] };
      const closed = ohlcv.filter(({ time }) => Date.parse(time) + TIMEFRAME_MS[timeframe] <= until);
      bars[`${symbol} ${timeframe}`] = closed.slice(-300);
    }
  }
  return bars;
}

test('a backup made under load starts as a service with the same keys and closed bars, and includes the evidence', async () => {
  const sim_rate = '5000';
  const prepared = await preparedFolder();
  const { key } = prepared;
  ({ data } = prepared);
  const service = await ServiceProcess.start({ data, sim_rate, news: 'none' });
  const issued = JSON.parse((await runTickwire(['keys', 'create', '--json'], { data })).out) as { key: string };
  const until = Date.now() - 1_000;
  const bars = await closedBars(service, key, until);
  const sealed = 'sim/evidence/2026-03-02/EURUSD.jsonl.gz';
  await Bun.write(join(data, sealed), 'packed');
  const folder = join(copies, 'good');
  const { status, out, err } = await runTickwire(['backup', folder], { data });
  expect([status, err]).toEqual([0, '']);
  expect(out).toMatch(
    /tickwire\.db\n.*delivery\.key\n.*house-keys\.json\n.*market\.db\n(.*tape.*\.db\n)+.*log-key\.pem\n.*gz\n\d+ files copied\.\n$/,
  );
  for (const name of ['sim/log-key.pem', sealed])
    expect(readFileSync(join(folder, name))).toEqual(readFileSync(join(data, name)));
  expect(statSync(join(folder, 'sim/log-key.pem')).mode & 0o777).toBe(0o600);
  expect((await service.get('/readyz')).status).toBe(200);

  const copy = await ServiceProcess.start({ data: folder, sim_rate, news: 'none' });
  for (const each of [key, issued.key]) expect((await copy.get('/api/session', each)).status).toBe(200);
  expect(await closedBars(copy, key, until)).toEqual(bars);
  await Promise.all([copy.stop(), service.stop()]);
  expect(service.err).not.toContain('"level":"error"');
});
