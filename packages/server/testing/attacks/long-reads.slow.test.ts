// One free key asks for the longest reads it may: it pays for what it reads, and nobody for work whose client has gone.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { eventually, ServiceProcess } from '../process.fixture.ts';
import { makeKey, temporaryFolder } from '../service.fixture.ts';

const YEARS = 'from=2015-01-01&limit=10000';
/** Each of them takes a second or more of computing. */
const LONG = [
  `/api/bars/BTCUSD?interval=1d&${YEARS}&fields=trades,vwap,unrecorded_minutes`,
  `/api/bars?symbols=EURUSD,GBPUSD,USDJPY,XAUUSD&interval=1439m&from=2015-01-01&limit=2500`,
  '/api/profile/BTCUSD?from=2025-01-01&to=2025-01-31',
  '/api/footprint/BTCUSD?interval=1d&from=2025-01-01&limit=1000',
  '/udf/history?symbol=EURUSD&resolution=60&from=1420070400&to=1750000000',
  `/api/indicators/BTCUSD?indicators=obv,rsi(14)&interval=1439m&${YEARS}`,
  `/udf/marks?symbol=GBPUSD&resolution=60&from=1420070400&to=1750000000`,
  `/api/bars/GBPUSD?interval=1m&from=2024-01-01&to=2024-03-01&format=csv`,
];
/** Reads 20,000 bars for each instrument before its first message with values. */
const STREAM = '/sse?channels=bars&timeframe=1h&indicators=obv';

const folder = temporaryFolder();
let service: ServiceProcess;
beforeAll(async () => {
  service = await ServiceProcess.start({ data: folder, news: 'none', house: 'none' });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const keysOf = async (tier: string, count: number): Promise<string[]> => {
  const keys: string[] = [];
  for (let at = 0; at < count; at++) keys.push((await makeKey(folder, tier, ['read'])).key);
  // The service looks for new keys once a second.
  await eventually('the keys work', async () => (await service.get('/api/session', keys.at(-1)!)).status === 200);
  return keys;
};
/** CPU seconds that the service has used. */
function cpuSeconds(): number {
  const fields = readFileSync(`/proc/${service.bunPid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

describe('long reads of a free key', () => {
  test('are limited by what they read, and the refusal states the cost and the time to wait', async () => {
    const [key] = await keysOf('free', 1);
    const statuses: number[] = [];
    for (let request = 0; request < 4; request++) {
      const response = await service.get(LONG[0]!, key);
      statuses.push(response.status);
      if (response.status === 200) continue;
      const { code, detail } = (await response.json()) as { code: string; detail: string };
      expect(code).toBe('rate_limited');
      expect(detail).toMatch(
        /^The free tier allows long reads of 1200000 rows per minute, and \d+ are left\. This one reads about 10\d+\./,
      );
      expect(Number(response.headers.get('retry-after'))).toBeWithin(1, 61);
    }
    expect(statuses).toEqual([200, 429, 429, 429]);
  });

  test('use no CPU half a second after their client has gone', async () => {
    const keys = await keysOf('premium', 2);
    await Bun.sleep(2_000);
    const idle = cpuSeconds();
    await Bun.sleep(1_000);
    const usual = cpuSeconds() - idle;
    const client = new AbortController();
    const reads = [...LONG, STREAM].flatMap((path) =>
      keys.map((key) =>
        fetch(service.url + path, { headers: { 'X-API-Key': key }, signal: client.signal }).then(
          () => 'answered',
          () => 'gone',
        ),
      ),
    );
    await Bun.sleep(500);
    client.abort();
    expect(await Promise.all(reads)).toContain('gone');
    await Bun.sleep(500);
    const before = cpuSeconds();
    await Bun.sleep(1_000);
    expect(cpuSeconds() - before).toBeLessThan(usual + 0.15);
  });
});
