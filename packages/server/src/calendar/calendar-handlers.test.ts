// The calendar over HTTP: pushed lines, pages and windows.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { CalendarIngestAnswer, CalendarLine, CalendarPage, EventWindow, Problem } from '@tickwire/contract';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push', ingest_lines_per_minute: '30000' });
  key = (await service.key('premium', ['read', 'ingest', 'admin'])).key;
});
afterAll(() => service.stop());

const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${service.url}${path}`, { ...init, headers: { 'X-API-Key': key, ...init.headers } });
const read = async <T>(path: string): Promise<T> => (await (await ask(path)).json()) as T;
async function push(lines: readonly (CalendarLine | string)[], headers: Record<string, string> = {}) {
  const body = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const response = await ask('/ingest/calendar', { method: 'POST', body, headers });
  expect(response.status).toBe(200);
  return (await response.json()) as CalendarIngestAnswer;
}
const BASE = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + DAY_MS;
const iso = (offset = 0): string => new Date(BASE + offset).toISOString();
const line = (id: string, changes: Partial<CalendarLine> = {}): CalendarLine => ({
  id,
  title: `Event ${id}`,
  country: 'US',
  impact: 'high',
  time: iso(),
  ...changes,
});
const events = async (query = ''): Promise<CalendarPage['items']> =>
  (await read<CalendarPage>(`/api/calendar?from=${BASE - DAY_MS}&to=${BASE + 3 * DAY_MS}${query}`)).items;
const event = async (title: string) => (await events()).find((each) => each.title === title)!;

describe('POST /ingest/calendar', () => {
  test('an event is listed when the answer arrives, with its affected instruments', async () => {
    expect(await push([line('a', { forecast: 2.5, previous: '2.4%', unit: '%' })])).toEqual({
      accepted: 1,
      rejected: [],
      rejected_count: 0,
    });
    const found = await event('Event a');
    expect(found).toMatchObject({
      country: 'US',
      currency: 'USD',
      impact: 'high',
      time: iso(),
      status: 'scheduled',
      forecast: '2.5',
      previous: '2.4%',
      revision: 1,
    });
    expect(found.symbols).toContain('EURUSD');
    expect(found.symbols).toContain('XAUUSD');
    expect(found.symbols).not.toContain('EURGBP');
  });

  test('a line with the same id moves, releases and cancels the event', async () => {
    await push([line('b')]);
    const { id } = await event('Event b');
    await push([line('b', { time: iso(HOUR_MS) })]);
    expect(await event('Event b')).toMatchObject({
      id,
      status: 'moved',
      time: iso(HOUR_MS),
      moved_from: iso(),
      revision: 2,
    });
    await push([line('b', { time: iso(HOUR_MS), actual: '3.1' })]);
    expect(await event('Event b')).toMatchObject({ id, status: 'released', actual: '3.1', revision: 3 });
    await push([line('b', { time: iso(HOUR_MS), status: 'cancelled' })]);
    expect(await event('Event b')).toMatchObject({ id, status: 'cancelled', actual: '3.1', revision: 4 });
  });

  test('invalid lines are rejected on their own', async () => {
    const { accepted, rejected } = await push([
      line('c'),
      'garbage',
      '[]',
      line('d', { title: ' ' }),
      line('d', { country: 'USA' }),
      line('d', { time: 'tomorrow' }),
      line('d', { time: Date.now() + 20 * 366 * DAY_MS }),
      line('d', { country: 'ZZ' }),
      line('d', { country: 'ZZ', currency: 'ZZZ' }),
      line('d', { source: 'Simulated Wire' }),
      line('d', { impact: 'huge' as never }),
    ]);
    expect(accepted).toBe(2);
    expect(rejected.map(({ line: number, code }) => [number, code])).toEqual([
      [2, 'malformed_json'],
      [3, 'malformed_line'],
      [4, 'malformed_line'],
      [5, 'malformed_line'],
      [6, 'bad_time'],
      [7, 'time_out_of_range'],
      [8, 'unknown_currency'],
      [10, 'reserved_source'],
      [11, 'malformed_line'],
    ]);
  });

  test('a repeated request with an Idempotency-Key changes nothing', async () => {
    const headers = { 'Idempotency-Key': 'calendar-1' };
    const first = await push([line('e')], headers);
    await push([line('e', { forecast: '1' })]);
    expect(await push([line('e')], headers)).toEqual(first);
    expect(await event('Event e')).toMatchObject({ forecast: '1', revision: 2 });
  });

  test('an account revises only its own events', async () => {
    await push([line('f')]);
    const other = await service.key('premium', ['ingest']);
    await push([line('f', { title: 'Event f of another' })], { 'X-API-Key': other.key });
    expect((await events()).filter(({ title }) => title.startsWith('Event f'))).toHaveLength(2);
  });

  test('needs the scope ingest', async () => {
    const reader = await service.key('premium', ['read']);
    const response = await ask('/ingest/calendar', { method: 'POST', body: '', headers: { 'X-API-Key': reader.key } });
    expect([response.status, ((await response.json()) as Problem).code]).toEqual([403, 'missing_scope']);
  });
});

describe('GET /api/market/{symbol}/window', () => {
  const window = (offset: number, query = '', symbol = 'usdjpy'): Promise<EventWindow> =>
    read(`/api/market/${symbol}/window?at=${BASE + 2 * DAY_MS + offset}${query}`);

  test('is inside from two minutes before an event until two minutes after it', async () => {
    await push([line('w', { time: iso(2 * DAY_MS) })]);
    const inside = async (offset: number): Promise<boolean> => (await window(offset)).inside;
    expect(await Promise.all([-120_001, -120_000, -1, 0, 119_999, 120_000].map((offset) => inside(offset)))).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(await window(0)).toMatchObject({
      symbol: 'USDJPY',
      before: 2,
      after: 2,
      events: [{ title: 'Event w' }],
      next: null,
      window: { from: iso(2 * DAY_MS - 2 * MINUTE_MS), to: iso(2 * DAY_MS + 2 * MINUTE_MS) },
    });
    expect(await window(-HOUR_MS, '&before=60&after=0')).toMatchObject({ inside: true, next: { title: 'Event w' } });
    expect(await window(0, '&impact=low')).toMatchObject({ inside: false });
    expect(await window(0, '', 'EURGBP')).toMatchObject({ inside: false, events: [] });
  });

  test('is closed on all-day events, which it lists', async () => {
    const date = iso(DAY_MS).slice(0, 10);
    await push([line('holiday', { country: 'GB', time: date })]);
    const found = await read<EventWindow>(`/api/market/EURGBP/window?at=${date}T00:00:30Z&before=60&after=60`);
    expect(found).toMatchObject({ inside: false, events: [], window: null, all_day: [{ title: 'Event holiday' }] });
  });

  test.each([
    ['/api/market/EURUSD/window?before=1441', 400, 'invalid_parameter'],
    ['/api/market/EURUSD/window?after=-1', 400, 'invalid_parameter'],
    ['/api/market/EURUSD/window?impact=big', 400, 'invalid_parameter'],
    ['/api/market/NOTHING/window', 404, 'symbol_not_found'],
    ['/api/calendar?country=USA', 400, 'invalid_parameter'],
    ['/api/calendar?limit=0', 400, 'invalid_parameter'],
    ['/api/calendar?cursor=x', 400, 'invalid_parameter'],
    ['/api/calendar?from=2026-03-02&to=2026-03-01', 400, 'invalid_parameter'],
  ])('%s answers %d %s', async (path, status, code) => {
    const response = await ask(path);
    expect([response.status, ((await response.json()) as Problem).code as string]).toEqual([status, code]);
  });
});
