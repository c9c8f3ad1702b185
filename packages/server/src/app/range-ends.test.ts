// `from` belongs to a range and `to` does not, on every path that has both. An endpoint with a range that is missing here fails
// the last test.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ENDPOINTS, type Endpoint, iso } from '@tickwire/contract';
import { HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

/** Tested with other data: headlines, marks, calendar events, sessions, the audit log. */
const ELSEWHERE = ['/api/news', '/udf/marks', '/api/calendar', '/api/market/{symbol}/hours', '/api/admin/audit'];

let service: RunningService;
let key: string;
let from: number;
let to: number;

beforeAll(async () => {
  service = await startService({ sim_rate: '200' });
  key = (await service.key('premium')).key;
  to = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS;
  from = to - HOUR_MS;
});
afterAll(() => service.stop());

async function read<T>(path: string): Promise<T> {
  const response = await fetch(service.url + path, { headers: { 'X-API-Key': key } });
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as T;
}

const firstAndLast = (times: readonly string[]): string[] => [times[0]!, times.at(-1)!];
const MINUTES: Readonly<Record<string, { path: string; timesOf: (body: never) => string[] }>> = {
  '/api/market/{symbol}': {
    path: '/api/market/EURUSD?timeframe=1m&bars=500',
    timesOf: ({ ohlcv }: { ohlcv: { time: string }[] }) => ohlcv.map(({ time }) => time),
  },
  '/api/bars/{symbol}': { path: '/api/bars/EURUSD?interval=1m&limit=500', timesOf: itemTimes },
  '/api/bars': {
    path: '/api/bars?symbols=EURUSD&interval=1m&limit=500',
    timesOf: ({ items }: { items: { items: { time: string }[] }[] }) => itemTimes(items[0]!),
  },
  '/api/indicators/{symbol}': { path: '/api/indicators/EURUSD?name=rsi&interval=1m&limit=500', timesOf: itemTimes },
  '/api/footprint/{symbol}': { path: '/api/footprint/EURUSD?interval=1m&limit=500', timesOf: itemTimes },
  '/udf/history': {
    path: '/udf/history?symbol=EURUSD&resolution=1',
    timesOf: ({ t }: { t: number[] }) => t.map((seconds) => iso(seconds * 1000)),
  },
};
function itemTimes({ items }: { items: { time: string }[] }): string[] {
  return items.map(({ time }) => time);
}

test.each(Object.entries(MINUTES))('an hour of %s has 60 minutes', async (name, { path, timesOf }) => {
  const seconds = (time: number): number => time / 1000;
  const times = timesOf((await read(`${path}&from=${seconds(from)}&to=${seconds(to)}`)) as never);
  expect([name, times.length, ...firstAndLast(times)]).toEqual([name, 60, iso(from), iso(to - MINUTE_MS)]);
  // Within a bar, `to` still includes the bar, which starts before it.
  const within = timesOf((await read(`${path}&from=${seconds(from)}&to=${seconds(to) + 1}`)) as never);
  expect([name, within.length, within.at(-1)]).toEqual([name, 61, iso(to)]);
});

test('a file of a day of minutes has 1,440 rows', async () => {
  const path = '/api/bars/BTCUSD?interval=1m&from=2025-03-02&to=2025-03-03&format=csv';
  const response = await fetch(service.url + path, { method: 'HEAD', headers: { 'X-API-Key': key } });
  expect(response.headers.get('export-rows')).toBe('1440');
});

test('two neighbouring ranges of ticks have each tick once', async () => {
  const ticks = async (start: number, end: number): Promise<{ time: string; seq: number }[]> =>
    (
      await read<{ items: { time: string; seq: number }[] }>(
        `/api/ticks/EURUSD?fields=seq&limit=10000&from=${start}&to=${end}`,
      )
    ).items;
  const { items } = await read<{ items: { time: string }[] }>('/api/ticks/EURUSD?limit=1000');
  const times = items.map(({ time }) => Date.parse(time));
  const [start, middle, end] = [times[0]!, times[times.length >> 1]!, times.at(-1)!];
  const [early, late] = [await ticks(start, middle), await ticks(middle, end)];
  expect(early.every(({ time }) => Date.parse(time) < middle)).toBe(true);
  expect(Date.parse(late[0]!.time)).toBe(middle);
  expect([...early, ...late]).toEqual(await ticks(start, end));
});

test('the profile of an hour has the volume of its 60 minutes, and coverage as many bars', async () => {
  const range = `from=${from}&to=${to}`;
  const { volume, uncovered_volume } = await read<{ volume: number; uncovered_volume: number }>(
    `/api/profile/EURUSD?${range}`,
  );
  const { items } = await read<{ items: { volume: number }[] }>(`/api/bars/EURUSD?interval=1m&limit=500&${range}`);
  const sum = items.reduce((total, bar) => total + bar.volume, 0);
  expect(volume + uncovered_volume).toBeCloseTo(sum, 6);
  const { bars } = await read<{ bars: number }>(`/api/market/EURUSD/coverage?timeframe=1m&${range}`);
  expect(bars).toBe(60);
});

test('every endpoint with a range is tested', () => {
  const ranged = (Object.values(ENDPOINTS) as Endpoint[]).filter(({ query }) => query && 'to' in query.shape);
  const here = ['/api/ticks/{symbol}', '/api/profile/{symbol}', '/api/market/{symbol}/coverage'];
  const tested = [...Object.keys(MINUTES), ...here, ...ELSEWHERE];
  expect(ranged.map(({ path }) => path).sort()).toEqual(tested.sort());
  for (const { path, query } of ranged)
    expect([path, query!.shape.from.meta()?.description, query!.shape.to.meta()?.description]).toEqual([
      path,
      expect.stringContaining('(inclusive)'),
      expect.stringContaining('(exclusive)'),
    ]);
});
