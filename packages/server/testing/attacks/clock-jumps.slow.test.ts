// The clock of the machine jumps 60 days ahead while simulated markets are served, and back again before the next start. The jump
// costs no more memory than a start after a long downtime, and a store that is ahead of the clock is named everywhere.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DAY_MS } from '@tickwire/engine';
import type { Subprocess } from 'bun';
import { freePort } from '../free-port.fixture.ts';
import { preparedFolder } from '../prepared-folder.fixture.ts';
import { eventually, killLeftovers, runTickwire, ServiceProcess } from '../process.fixture.ts';
import { environmentOf, makeKey } from '../service.fixture.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const JUMP = fileURLToPath(new URL('../clock-jump.fixture.ts', import.meta.url));
const JUMP_MS = 60 * DAY_MS;
/** A start after 60 days takes less. */
const MAX_MEMORY_MB = 700;

let data: string;
let key: string;
let url: string;
let service: Subprocess<'ignore', 'ignore', 'pipe'>;
let log = '';
beforeAll(async () => {
  ({ data } = await preparedFolder());
  // The demo key is valid for 7 days.
  ({ key } = await makeKey(data, 'premium', ['read']));
  const port = String(await freePort());
  url = `http://127.0.0.1:${port}`;
  service = Bun.spawn([process.execPath, '--preload', JUMP, MAIN, 'serve'], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    env: {
      PATH: process.env.PATH ?? '',
      ...environmentOf({ data, port, metrics_port: 'off', sim_seed: '1', house: 'none' }),
      TICKWIRE_TEST_CLOCK_JUMP_MS: String(JUMP_MS),
    },
  });
  void (async () => {
    for await (const chunk of service.stderr) log += new TextDecoder().decode(chunk);
  })();
  await eventually('it is ready', async () => (await get('/readyz').catch(() => null))?.status === 200, 60_000);
});
afterAll(async () => {
  service.kill('SIGKILL');
  await killLeftovers();
  rmSync(data, { recursive: true, force: true });
});

const get = (path: string): Promise<Response> => fetch(url + path, { headers: { 'X-API-Key': key } });
const quoteTime = async (): Promise<number> =>
  Date.parse(((await (await get('/api/market/BTCUSD/quote')).json()) as { timestamp: string }).timestamp);
const peakMemory = (): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))![1]) / 1024;

test('a jump of 60 days ahead needs little memory, and the markets go on', async () => {
  const before = peakMemory();
  service.kill('SIGUSR2');
  const at = performance.now();
  await eventually('the markets follow', async () => (await quoteTime()) > Date.now() + JUMP_MS - 10_000, 60_000);
  const took = performance.now() - at;
  const first = await quoteTime();
  await eventually('the markets move', async () => (await quoteTime()) > first);
  console.log(`${Math.round(before)} MB before, ${Math.round(peakMemory())} MB at most, ${Math.round(took)} ms`);
  expect(peakMemory()).toBeLessThan(MAX_MEMORY_MB);
  expect((await get('/readyz')).status).toBe(200);
  service.kill('SIGTERM');
  expect(await service.exited).toBe(0);
  expect(log).not.toContain('"level":"error"');
});

test('a store that is ahead of the clock is named by the log, readyz and doctor', async () => {
  const named = expect.stringMatching(
    /ends at .*, 60 days ahead of the clock of this machine: the markets stand still/,
  );
  const settings = { data, port: String(await freePort()), metrics_port: 'off', house: 'none' };
  const doctor = async () => {
    const { status, out } = await runTickwire(['doctor', '--json'], settings);
    const findings = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { part: string; what: string });
    return [status, findings.filter(({ part }) => part.endsWith('clock')).map(({ what }) => what)];
  };
  expect(await doctor()).toEqual([1, [named]]);
  const again = await ServiceProcess.start(settings);
  const ready = await again.get('/readyz');
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: 'degraded', checks: expect.objectContaining({ clock: named }) },
  ]);
  expect(await doctor()).toEqual([1, [named, named]]);
  await again.stop();
  expect(again.err).toMatch(/"level":"error","message":"the stored market data ends at/);
});
