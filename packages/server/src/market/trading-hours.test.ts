import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { InstrumentList, TradingHours } from '@tickwire/contract';
import { type BareApi, serveBareApi } from '../../testing/bare-api.fixture.ts';

let api: BareApi;
beforeAll(async () => {
  api = await serveBareApi();
});
afterAll(() => api.stop());

async function get(path: string): Promise<Response> {
  return fetch(`${api.url}${path}`, { headers: { 'X-API-Key': api.key } });
}
const hours = async (query: string): Promise<TradingHours> =>
  TradingHours.parse(await (await get(`/api/market/${query}`)).json());

describe('GET /api/market/{symbol}/hours', () => {
  test('has sessions with their early close, and holidays', async () => {
    expect(await hours('uk100/hours?from=2026-12-23&to=2026-12-30')).toEqual({
      symbol: 'UK100',
      timezone: 'Europe/London',
      sessions: [
        { open: '2026-12-23T01:00:00.000Z', close: '2026-12-23T21:00:00.000Z' },
        { open: '2026-12-24T01:00:00.000Z', close: '2026-12-24T12:30:00.000Z' },
        { open: '2026-12-29T01:00:00.000Z', close: '2026-12-29T21:00:00.000Z' },
      ],
      closed: [
        { date: '2026-12-25', reason: 'Christmas Day' },
        { date: '2026-12-28', reason: 'Boxing Day' },
      ],
    });
  });

  test('has the range itself for a market that never closes', async () => {
    const from = '2026-12-23T00:00:00.000Z';
    const to = '2026-12-24T00:00:00.000Z';
    expect(await hours(`BTCUSD/hours?from=${from}&to=${to}`)).toEqual({
      symbol: 'BTCUSD',
      timezone: 'UTC',
      sessions: [{ open: from, close: to }],
      closed: [],
    });
  });

  test('covers a week from now on, from a start on, or up to an end', async () => {
    const now = await hours('EURUSD/hours');
    expect(now.sessions.length).toBeGreaterThan(0);
    expect(Date.parse(now.sessions.at(-1)!.close)).toBeGreaterThan(Date.now());
    const days = (sessions: TradingHours['sessions']): string[] => sessions.map(({ open }) => open.slice(5, 10));
    expect(days((await hours('US30/hours?from=2026-06-01T00:00Z')).sessions)).toEqual(
      days((await hours('US30/hours?to=2026-06-08T00:00Z')).sessions),
    );
  });

  test('rejects a range that is too long or ends before it starts, a bad time and an unknown symbol', async () => {
    for (const query of ['from=2026-01-01&to=2027-01-03', 'from=2026-01-02&to=2026-01-01']) {
      const response = await get(`/api/market/EURUSD/hours?${query}`);
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([400, 'invalid_parameter']);
    }
    expect((await get('/api/market/EURUSD/hours?from=2026-01-01&to=2027-01-02')).status).toBe(200);
    expect((await get('/api/market/EURUSD/hours?from=yesterday')).status).toBe(400);
    expect((await get('/api/market/NOPE/hours')).status).toBe(404);
  });
});

describe('GET /api/symbols?detail=true', () => {
  test('adds the sessions of the coming week, and an ETag', async () => {
    const response = await get('/api/symbols?detail=true');
    const { items } = InstrumentList.parse(await response.json());
    const euro = items.find(({ symbol }) => symbol === 'EURUSD')!.hours!;
    expect(euro).toMatchObject({ calendar: 'forex', timezone: 'America/New_York' });
    expect(euro.sessions.length).toBeGreaterThan(0);
    expect(items.find(({ symbol }) => symbol === 'BTCUSD')!.hours!.sessions).toHaveLength(1);
    const again = await fetch(`${api.url}/api/symbols?detail=true`, {
      headers: { 'X-API-Key': api.key, 'If-None-Match': response.headers.get('etag')! },
    });
    expect(again.status).toBe(304);
  });

  test('is opt-in: the documented fields stay as they are', async () => {
    const { items } = InstrumentList.parse(await (await get('/api/symbols')).json());
    expect(items.every((item) => !('hours' in item))).toBe(true);
    expect((await get('/api/symbols?detail=maybe')).status).toBe(400);
  });
});
