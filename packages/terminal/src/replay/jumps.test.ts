import { expect, test } from 'bun:test';
import { nextEvent, nextOpens } from './jumps.ts';

const time = (text: string) => Date.parse(text);
const opens = (after: string, end = '2026-12-31T00:00:00Z') =>
  nextOpens(time(after), time(end)).map(({ title, time: at }) => [title, new Date(at).toISOString()]);

test('the next open of each session comes with the nearest first', () => {
  expect(opens('2026-03-03T07:30:00Z')).toEqual([
    ['London open', '2026-03-03T08:00:00.000Z'],
    ['New York open', '2026-03-03T13:00:00.000Z'],
    ['Asia open', '2026-03-04T00:00:00.000Z'],
  ]);
});

test('after an open it is that of the next working day', () => {
  expect(opens('2026-03-06T08:00:00Z')).toContainEqual(['London open', '2026-03-09T08:00:00.000Z']);
});

test('nothing after the end of the range is offered', () => {
  expect(opens('2026-03-03T07:30:00Z', '2026-03-03T12:00:00Z')).toEqual([['London open', '2026-03-03T08:00:00.000Z']]);
});

const event = (at: string, more: object = {}) => ({ time: at, all_day: false, status: 'scheduled', ...more });

test('the next event is the first of all instruments that has a time and takes place', async () => {
  const pages: Record<string, object[]> = {
    EURUSD: [event('2026-03-03T09:00:00Z', { all_day: true }), event('2026-03-03T15:00:00Z')],
    USDJPY: [event('2026-03-03T10:00:00Z', { status: 'cancelled' }), event('2026-03-03T13:30:00Z')],
  };
  const asked: object[] = [];
  const calendar = async (query: { readonly symbol: string }) => {
    asked.push(query);
    return { items: pages[query.symbol] };
  };
  const client = { calendar } as never;
  const [from, end] = [time('2026-03-03T08:00:00Z'), time('2026-03-31T00:00:00Z')];
  expect(await nextEvent(client, ['EURUSD', 'USDJPY'], from, end)).toBe(time('2026-03-03T13:30:00Z'));
  expect(asked).toHaveLength(2);
  expect(await nextEvent(client, ['EURUSD'], end, end)).toBeNull();
});
