import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  IndicatorList,
  IndicatorPage,
  IndicatorSet,
  IndicatorsQuery,
  TIMEFRAME_MS,
  TIMEFRAMES,
} from '@tickwire/contract';
import {
  aggregateBars,
  asEpochMs,
  asSymbol,
  type Bar,
  CATALOGUE,
  chartContext,
  DAY_MS,
  HOUR_MS,
  INDICATORS,
  IndicatorSeries,
  intervalAt,
  MINUTE_MS,
  NEW_YORK_DAY,
  parseChartInterval,
  UTC_DAY,
} from '@tickwire/engine';
import { type BareApi, serveBareApi } from '../../testing/bare-api.fixture.ts';
import { MarketView } from '../market/market-view.ts';
import type { BarRange } from '../store/store.ts';
import { indicatorValues } from './indicator-handlers.ts';

const XAUUSD = asSymbol('XAUUSD');
const FIRST = Date.UTC(2026, 8, 1);
const LAST = Date.UTC(2026, 10, 10);

/** Ten weeks of a market that closes at weekends, in steps of five minutes: deterministic, with trends and noise. */
const MINUTES: Bar[] = [];
let price = 2_000;
for (let time = FIRST, seed = 1; time < LAST; time += 5 * MINUTE_MS) {
  seed = (seed * 16_807) % 2_147_483_647;
  if ([6, 0].includes(new Date(time).getUTCDay())) continue;
  const open = price;
  price = Math.round((price + (seed / 2_147_483_647 - 0.5) * 4 + Math.sin(time / DAY_MS)) * 100) / 100;
  const volume = 1 + (seed % 50);
  const askVolume = seed % volume;
  MINUTES.push({
    time: asEpochMs(time),
    open,
    high: Math.max(open, price) + (seed % 3) / 10,
    low: Math.min(open, price) - (seed % 5) / 10,
    close: price,
    volume,
    askVolume,
    bidVolume: volume - askVolume,
    basis: 'trade',
  });
}

const grouped = (startOf: (time: Bar['time']) => number): Bar[] =>
  [...Map.groupBy(MINUTES, ({ time }) => startOf(time))].map(([start, inside]) => aggregateBars(start, inside)!);

const SERIES = new Map<string, readonly Bar[]>(
  TIMEFRAMES.map((timeframe) => [timeframe, grouped((time) => time - (time % TIMEFRAME_MS[timeframe]))]),
);

let reads = 0;
function sourcesOf(series: ReadonlyMap<string, readonly Bar[]> = SERIES, marketTime = LAST) {
  const view = new MarketView(CATALOGUE);
  view.time = marketTime;
  const store = {
    bars: async ({ timeframe, from, to, limit, first }: BarRange) => {
      const inside = (series.get(timeframe) ?? []).filter(({ time }) => time >= from && time <= to);
      const page = first === 'oldest' ? inside.slice(0, limit) : inside.slice(-limit);
      reads += page.length;
      return page;
    },
  };
  return { store, view };
}

const ask = async (query: Record<string, string>, sources = sourcesOf()): Promise<IndicatorPage> =>
  IndicatorPage.strict().parse(JSON.parse((await indicatorValues(sources, XAUUSD, IndicatorsQuery.parse(query))).body));
const askSet = async (query: Record<string, string>, sources = sourcesOf()): Promise<IndicatorSet> =>
  IndicatorSet.strict().parse(JSON.parse((await indicatorValues(sources, XAUUSD, IndicatorsQuery.parse(query))).body));

const linesOf = ({ value, values }: IndicatorPage['items'][number]): (number | null)[] =>
  values ? Object.values(values) : [value!];

const charts = new Map<string, readonly Bar[]>();

/** All values of the whole history, from its first bar on. */
function whole(name: string, interval: string, day = UTC_DAY): Map<string, readonly number[]> {
  const chart = parseChartInterval(interval)!;
  const definition = INDICATORS.get(name)!;
  const inputs = Object.fromEntries(definition.inputs.map((input) => [input.name, input.default]));
  const series = new IndicatorSeries(definition, inputs, chartContext(day, true));
  const key = `${interval} ${day.zone}`;
  const bars = charts.get(key) ?? grouped((time) => intervalAt(time, chart, day).start);
  charts.set(key, bars);
  return new Map(bars.map((bar) => [new Date(bar.time).toISOString(), series.add(bar).values]));
}

describe.each([...INDICATORS.keys()])('%s', (name) => {
  test.each([
    ['5m', 'utc', '2026-11-03'],
    ['45m', 'ny', '2026-11-04'],
    ['1d', 'ny', '2026-10-20'],
  ])('of a page of %s (%s) is that of the whole history', async (interval, align, from) => {
    const expected = whole(name, interval, align === 'ny' ? NEW_YORK_DAY : UTC_DAY);
    const { items } = await ask({ name, interval, align, from, limit: '60' });
    expect(items.length).toBeGreaterThan(15);
    for (const item of items) {
      const reference = expected.get(item.time)!;
      for (const [at, value] of linesOf(item).entries()) {
        if (value === null) expect(reference[at]).toBeNaN();
        else expect(Math.abs(value - reference[at]!)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(reference[at]!)));
      }
      // A daily chart of ten weeks is too short for averages that forget slowly, which then say so.
      if (interval !== '1d') expect(item.settled).toBe(true);
    }
  });

  test('has the same values, to the last digit, whatever the page', async () => {
    const pages = await Promise.all(
      [
        { limit: '40', to: '2026-11-05T12:00:00Z' },
        { limit: '33', to: '2026-11-05T12:00:00Z' },
        { limit: '300', to: '2026-11-05T20:00:00Z' },
        { limit: '50', from: '2026-11-05T10:30:00Z' },
      ].map((range) => ask({ name, interval: '5m', ...range } as Record<string, string>)),
    );
    const known = new Map<string, string>();
    let compared = 0;
    for (const { items } of pages)
      for (const item of items) {
        const text = JSON.stringify(item);
        if (known.has(item.time)) compared++;
        expect(known.get(item.time) ?? text).toBe(text);
        known.set(item.time, text);
      }
    expect(compared).toBeGreaterThan(60);
  });
});

test('several indicators have the same bars as one by one, in the order of the request', async () => {
  const range = { interval: '1h', limit: '20' };
  const { indicators, next } = await askSet({ indicators: 'macd(5,10,3),rsi, vwap(week)', ...range });
  expect(indicators.map(({ indicator }) => indicator)).toEqual(['macd(5,10,3)', 'rsi(14)', 'vwap(week)']);
  const single = await ask({ name: 'macd', fast: '5', slow: '10', signal: '3', ...range });
  expect(single).toMatchObject({ name: 'macd', inputs: { fast: 5, slow: 10, signal: 3, source: 'close' } });
  expect(indicators[0]!.items).toEqual(single.items);
  expect(next).toBe(single.next);
  expect(Object.keys(single.items[0]!.values!)).toEqual(['macd', 'signal', 'histogram']);
});

test('pages lead on and add up', async () => {
  const query = { name: 'ema', interval: '4h', limit: '70' };
  const whole = (await ask({ ...query, limit: '10000' })).items;
  let [items, page] = [[] as IndicatorPage['items'], await ask(query)];
  for (; ; page = await ask({ ...query, cursor: page.next! })) {
    items = [...page.items, ...items];
    if (page.next === null) break;
  }
  expect(items.map(({ time }) => time)).toEqual(whole.map(({ time }) => time));
  expect(items.slice(0, 19).every(({ value, settled }) => value === null && !settled)).toBe(true);
});

test('only the newest bar is forming, and its value is that of the bar if it closed now', async () => {
  const query = { name: 'sma', length: '3', interval: '1h', limit: '5' };
  const closed = await ask(query);
  expect(closed.items.some(({ forming }) => forming)).toBe(false);
  const during = sourcesOf(SERIES, LAST - 20 * MINUTE_MS);
  const forming = await ask(query, during);
  expect(forming.items.map((item) => item.forming)).toEqual([undefined, undefined, undefined, undefined, true]);
  expect(forming.items.map(linesOf)).toEqual(closed.items.map(linesOf));
  // A page that ends earlier has no forming bar, though the clock of the market is behind it.
  const earlier = await ask({ ...query, to: new Date(LAST - 3 * HOUR_MS).toISOString() }, sourcesOf(SERIES, 1));
  expect(earlier.items.some((item) => item.forming)).toBe(false);
});

test('a later bar changes no value of a closed bar', async () => {
  for (const name of INDICATORS.keys()) {
    const query = { name, interval: '15m', limit: '50' };
    const end = Date.UTC(2026, 10, 5, 12, 7);
    const upTo = (time: number) =>
      sourcesOf(
        new Map([...SERIES].map(([key, bars]) => [key, bars.filter((bar) => bar.time + 15 * MINUTE_MS <= time)])),
        time,
      );
    const before = await ask(query, upTo(end));
    const after = new Map((await ask(query, upTo(end + 2 * HOUR_MS))).items.map((item) => [item.time, item]));
    const kept = before.items.filter(({ time, forming }) => after.has(time) && !forming);
    expect(kept.length).toBeGreaterThan(40);
    for (const item of kept) expect(after.get(item.time)).toEqual(item);
  }
});

describe('anchors', () => {
  test('at a time start there, with nothing before', async () => {
    const anchor = '2026-11-05T10:00:00Z';
    const { items } = await ask({ name: 'vwap', anchor, interval: '1h', from: '2026-11-05T08:00:00Z', limit: '5' });
    const bars = SERIES.get('1h')!.filter(({ time }) => time >= Date.parse(anchor));
    const typical = ({ high, low, close }: Bar): number => (high + low + close) / 3;
    expect(items.slice(0, 2)).toEqual([
      { time: '2026-11-05T08:00:00.000Z', value: null, settled: false },
      { time: '2026-11-05T09:00:00.000Z', value: null, settled: false },
    ]);
    expect(items[2]).toEqual({ time: '2026-11-05T10:00:00.000Z', value: typical(bars[0]!), settled: true });
    const turnover = bars.slice(0, 2).reduce((sum, bar) => sum + typical(bar) * bar.volume, 0);
    expect(items[3]!.value).toBeCloseTo(turnover / (bars[0]!.volume + bars[1]!.volume), 9);
  });

  test('before the page are read from the anchor on', async () => {
    const anchor = '2026-10-01';
    const query = { name: 'cvd', anchor, interval: '5m', limit: '1', to: '2026-11-05' };
    const [item] = (await ask(query)).items;
    const bars = MINUTES.filter(({ time }) => time >= Date.parse(anchor) && time <= Date.parse(item!.time));
    expect(item).toMatchObject({
      value: bars.reduce((sum, bar) => sum + bar.askVolume - bar.bidVolume, 0),
      settled: true,
    });
  });

  test('at the first bar are settled if the whole history is read', async () =>
    expect((await ask({ name: 'obv', interval: '1h', limit: '3' })).items.every(({ settled }) => settled)).toBe(true));
});

test('lines that a chart draws later or earlier say by how many bars', async () => {
  const { offsets, items } = await ask({ name: 'ichimoku', interval: '1h', limit: '1' });
  expect(offsets).toEqual({ leading_a: 25, leading_b: 25, lagging: -25 });
  expect(items[0]!.values!.lagging).toBe(SERIES.get('1h')!.at(-1)!.close);
});

test('the delta of bars without sides, or with those of a part, is not settled, and that of an instrument without trades is refused', async () => {
  const withBars = (change: (bar: Bar, at: number) => Bar) =>
    sourcesOf(new Map([...SERIES].map(([key, bars]) => [key, bars.map(change)])));
  const unknownAt = SERIES.get('1h')!.length - 3;
  const some = withBars((bar, at) => (at === unknownAt ? { ...bar, askVolume: 0, bidVolume: 0 } : bar));
  const part = withBars((bar, at) => (at === unknownAt ? { ...bar, volume: 2 * bar.volume } : bar));
  for (const sources of [some, part]) {
    const { items } = await ask({ name: 'cvd', interval: '1h', limit: '5' }, sources);
    expect(items.map(({ settled }) => settled)).toEqual([true, true, false, false, false]);
  }
  const none = withBars((bar) => ({ ...bar, askVolume: 0, bidVolume: 0, basis: 'bid' }));
  await expect(ask({ name: 'cvd', interval: '1h' }, none)).rejects.toMatchObject({ code: 'no_trades' });
});

test('the work of a request is bounded', async () => {
  reads = 0;
  await ask({ name: 'adx', length: '1000', interval: '5m', limit: '10' });
  expect(reads).toBeLessThan(120_000);
});

describe('GET /api/indicators', () => {
  let api: BareApi;
  beforeAll(async () => {
    api = await serveBareApi();
  });
  afterAll(() => api.stop());

  test('lists all indicators', async () => {
    const response = await api.get('/api/indicators');
    expect(response.status).toBe(200);
    expect(response.headers.get('ETag')).not.toBeNull();
    expect(IndicatorList.parse(await response.json()).count).toBe(INDICATORS.size);
  });

  test('of a symbol without bars has no items', async () => {
    const response = await api.get('/api/indicators/eurusd?name=rsi&interval=5m');
    expect(response.status).toBe(200);
    expect(IndicatorPage.parse(await response.json())).toMatchObject({
      symbol: 'EURUSD',
      name: 'rsi',
      items: [],
      next: null,
    });
  });

  test.each([
    ['EURUSD?name=rsy', 'name', 'one of sma, ema'],
    ['EURUSD', 'name', 'name=rsi'],
    ['EURUSD?name=rsi&indicators=macd', 'name', 'name=rsi'],
    ['EURUSD?name=rsi&length=0', 'length', 'an integer between 1 and 1000'],
    ['EURUSD?name=rsi&length=abc', 'length', 'an integer between 1 and 1000'],
    ['EURUSD?name=rsi&fast=3', 'fast', 'length, source'],
    ['EURUSD?name=vwap&length=3', 'length', 'anchor'],
    ['EURUSD?indicators=rsi&length=3', 'length', 'rsi(14)'],
    ['EURUSD?indicators=rsi(14),foo', 'indicators', 'one of sma, ema'],
    ['EURUSD?indicators=', 'indicators', 'rsi(14)'],
    ['EURUSD?name=pivots&period=day&interval=1w', 'period', 'week or month'],
    ['EURUSD?name=rsi&interval=7x', 'interval', '1d, 1w or 1M'],
    ['EURUSD?name=rsi&limit=10001', 'limit', 'an integer between 1 and 10000'],
    [`EURUSD?indicators=${Array.from({ length: 51 }, () => 'rsi').join(',')}`, 'indicators', '1 to 50 indicators'],
  ])('rejects %s by name, with what is allowed', async (path, parameter, allowed) => {
    const response = await api.get(`/api/indicators/${path}`);
    expect(response.status).toBe(400);
    const problem = (await response.json()) as { code: string; errors: { parameter: string; allowed: string }[] };
    expect(problem.code).toBe('invalid_parameter');
    expect(problem.errors[0]!.parameter).toBe(parameter);
    expect(problem.errors[0]!.allowed).toContain(allowed);
  });

  test('of an unknown symbol is a 404', async () =>
    expect((await api.get('/api/indicators/NOPE?name=rsi')).status).toBe(404));
});
