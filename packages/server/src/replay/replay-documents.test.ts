// News, the calendar and sizes of positions in a replay: what was known at the time of its clock, compared with a naive filter of
// everything that was stored.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import {
  type CalendarEvent,
  type CalendarPage,
  type EventWindow,
  iso,
  type NewsDetail,
  type NewsSentiment,
  type PositionSize,
  type ReplaySession,
} from '@tickwire/contract';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { codeOf } from '../../testing/publisher.fixture.ts';
import { EURUSD, randomPast, record } from '../../testing/replay/recorded-day.fixture.ts';
import {
  eventsKnownAt,
  newsKnownAt,
  randomDocuments,
  recordDocuments,
} from '../../testing/replay/recorded-documents.fixture.ts';
import { folderOfBusyAccounts, type RunningService, startService } from '../../testing/service.fixture.ts';
import { Random } from '../../testing/signals/random.fixture.ts';

const FROM = Date.UTC(2026, 2, 4, 12);
const TO = FROM + HOUR_MS;
const CLOCKS = 12;

const folder = folderOfBusyAccounts(100_000);
const past = randomPast(FROM, TO, 3);
const documents = randomDocuments(FROM, TO, 8);
let service: RunningService;
let key: string;
let id: string;
beforeAll(async () => {
  await record(folder, past);
  await recordDocuments(folder, documents);
  service = await startService({ data: folder, feeds: 'push' });
  ({ key } = await service.key('free'));
  const body = { symbols: ['EURUSD', 'BTCUSD'], from: iso(FROM), to: iso(TO) };
  ({ id } = await answer<ReplaySession>('/api/replays', { method: 'POST', body: JSON.stringify(body) }));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function answer<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(service.url + path, { ...init, headers: { 'X-API-Key': key } });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as T;
}
const read = <T>(path: string): Promise<T> => answer(`${path}${path.includes('?') ? '&' : '?'}replay=${id}`);
const seek = (clock: number): Promise<ReplaySession> =>
  answer(`/api/replays/${id}`, { method: 'PATCH', body: JSON.stringify({ seek: iso(clock) }) });
const news = async (query: string): Promise<NewsDetail[]> =>
  (await read<{ items: NewsDetail[] }>(`/api/news?detail=true&limit=200&${query}`)).items;

const random = new Random(5);
const clocks = Array.from({ length: CLOCKS }, () => random.whole(FROM, TO));

test('news are those that were stored by then, in the revision of then', async () => {
  let revisions = 0;
  for (const clock of clocks) {
    await seek(clock);
    const known = newsKnownAt(documents, clock);
    expect(await news('')).toEqual(known);
    expect(await news('symbol=eurusd')).toEqual(known.filter(({ symbols }) => symbols.includes('EURUSD')));
    expect(await news('category=gold,macro')).toEqual(
      known.filter(({ category }) => category === 'gold' || category === 'macro'),
    );
    const from = iso(clock - 20 * MINUTE_MS);
    expect(await news(`from=${from}`)).toEqual(known.filter(({ timestamp }) => timestamp >= from));
    const middle = known[Math.floor(known.length / 2)];
    if (middle) expect(await news(`before=${middle.id}`)).toEqual(known.slice(known.indexOf(middle) + 1));
    revisions += known.filter(
      (item) => documents.news.findLast((stored) => stored.item.id === item.id)!.item.revision > item.revision,
    ).length;
  }
  // Some of them were shown in a revision that was replaced later.
  expect(revisions).toBeGreaterThan(5);
});

test('a news item is not found before it was stored, and the moves after it end at the clock', async () => {
  const { item, knownAt } = documents.news.find((each) => each.knownAt < TO - 10 * MINUTE_MS)!;
  await seek(knownAt - 1);
  const path = `/api/news/${item.id}`;
  expect(await codeOf(await fetch(`${service.url}${path}?replay=${id}`, { headers: { 'X-API-Key': key } }))).toEqual([
    404,
    'news_not_found',
  ]);
  await seek(knownAt);
  const { market, ...shown } = await read<NewsDetail & { market: { after: { minutes: number }[] }[] }>(path);
  expect(shown).toEqual({ ...item, cluster: 1 });
  for (const { after } of market)
    for (const { minutes } of after)
      expect(Date.parse(item.timestamp) + minutes * MINUTE_MS).toBeLessThanOrEqual(knownAt);
});

test('sentiment counts the items of then', async () => {
  for (const clock of clocks) {
    await seek(clock);
    const known = newsKnownAt(documents, clock);
    const { items } = await read<NewsSentiment>('/api/news/sentiment?period=day');
    const count = items.reduce((sum, each) => sum + each.count, 0);
    expect(count).toBe(known.length);
    const total = items.reduce((sum, each) => sum + each.mean_score * each.count, 0);
    const expected = known.reduce((sum, each) => sum + each.sentiment_score, 0);
    expect(Math.abs(total - expected)).toBeLessThan(0.02);
    const bullish = items.reduce((sum, each) => sum + each.bullish, 0);
    expect(bullish).toBe(known.filter(({ sentiment }) => sentiment === 'bullish').length);
  }
});

test('the calendar has the revisions of then, and no value before its time', async () => {
  const range = `from=${iso(FROM - DAY_MS)}&to=${iso(TO + 3 * DAY_MS)}`;
  let values = 0;
  for (const clock of clocks) {
    await seek(clock);
    const known = eventsKnownAt(documents, clock);
    const events: CalendarEvent[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: CalendarPage = await read(`/api/calendar?${range}&limit=7${cursor && `&cursor=${cursor}`}`);
      events.push(...page.items);
      cursor = page.next;
    }
    expect(events).toEqual(known);
    values += events.filter(({ actual }) => actual !== null).length;
    const window = await read<EventWindow>('/api/market/EURUSD/window');
    expect(window.at).toBe(iso(clock));
    expect(window.next).toEqual(
      known.find(({ symbols, time }) => symbols.includes('EURUSD') && Date.parse(time) > clock) ?? null,
    );
  }
  expect(values).toBeGreaterThan(5);
});

test('the size of a position is converted at the quotes of then', async () => {
  for (const clock of clocks.slice(0, 4)) {
    await seek(clock);
    const last = past.ticks.findLast(({ tick, arrival }) => tick.symbol === EURUSD && arrival <= clock)!.tick;
    if (last.kind !== 'quote') throw new Error('EURUSD has only quotes');
    const query = 'symbol=EURUSD&entry=1.08&stop_loss=1.07&balance=10000&risk_percent=1&currency=EUR';
    const { rate } = await read<PositionSize>(`/api/position-size?${query}`);
    expect(rate).toBeCloseTo(2 / (last.bid + last.ask), 8);
  }
});

test('statistics of news over the whole store have no time: they refuse', async () => {
  const response = await fetch(`${service.url}/api/news/calibration?replay=${id}`, { headers: { 'X-API-Key': key } });
  expect(await codeOf(response)).toEqual([400, 'not_in_replay']);
});
