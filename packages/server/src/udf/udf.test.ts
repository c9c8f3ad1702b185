// The data feed of TradingView charts, read as the public client of its protocol reads it.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { type BarsPage, UDF_RESOLUTIONS, type UdfHistory, type UdfSymbol } from '@tickwire/contract';
import { asEpochMs, asSymbol, DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { newsEvent } from '../../testing/news.fixture.ts';
import { codeOf, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { type UdfBar, UdfDatafeed } from '../../testing/udf-datafeed.fixture.ts';
import { issueKey } from '../access/issue-key.ts';
import type { BarRow } from '../store/store.ts';

/** A Monday, 10:00 UTC. */
const MONDAY = Date.UTC(2026, 1, 2, 10);
/** Three stretches of 30 minutes, with a break of some hours and a weekend between them. */
const STARTS = [MONDAY, MONDAY + 5 * HOUR_MS, MONDAY + 7 * DAY_MS];
const STRETCH = 30;
const END = STARTS.at(-1)! + STRETCH * MINUTE_MS;
const seconds = (time: number): number => Math.floor(time / 1000);

let service: RunningService;
let reader: TestPublisher;
let feed: UdfDatafeed;
let euro: UdfSymbol;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  const market = await TestMarket.of(service);
  reader = await TestPublisher.of(service);
  for (const start of STARTS)
    for (let minute = 0; minute < STRETCH; minute++)
      await market.quote('EURUSD', 1.08 + minute / 10_000, 1.0801 + minute / 10_000, start + minute * MINUTE_MS);
  feed = await linkedFeed();
  euro = await feed.resolveSymbol('TICKWIRE:EURUSD');
});
afterAll(() => service.stop());

/** A feed with the address of a data link, as a page has it. */
async function linkedFeed(): Promise<UdfDatafeed> {
  const { account } = reader.issued;
  const by = { store: service.app.store.access, actor: 'test', now: Date.now() };
  const link = { name: 'chart', scopes: [], expiresAt: Date.now() + DAY_MS, account, path: '/udf' };
  const { key } = await issueKey(by, link);
  await service.app.keyring.reload();
  return new UdfDatafeed(`${service.url.replace(/\/$/, '')}/link/${key}`);
}

const barsOf = async (interval: string): Promise<UdfBar[]> =>
  (await reader.read<BarsPage>(`/api/bars/EURUSD?interval=${interval}&limit=10000`)).items.map(
    ({ time, ...prices }) => ({ ...prices, time: Date.parse(time) }),
  );

describe('a chart', () => {
  test('starts with the configuration, the time and the instrument', async () => {
    const config = await feed.onReady();
    expect(config).toMatchObject({ supports_search: true, supports_marks: true, supports_time: true });
    expect(config.supported_resolutions).toEqual([...UDF_RESOLUTIONS]);
    expect(Math.abs((await feed.getServerTime()) - Date.now() / 1000)).toBeLessThan(60);
    expect(euro).toMatchObject({ ticker: 'EURUSD', pricescale: 100_000, minmov: 1, session: '24x7', type: 'forex' });
    for (const spelling of ['eurusd', 'EUR/USD', 'OANDA:EUR_USD'])
      expect((await feed.resolveSymbol(spelling)).name).toBe('EURUSD');
    expect(feed.resolveSymbol('NOSUCH')).rejects.toThrow('unknown_symbol');
  });

  test('finds instruments by symbol, by name and by type', async () => {
    const symbols = async (...typed: [string, string?, string?]): Promise<string[]> =>
      (await feed.searchSymbols(...typed)).map(({ symbol }) => symbol);
    expect((await symbols('eur/usd'))[0]).toBe('EURUSD');
    expect((await symbols('usd')).slice(0, 3)).toEqual(['USDJPY', 'USDCHF', 'USDCAD']);
    expect(await symbols('gold')).toEqual(['XAUUSD']);
    expect(await symbols('', 'index')).toEqual(['US500', 'NAS100', 'US30', 'GER40', 'UK100', 'JPN225']);
    expect(await symbols('eur', '', 'NASDAQ')).toEqual([]);
    expect(await symbols('zzz')).toEqual([]);
  });

  test('scrolls back over breaks and weekends to the first bar, and stops there', async () => {
    const all = await feed.allBars(euro, '1', seconds(END), 60);
    expect(all).toHaveLength(STARTS.length * STRETCH);
    expect(all).toEqual(await barsOf('1m'));
  });

  test.each([
    ['3', '3m'],
    ['15', '15m'],
    ['60', '1h'],
    ['240', '4h'],
    ['D', '1d'],
    ['1D', '1d'],
    ['W', '1w'],
    ['1W', '1w'],
    ['M', '1M'],
    ['1M', '1M'],
  ])('has the bars of resolution %p', async (resolution, interval) => {
    const { bars } = await feed.getBars(euro, resolution, { from: 0, to: seconds(END) });
    expect(bars).toEqual(await barsOf(interval));
    if (interval.endsWith('d') || interval.endsWith('w') || interval.endsWith('M'))
      for (const { time } of bars) expect(time % DAY_MS).toBe(0);
  });

  test('declares only what it has: neither groups of symbols nor marks on the time scale', async () => {
    expect(await feed.onReady()).toMatchObject({ supports_group_request: false, supports_timescale_marks: false });
    for (const path of ['symbol_info', 'timescale_marks'])
      expect(await feed.send<object>(path)).toMatchObject({ s: 'error', errmsg: expect.any(String) });
  });
});

describe('a range', () => {
  const times = async (from: number, to: number, countBack?: number): Promise<number[]> =>
    (await feed.getBars(euro, '1', { from, to, ...(countBack !== undefined && { countBack }) })).bars.map(
      ({ time }) => time,
    );
  const minutes = (start: number, count: number): number[] =>
    Array.from({ length: count }, (_, minute) => start + minute * MINUTE_MS);
  const [first, second, third] = STARTS as [number, number, number];

  test('includes its start and excludes its end', async () => {
    expect(await times(seconds(first), seconds(first) + 120)).toEqual(minutes(first, 2));
    expect(await times(seconds(first) + 1, seconds(first) + 121)).toEqual(minutes(first + MINUTE_MS, 2));
  });

  test('with countback has exactly that many bars, wherever they start', async () => {
    expect(await times(seconds(second), seconds(second) + 120, 5)).toEqual([
      ...minutes(first + 27 * MINUTE_MS, 3),
      ...minutes(second, 2),
    ]);
    expect(await times(seconds(third), seconds(third), 1)).toEqual(minutes(second + 29 * MINUTE_MS, 1));
    expect(await times(0, seconds(END), 5_000_000)).toHaveLength(90);
  });

  test('has priority by countback over a start that is later, or after the end', async () => {
    for (const from of [seconds(second) + 60, seconds(second) + 9_000])
      expect(await times(from, seconds(second) + 120, 2)).toEqual(minutes(second, 2));
    expect(await times(seconds(second) + 9_000, seconds(second))).toEqual([]);
  });

  test('up to now ends with the bar that is forming, as a chart polls it', async () => {
    // Not the end of a minute: the bar starts before, and is included.
    const now = seconds(END) - 30;
    expect(await times(now - 600, now, 2)).toEqual(minutes(END - 2 * MINUTE_MS, 2));
  });

  test('in a break has no data and names the bar before it', async () => {
    const range = { from: seconds(second + HOUR_MS), to: seconds(third) };
    expect(await feed.getBars(euro, '1', range)).toEqual({
      bars: [],
      noData: true,
      nextTime: seconds(second + 29 * MINUTE_MS),
    });
  });

  test('before the first bar has no data and nothing before it, with countback, too', async () => {
    for (const more of [{}, { countBack: 300 }])
      expect(await feed.getBars(euro, '1', { from: -5_000_000, to: seconds(first), ...more })).toEqual({
        bars: [],
        noData: true,
        nextTime: undefined,
      });
  });

  test('of an instrument without bars has no data', async () => {
    const gold = await feed.resolveSymbol('XAUUSD');
    expect(await feed.getBars(gold, '60', { from: 0, to: seconds(END) })).toMatchObject({ noData: true });
  });
});

test('signals and headlines are marks on bars of the chart, with harmless text', async () => {
  const title = 'Euro <img src=x onerror=alert(1)> & dollar';
  const at = new Date(STARTS[2]! + 90_000).toISOString();
  const inBreak = new Date(STARTS[1]! + 3 * HOUR_MS).toISOString();
  service.app.journal.append([
    newsEvent('a', { title, symbols: ['EURUSD'], sentiment: 'bearish', timestamp: at }),
    newsEvent('b', { symbols: ['EURUSD'], timestamp: inBreak }),
    newsEvent('c', { symbols: ['XAUUSD'], timestamp: at }),
    ...Array.from({ length: 12 }, (_, index) => newsEvent(`d${index}`, { symbols: ['EURUSD'], timestamp: inBreak })),
  ]);
  const market = await TestMarket.of(service);
  await market.quote('EURUSD', 1.0829, 1.083, Date.now());
  const terms = { symbol: 'EURUSD', direction: 'sell', entry: 1.0829, stop_loss: 1.085, take_profit: 1.08 };
  const { id } = await reader.published(terms);
  // The end does not belong to the range.
  const marks = await feed.getMarks(euro, seconds(STARTS[0]!), seconds(Date.now()) + 1, '1');
  const bars = new Set((await barsOf('1m')).map(({ time }) => time / 1000));
  for (const { time } of marks) expect(bars).toContain(time);
  expect(marks.find((mark) => mark.id === id)).toMatchObject({
    label: 'S',
    color: 'red',
    text: `Sell at 1.0829, stop 1.085, target 1.08, by ${reader.name}`,
  });
  expect(marks.find((mark) => mark.id === 'news a')).toEqual({
    id: 'news a',
    time: seconds(STARTS[2]! + MINUTE_MS),
    color: 'red',
    text: 'Euro &lt;img src=x onerror=alert(1)&gt; &amp; dollar',
    label: 'N',
    labelFontColor: 'white',
    minSize: 10,
  });
  // News in a break belongs to the bar before it, which shows ten marks.
  const last = seconds(STARTS[1]! + 29 * MINUTE_MS);
  expect(marks.filter(({ time }) => time === last)).toHaveLength(10);
  expect(marks.map((mark) => mark.id)).not.toContain('news c');
  expect(await feed.getMarks(euro, 0, seconds(STARTS[0]!), '1')).toEqual([]);
  const bar = seconds(STARTS[2]! + MINUTE_MS);
  expect(await feed.getMarks(euro, bar, bar, '1')).toEqual([]);
  expect((await feed.getMarks(euro, bar, bar + 1, '1')).map((mark) => mark.id)).toEqual(['news a']);
});

test('quotes have the figures of the day', async () => {
  const { d } = await feed.send<{ d: { s: string; n: string; v: Record<string, number> }[] }>('quotes', {
    symbols: 'TICKWIRE:EURUSD,NOSUCH',
  });
  expect(d[0]).toMatchObject({ s: 'ok', n: 'TICKWIRE:EURUSD', v: { short_name: 'EURUSD', bid: 1.0829 } });
  const { lp, prev_close_price, ch } = d[0]!.v;
  expect(ch).toBeCloseTo(lp! - prev_close_price!, 5);
  expect(d[1]).toEqual({ s: 'error', n: 'NOSUCH', v: {} });
});

describe('an error', () => {
  const error = { s: 'error', errmsg: expect.any(String) };
  const ask = async (path: string, headers: Record<string, string> = { 'X-API-Key': reader.issued.key }) => {
    const response = await fetch(`${service.url}${path}`, { headers });
    return [response.status, await response.json()];
  };

  test.each([
    ['/udf/symbols?symbol=NOSUCH', 404],
    ['/udf/symbols', 400],
    ['/udf/history?symbol=EURUSD&resolution=7&from=1&to=2', 400],
    ['/udf/history?symbol=EURUSD&resolution=1&to=2', 400],
    ['/udf/history?symbol=EURUSD&resolution=1&from=x&to=2', 400],
    ['/udf/history?symbol=EURUSD&resolution=1&from=1&to=2&countback=0', 400],
    ['/udf/nothing', 404],
  ])('of %p has the form of the protocol, and its status', async (path, status) => {
    expect(await ask(path)).toMatchObject([status, { ...error, status }]);
  });

  test('of access has it, too: without a key, and with a link that is not valid', async () => {
    expect(await ask('/udf/config', {})).toMatchObject([401, { ...error, code: 'missing_key' }]);
    expect(await ask('/link/tw_none/history?symbol=EURUSD', {})).toMatchObject([
      401,
      { ...error, code: 'invalid_key' },
    ]);
  });

  test('of other paths does not', async () => {
    expect((await ask('/api/market/NOSUCH'))[1]).not.toHaveProperty('s');
    expect((await ask('/link/tw_none', {}))[1]).not.toHaveProperty('s');
  });

  test('after too many requests says how long to wait', async () => {
    const { key } = await service.key('free');
    const headers = { 'X-API-Key': key };
    for (let count = 0; count < 60; count++) await fetch(`${service.url}/udf/time`, { headers });
    const response = await fetch(`${service.url}/udf/time`, { headers });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await codeOf(response)).toEqual([429, 'rate_limited']);
  });
});

test('every request of the guide is answered', async () => {
  const guide = readFileSync(new URL('../../../../docs/plugs.md', import.meta.url), 'utf8');
  const paths = [...guide.matchAll(/^\| `(\/udf\/[^`]+)` \|/gm)].map(([, path]) => path!);
  expect(paths).toHaveLength(7);
  for (const path of paths) {
    const response = await reader.get(path.replaceAll('…', `${seconds(END)}`));
    expect([path, response.status, response.headers.get('warning-parameters')]).toEqual([path, 200, null]);
  }
});

test('a page of another origin may read the feed', async () => {
  const { url } = service;
  const headers = { Origin: 'https://chart.example', 'X-API-Key': reader.issued.key };
  const response = await fetch(`${url}/udf/config`, { headers });
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const keyed = new UdfDatafeed(`${url.replace(/\/$/, '')}/udf`, { 'X-API-Key': reader.issued.key });
  expect((await keyed.resolveSymbol('EURUSD')).name).toBe('EURUSD');
});

test('a range with more than 10,000 bars has the newest of them', async () => {
  const { market } = service.app.store;
  const bars = Array.from({ length: 10_005 }, (_, minute): BarRow => {
    const time = asEpochMs(MONDAY + minute * MINUTE_MS);
    const prices = { open: 1, high: 1, low: 1, close: 1, volume: 1, bidVolume: 1, askVolume: 0 };
    return { symbol: asSymbol('GBPUSD'), timeframe: '1m', time, ...prices, basis: 'trade' };
  });
  await market.write({ bars, prices: [], barsUntil: (await market.number('bars_until'))! });
  const last = seconds(bars.at(-1)!.time);
  const path = `/udf/history?symbol=GBPUSD&resolution=1&from=${seconds(MONDAY)}&to=${last + 60}`;
  const { t } = await reader.read<Extract<UdfHistory, { s: 'ok' }>>(path);
  expect([t.length, t.at(-1)]).toEqual([10_000, last]);
});
