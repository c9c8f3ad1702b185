import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BarsPage, BarsQuery, TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import {
  aggregateBars,
  asEpochMs,
  asSymbol,
  type Bar,
  CATALOGUE,
  type DayStart,
  HOUR_MS,
  intervalAt,
  MINUTE_MS,
  NEW_YORK_DAY,
  parseChartInterval,
  UTC_DAY,
} from '@tickwire/engine';
import { type BareApi, serveBareApi } from '../../testing/bare-api.fixture.ts';
import { MarketView } from '../market/market-view.ts';
import type { BarRange } from '../store/store.ts';
import { chartHistory } from './chart-history.ts';

const EURUSD = asSymbol('EURUSD');
const FIRST = Date.UTC(2026, 9, 20);
const LAST = Date.UTC(2026, 10, 10);

const bar = (time: number, price: number): Bar => ({
  time: asEpochMs(time),
  open: price,
  high: price + 2,
  low: price - 1,
  close: price + 1,
  volume: 3,
  bidVolume: 1,
  askVolume: 2,
  basis: 'trade',
});

/** Three weeks of minutes around a change of clocks in New York, without weekends and without every seventh minute. */
const MINUTES: Bar[] = [];
for (let time = FIRST; time < LAST; time += MINUTE_MS) {
  const isWeekend = [6, 0].includes(new Date(time).getUTCDay()) && new Date(time).getUTCHours() < 22;
  if (!isWeekend && (time / MINUTE_MS) % 7 !== 0) MINUTES.push(bar(time, 100 + ((time / MINUTE_MS) % 50)));
}

const grouped = (startOf: (time: Bar['time']) => number): Bar[] =>
  [...Map.groupBy(MINUTES, ({ time }) => startOf(time))].map(([start, inside]) => aggregateBars(start, inside)!);

const SERIES = new Map<string, readonly Bar[]>(
  TIMEFRAMES.map((timeframe: Timeframe) => {
    const length = TIMEFRAME_MS[timeframe];
    return [timeframe, grouped((time) => time - (time % length))];
  }),
);

function sourcesOf(series: ReadonlyMap<string, readonly Bar[]>) {
  const store = {
    bars: async ({ timeframe, from, to, limit, first }: BarRange) => {
      const inside = (series.get(timeframe) ?? []).filter(({ time }) => time >= from && time <= to);
      return first === 'oldest' ? inside.slice(0, limit) : inside.slice(-limit);
    },
  };
  return { store, view: new MarketView(CATALOGUE) };
}

const ask = async (
  query: Record<string, string>,
  series: ReadonlyMap<string, readonly Bar[]> = SERIES,
): Promise<BarsPage> => (await chartHistory(sourcesOf(series), EURUSD, BarsQuery.parse(query))).page;

/** All pages, in the order of time. */
async function allPages(query: Record<string, string>): Promise<BarsPage['items']> {
  let items: BarsPage['items'] = [];
  let page = await ask(query);
  for (let count = 0; count < 5_000; count++) {
    items = query.from === undefined ? [...page.items, ...items] : [...items, ...page.items];
    if (page.next === null) return items;
    page = await ask({ ...query, cursor: page.next });
  }
  throw new Error('the pages do not end');
}

const ALIGNMENTS: [string, DayStart][] = [
  ['utc', UTC_DAY],
  ['ny', NEW_YORK_DAY],
  ['Asia/Kolkata', { zone: 'Asia/Kolkata', beforeMidnightMs: 0 }],
];

describe.each(ALIGNMENTS)('align=%s', (align, day) => {
  test.each(['7m', '45m', '2h', '4h', '1d', '1w', '1M'])(
    'pages of %s bars add up to all, in both directions',
    async (text) => {
      const interval = parseChartInterval(text)!;
      const expected = grouped((time) => intervalAt(time, interval, day).start).map(({ time, ...rest }) => ({
        time: new Date(time).toISOString(),
        open: rest.open,
        high: rest.high,
        low: rest.low,
        close: rest.close,
        volume: rest.volume,
      }));
      for (const limit of ['1', '3', '1000'].slice(expected.length > 500 ? 2 : 0)) {
        const query = { interval: text, align, limit };
        expect(await allPages(query)).toEqual(expected);
        // A bar that starts before `from` is left out, also if it ends after it.
        const from = new Date(Date.parse(expected[0]!.time) + 1).toISOString();
        expect(await allPages({ ...query, from })).toEqual(expected.slice(1));
      }
    },
  );
});

test('a range has the bars that start in it', async () => {
  const from = new Date(FIRST + HOUR_MS).toISOString();
  const to = new Date(FIRST + 3 * HOUR_MS).toISOString();
  const { items, next } = await ask({ interval: '1h', from, to });
  expect(items.map(({ time }) => time.slice(11, 16))).toEqual(['01:00', '02:00']);
  expect(next).toBeNull();
  expect((await ask({ interval: '1h', to, limit: '2' })).items.map(({ time }) => time.slice(11, 16))).toEqual([
    '01:00',
    '02:00',
  ]);
});

test('a page of long bars of minutes is bounded, and leads on', async () => {
  const { items, next } = await ask({ interval: '1439m', limit: '10000' });
  expect(items.length).toBeGreaterThan(10);
  expect(next === null || next.startsWith('b')).toBe(true);
});

test('imported bars of the interval are served, before bars that are made of others', async () => {
  const imported = bar(Date.UTC(2015, 0, 4, 22), 7);
  const replaced = { ...bar(Date.UTC(2026, 9, 20, 21), 9), volume: 1_000 };
  const series = new Map([...SERIES, ['1d@ny', [imported, replaced]]]);
  const { items } = await ask({ interval: '1d', align: 'ny', from: '2015-01-01', limit: '4' }, series);
  expect(items[0]).toMatchObject({ time: '2015-01-04T22:00:00.000Z', open: 7 });
  expect(items.find(({ time }) => time === '2026-10-20T21:00:00.000Z')).toMatchObject({ open: 9, volume: 1_000 });
  expect((await ask({ interval: '1d', from: '2015-01-01', limit: '1' }, series)).items[0]!.time).toStartWith('2026');
});

describe('GET /api/bars/{symbol}', () => {
  let api: BareApi;
  beforeAll(async () => {
    api = await serveBareApi();
  });
  afterAll(() => api.stop());
  const get = (path: string): Promise<Response> =>
    fetch(`${api.url}/api/bars/${path}`, { headers: { 'X-API-Key': api.key } });

  test('answers as documented', async () => {
    const response = await get('eurusd?interval=90m&align=Europe/London&limit=3');
    expect(response.status).toBe(200);
    expect(BarsPage.parse(await response.json())).toMatchObject({
      symbol: 'EURUSD',
      interval: '90m',
      align: 'Europe/London',
    });
  });

  test.each([
    ['EURUSD?interval=0m', 'interval'],
    ['EURUSD?interval=1441m', 'interval'],
    ['EURUSD?interval=25h', 'interval'],
    ['EURUSD?interval=2d', 'interval'],
    ['EURUSD?align=Mars/Phobos', 'align'],
    ['EURUSD?align=../etc', 'align'],
    ['EURUSD?limit=10001', 'limit'],
    ['EURUSD?cursor=x1', 'cursor'],
    ['EURUSD?from=soon', 'from'],
  ])('rejects %s by name, with what is allowed', async (path, parameter) => {
    const response = await get(path);
    expect(response.status).toBe(400);
    const { code, errors } = (await response.json()) as {
      code: string;
      errors: { parameter: string; allowed: string }[];
    };
    expect(code).toBe('invalid_parameter');
    expect(errors[0]!.parameter).toBe(parameter);
    expect(errors[0]!.allowed).not.toBe('');
  });

  test('takes a zone in any spelling', async () => {
    const day = async (align: string) =>
      ((await (await get(`EURUSD?interval=1d&align=${align}`)).json()) as BarsPage).items;
    expect(await day('eUROPE/london')).toEqual(await day('Europe/London'));
  });

  test('of an unknown symbol is a 404', async () => expect((await get('NOPE')).status).toBe(404));
});
