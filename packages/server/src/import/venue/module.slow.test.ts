// The history of a real market, from the REST interface of a fake venue to everything that reads bars.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { BarsPage, Coverage, FeedList } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { startWatch } from '../../../testing/event-loop.fixture.ts';
import type { FakeVenue } from '../../../testing/feeds/fake-venue.fixture.ts';
import { pastBinance } from '../../../testing/import/past-binance.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../../testing/service.fixture.ts';
import { isData, StreamClient } from '../../../testing/stream-client.fixture.ts';

const STARTED = Date.now();
const TODAY = STARTED - (STARTED % DAY_MS);
const folder = temporaryFolder();
let fake: FakeVenue;
let service: RunningService;
let key: string;

beforeAll(async () => {
  const past = pastBinance(folder);
  fake = past.fake;
  service = await startService({ ...past.settings, data: join(folder, 'data') });
  ({ key } = await service.key('premium', ['read', 'admin']));
});
afterAll(async () => {
  await service.stop();
  await fake[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const get = async (path: string): Promise<unknown> =>
  (await fetch(`${service.url}${path}`, { headers: { 'X-API-Key': key } })).json();

test('fills the charts of a new instrument, and marks what was fetched', async () => {
  const stream = await StreamClient.open(`${service.wsUrl}/ws`, key);
  await stream.ask({ action: 'subscribe', channel: 'bars', symbols: ['BTCUSDT'], timeframe: '1m' });
  const bars = async (query: string) => BarsPage.parse(await get(`/api/bars/BTCUSDT?${query}`)).items;
  const passed = startWatch();
  while ((await bars('interval=1m&limit=10')).length < 10) await Bun.sleep(200);
  expect(passed()).toBeLessThan(5_000);
  let feeds = FeedList.parse(await get('/api/feeds')).items;
  expect(feeds[0]!.history_bars_left).toBeGreaterThan(0);
  expect(await get('/readyz')).toMatchObject({
    status: 'ok',
    checks: { history: expect.stringContaining('bars to fetch') as unknown as string },
  });
  while (feeds[0]!.history_bars_left > 0) {
    await Bun.sleep(500);
    feeds = FeedList.parse(await get('/api/feeds')).items;
  }
  expect((await bars('interval=1m&from=2020-01-01&limit=1'))[0]!.time).toStartWith(
    new Date(TODAY - 7 * DAY_MS).toISOString().slice(0, 10),
  );
  expect((await bars('interval=1d&limit=500')).length).toBe(500);
  expect((await bars('interval=1w&limit=60')).length).toBe(60);

  const marked = await bars('interval=15m&limit=5&fields=source,unrecorded_minutes,buy_volume');
  expect(marked.slice(0, 4).map(({ source, unrecorded_minutes }) => [source, unrecorded_minutes])).toEqual(
    Array(4).fill(['venue', 0]),
  );
  const coverage = Coverage.parse(
    await get(`/api/market/BTCUSDT/coverage?timeframe=1h&from=${iso(TODAY - DAY_MS)}&to=${iso(TODAY)}`),
  );
  expect(coverage).toMatchObject({ bars: 24, absent: [] });
  expect(coverage.fetched).toEqual([{ from: iso(TODAY - DAY_MS), to: iso(TODAY) }]);
  const market = (await get('/api/market/BTCUSDT?timeframe=1h&bars=500')) as { ohlcv: unknown[] };
  expect(market.ohlcv.length).toBe(500);
  const udf = (await get(
    `/udf/history?symbol=BTCUSDT&resolution=60&from=${(TODAY - 2 * DAY_MS) / 1_000}&to=${TODAY / 1_000}`,
  )) as { t: number[] };
  expect(udf.t.length).toBe(48);
  const csv = await fetch(`${service.url}/api/bars/BTCUSDT?interval=1d&format=csv&fields=source`, {
    headers: { 'X-API-Key': key },
  });
  expect((await csv.text()).split('\n').filter((line) => line.endsWith('venue')).length).toBeGreaterThan(500);
  const rsi = (await get('/api/indicators/BTCUSDT?interval=1h&name=rsi&limit=300')) as { items: unknown[] };
  expect(rsi.items.length).toBe(300);

  // Loaded bars are not sent as live ones.
  expect(stream.messages.filter(isData).filter(({ closed }) => closed === true)).toEqual([]);
  stream.close();
});

const iso = (time: number): string => new Date(time).toISOString();
