// The news endpoints over a real socket: every filter, every invalid parameter, sentiment, calibration and sources.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { NewsCalibration, type NewsDetail, NewsItemDetail, NewsSentiment, NewsSourceList } from '@tickwire/contract';
import { MINUTE_MS } from '@tickwire/engine';
import { labelRule, PUBLISHED_CALIBRATION } from '@tickwire/sentiment';
import { type BareApi, serveBareApi } from '../../testing/bare-api.fixture.ts';
import { newsDetail } from '../../testing/news.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { move, news } from '../../testing/store/news-samples.fixture.ts';
import { MONDAY } from '../../testing/store/samples.fixture.ts';

let api: BareApi;
beforeAll(async () => {
  api = await serveBareApi();
  const at = (minute: number): string => new Date(MONDAY + minute * MINUTE_MS).toISOString();
  api.news.restore([
    newsDetail('d', { timestamp: at(4), category: 'crypto', symbols: ['BTCUSD', 'ETHUSD'] }),
    newsDetail('c', { timestamp: at(3), category: 'gold', symbols: ['XAUUSD'] }),
    newsDetail('b', { timestamp: at(2), category: 'forex', symbols: ['EURUSD'] }),
    newsDetail('a', { timestamp: at(1), category: 'gold', symbols: ['XAUUSD', 'EURUSD'] }),
  ]);
});
afterAll(() => api.stop());

const ids = async (query: string): Promise<string> => {
  const response = await api.get(`/api/news?detail=true&${query}`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { items: { id: string }[] }).items.map(({ id }) => id).join('');
};

describe('GET /api/news/{id}', () => {
  test('has all fields of the item, and the instruments that it mentions', async () => {
    const response = await api.get('/api/news/a');
    const item = NewsItemDetail.parse(await response.json());
    const { market, ...fields } = item;
    const { items } = (await (await api.get('/api/news?detail=true')).json()) as { items: NewsDetail[] };
    expect(fields).toEqual(items.find(({ id }) => id === 'a')!);
    expect(market).toEqual([
      { symbol: 'XAUUSD', at: null, after: [] },
      { symbol: 'EURUSD', at: null, after: [] },
    ]);
  });

  test.each(['none', 'a%00', '%20', 'x'.repeat(100)])('has no item %s', async (id) => {
    const response = await api.get(`/api/news/${id}`);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([404, 'news_not_found']);
  });
});

describe('GET /api/news', () => {
  test.each([
    ['', 'dcba'],
    ['limit=2', 'dc'],
    ['category=gold', 'ca'],
    ['category=gold,crypto', 'dca'],
    ['category=macro', ''],
    ['symbol=EURUSD', 'ba'],
    ['symbol=ethusd', 'd'],
    ['symbol=NOSUCH', ''],
    ['since=2026-03-02T00:02:00Z', 'dc'],
    ['since=2026-03-02T00:01:59.999Z', 'dcb'],
    ['since=2026-03-02', 'dcba'],
    [`since=${(MONDAY + 3 * MINUTE_MS) / 1000}`, 'd'],
    [`since=${MONDAY + 3 * MINUTE_MS}`, 'd'],
    ['category=gold&symbol=EURUSD', 'a'],
    ['category=gold&since=2026-03-02T00:02:00Z&limit=1', 'c'],
    ['symbol=XAUUSD&limit=1', 'c'],
    ['before=c', 'ba'],
    ['before=c&limit=1', 'b'],
    ['before=a', ''],
    ['before=nobody', ''],
    ['before=2026-03-02T00:03:00Z', 'ba'],
    [`before=${(MONDAY + 4 * MINUTE_MS) / 1000}&category=gold`, 'ca'],
    ['from=2026-03-02T00:02:00Z', 'dcb'],
    ['to=2026-03-02T00:02:00Z', 'a'],
    ['from=2026-03-02T00:02:00Z&to=2026-03-02T00:03:00Z', 'b'],
    ['from=2026-03-02T00:02:00Z&before=d', 'cb'],
    ['since=2026-03-02T00:02:00Z&from=2026-03-02T00:01:00Z&to=2026-03-02', ''],
    ['unknown=1&category=forex', 'b'],
  ])('%s returns %s', async (query, expected) => {
    expect(await ids(query)).toBe(expected);
  });

  test('detail adds eleven fields after the documented five, and false omits them', async () => {
    const keys = async (query: string): Promise<string[]> =>
      Object.keys(((await (await api.get(`/api/news?${query}`)).json()) as { items: object[] }).items[0]!);
    const five = ['title', 'category', 'sentiment', 'sentiment_score', 'timestamp'];
    expect(await keys('detail=false')).toEqual(five);
    expect(await keys('detail=true')).toEqual([
      ...five,
      'id',
      'url',
      'source',
      'account',
      'published_at',
      'model',
      'certainty',
      'symbols',
      'sentiments',
      'cluster',
      'revision',
    ]);
  });

  test.each([
    ['category', 'sports'],
    ['category', ''],
    ['category', 'gold,'],
    ['category', 'Gold'],
    ['since', 'yesterday'],
    ['since', ''],
    ['before', 'last week'],
    ['before', '2026-13-01'],
    ['before', '2026-03-02T00:60'],
    ['before', ''],
    ['before', '-1'],
    ['from', 'monday'],
    ['to', ''],
    ['detail', '1'],
    ['detail', ''],
    ['limit', '0'],
    ['limit', '201'],
    ['limit', '1.5'],
    ['limit', 'all'],
  ])('rejects %s=%j with a 400 that names it', async (parameter, value) => {
    const response = await api.get(`/api/news?${new URLSearchParams({ [parameter]: value })}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter, value }] });
  });
});

describe('items beyond those in memory', () => {
  const MANY = 2_150;
  let service: RunningService;
  let get: (query: string) => Promise<NewsDetail[]>;
  beforeAll(async () => {
    service = await startService({ feeds: 'push', news: 'none' });
    const { key } = await service.key('premium');
    const { journal, store } = service.app;
    // Groups of ten have the same timestamp.
    const items = Array.from({ length: MANY }, (_, index) => {
      const timestamp = new Date(MONDAY + Math.floor(index / 10) * MINUTE_MS).toISOString();
      return newsDetail(Bun.hash(String(index)).toString(16), { timestamp, title: `Headline ${index}` });
    });
    await store.news.put(items.map((item) => ({ item, seenAt: MONDAY, knownAt: MONDAY, guid: null })));
    journal.append(items.map((item) => ({ kind: 'news', item, revised: false })));
    get = async (query) => {
      const response = await fetch(`${service.url}/api/news?detail=true&${query}`, { headers: { 'X-API-Key': key } });
      return ((await response.json()) as { items: NewsDetail[] }).items;
    };
  });
  afterAll(() => service.stop());

  test('paging by id returns every item once, newest first', async () => {
    const found: NewsDetail[] = [];
    for (let page = await get('limit=199'); page.length > 0; page = await get(`limit=199&before=${page.at(-1)!.id}`))
      found.push(...page);
    expect([found.length, new Set(found.map(({ id }) => id)).size]).toEqual([MANY, MANY]);
    const times = found.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted().reverse());
  });

  test('the oldest items are found by time', async () => {
    const minute = new Date(MONDAY + MINUTE_MS).toISOString();
    expect(await get(`limit=200&before=${minute}`)).toHaveLength(10);
    expect(await get(`limit=200&to=${minute}`)).toHaveLength(10);
    expect(await get(`limit=5&to=${minute}&category=gold`)).toEqual([]);
  });
});

describe('GET /api/news/sentiment', () => {
  test('counts and averages by interval and category, the current interval last', async () => {
    const service = await startService({ feeds: 'push', news: 'none' });
    const { key } = await service.key();
    const ask = async (query: string): Promise<NewsSentiment> => {
      const response = await fetch(`${service.url}/api/news/sentiment?${query}`, { headers: { 'X-API-Key': key } });
      return NewsSentiment.strict().parse(await response.json());
    };
    const HOUR = 60 * MINUTE_MS;
    const hour = Math.floor(Date.now() / HOUR) * HOUR;
    const put = (id: string, time: number, changes: Partial<NewsDetail>): Promise<void> => {
      const item = newsDetail(id, { timestamp: new Date(time).toISOString(), ...changes });
      return service.app.store.news.put([{ item, seenAt: time, knownAt: time, guid: null }]);
    };
    const gold = { category: 'gold', symbols: ['XAUUSD'] } as const;
    await put('a', hour, { ...gold, symbols: ['XAUUSD'], sentiment: 'bullish', sentiment_score: 0.5 });
    await put('b', hour + 1, { ...gold, symbols: ['XAUUSD'], sentiment: 'bearish', sentiment_score: -0.7 });
    await put('c', hour - 23 * HOUR, { sentiment_score: 0.11111 });
    await put('d', hour - 23 * HOUR - 1, {});
    const day = await ask('');
    expect(day).toMatchObject({ period: 'day', symbol: null, stretch_seconds: 3_600, count: 2 });
    expect([Date.parse(day.from), Date.parse(day.to)]).toEqual([hour - 23 * HOUR, hour + HOUR]);
    const none = { bullish: 0, neutral: 0, bearish: 0 };
    expect(day.items).toEqual([
      { time: day.from, category: 'macro', ...none, count: 1, neutral: 1, mean_score: 0.1111 },
      {
        time: new Date(hour).toISOString(),
        category: 'gold',
        ...none,
        count: 2,
        bullish: 1,
        bearish: 1,
        mean_score: -0.1,
      },
    ]);
    expect((await ask('category=macro')).items).toEqual(day.items.slice(0, 1));
    expect(await ask('symbol=xauusd')).toMatchObject({ symbol: 'XAUUSD', items: day.items.slice(1) });
    expect((await ask('symbol=NOSUCH')).items).toEqual([]);
    const counted = ({ items }: NewsSentiment): number => items.reduce((sum, { count }) => sum + count, 0);
    expect([counted(await ask('period=week')), counted(await ask('period=month'))]).toEqual([4, 4]);
    expect(await ask('period=month')).toMatchObject({ stretch_seconds: 86_400 });
    await service.stop();
  });

  test('rejects an unknown period or category', async () => {
    for (const query of ['period=year', 'period=', 'category=oil'])
      expect((await api.get(`/api/news/sentiment?${query}`)).status).toBe(400);
  });
});

describe('GET /api/news/calibration', () => {
  let service: RunningService;
  let key: string;
  beforeAll(async () => {
    service = await startService({ feeds: 'push' });
    ({ key } = await service.key());
  });
  afterAll(() => service.stop());

  test('returns hit rates by model, category, label and horizon, each with its Wilson interval', async () => {
    const { store } = service.app;
    const bullish = { category: 'gold', sentiment: 'bullish', model: 'm-1' } as const;
    await store.news.put(Array.from({ length: 10 }, (_, index) => news(`n${index}`, index, bullish)));
    await store.news.putMoves(Array.from({ length: 10 }, (_, index) => move(`n${index}`, index < 7 ? 0.25 : -0.5)));
    // Measurements stay when the items are deleted.
    await store.news.prune(MONDAY + 60 * MINUTE_MS);
    const get = async (): Promise<unknown> =>
      (await fetch(`${service.url}/api/news/calibration`, { headers: { 'X-API-Key': key } })).json();
    const body = await get();
    expect(NewsCalibration.strict().parse(body)).toEqual({
      items: [
        {
          model: 'm-1',
          category: 'gold',
          sentiment: 'bullish',
          horizon_minutes: 15,
          items: 10,
          hits: 7,
          hit_rate: 0.7,
          // Newcombe's interval for 7 of 10, to four decimals.
          hit_rate_low: 0.3968,
          hit_rate_high: 0.8922,
          average_move_percent: 0.025,
        },
      ],
      count: 1,
      since: new Date(MONDAY).toISOString(),
      labels: expect.any(Array),
    });
    // The result is cached for a minute.
    await store.news.put([news('later', 1, bullish)]);
    await store.news.putMoves([move('later', 1)]);
    expect(await get()).toEqual(body);
  });

  test('is empty without measurements, and needs a key', async () => {
    const response = await api.get('/api/news/calibration');
    expect(await response.json()).toMatchObject({ items: [], count: 0, since: null });
    expect((await fetch(`${service.url}/api/news/calibration`)).status).toBe(401);
  });

  test('has the calibration of the label probabilities of each category, with bins that give its error', async () => {
    const { labels } = NewsCalibration.parse(await (await api.get('/api/news/calibration')).json());
    expect(labels.map(({ category }) => category)).toEqual(['crypto', 'forex', 'gold', 'macro']);
    for (const { model, category, bins, ...calibration } of labels) {
      expect(model).toBe(PUBLISHED_CALIBRATION.model);
      expect([calibration.temperature, calibration.least_confidence]).toEqual([
        labelRule(category).temperature,
        labelRule(category).leastConfidence,
      ]);
      expect(bins.reduce((sum, { headlines }) => sum + headlines, 0)).toBe(calibration.measured_on);
      const gaps = bins.map(({ headlines, confidence, accuracy }) => headlines * Math.abs(confidence - accuracy));
      const error = gaps.reduce((sum, gap) => sum + gap, 0) / calibration.measured_on;
      expect(calibration.expected_error).toBeCloseTo(error, 3);
      expect(calibration.chosen_on).toBeGreaterThan(200);
    }
  });
});

describe('GET /api/news/sources', () => {
  test('shows the operator the state of each source; other keys are rejected', async () => {
    const service = await startService({ news: 'sim' });
    const { key } = await service.key('free', ['admin']);
    const ask = (as: string): Promise<Response> =>
      fetch(`${service.url}/api/news/sources`, { headers: { 'X-API-Key': as } });
    const body = NewsSourceList.strict().parse(await (await ask(key)).json());
    expect(body).toMatchObject({ count: 1, items: [{ name: 'Simulated Wire', url: null, state: 'ok', failures: 0 }] });
    expect(body.left_out).toMatchObject({ off_topic: 0, duplicate: 0, too_old: 0 });
    expect((await ask((await service.key('premium', ['read'])).key)).status).toBe(403);
    await service.stop();
  });

  test('is empty without sources, and so is the feed', async () => {
    const service = await startService({ feeds: 'push', news: 'none' });
    const { key } = await service.key('free', ['admin', 'read']);
    const get = async (path: string): Promise<unknown> =>
      (await fetch(service.url + path, { headers: { 'X-API-Key': key } })).json();
    expect(await get('/api/news/sources')).toMatchObject({ items: [], count: 0 });
    expect(await get('/api/news')).toEqual({ items: [] });
    await service.stop();
  });
});
