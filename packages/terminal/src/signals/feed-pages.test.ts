import { expect, test } from 'bun:test';
import type { Signal, SignalOptions } from '@tickwire/client';
import { NO_FILTER } from './feed-filter.ts';
import { FeedPages } from './feed-pages.ts';

/** A service with `count` closed signals, newest first; every tenth is a sell. */
function service(count: number) {
  const all = Array.from({ length: count }, (_, n) => ({
    id: `s${n}`,
    user: 'a',
    symbol: 'EURUSD',
    direction: n % 10 === 0 ? 'sell' : 'buy',
    status: 'closed',
  })) as unknown as Signal[];
  const requests: SignalOptions[] = [];
  return {
    requests,
    load: async (options: SignalOptions) => {
      requests.push(options);
      const from = options.before === undefined ? 0 : all.findIndex(({ id }) => id === options.before) + 1;
      return { items: all.slice(from, from + (options.limit ?? 50)) };
    },
  };
}

test('loads page by page until the last', async () => {
  const { load, requests } = service(250);
  const pages = new FeedPages({ ...NO_FILTER, status: 'closed', symbol: 'EURUSD' }, load);
  const found = [...(await pages.next()), ...(await pages.next())];
  expect([found.length, pages.ended]).toEqual([200, false]);
  expect(await pages.next()).toHaveLength(50);
  expect(pages.ended).toBe(true);
  expect(await pages.next()).toEqual([]);
  expect(requests.map(({ before }) => before)).toEqual([undefined, 's99', 's199']);
  expect(requests[0]).toMatchObject({ status: 'closed', symbol: 'EURUSD' });
});

test('loads more pages if most signals are filtered out, up to a limit', async () => {
  const { load, requests } = service(5_000);
  const pages = new FeedPages({ ...NO_FILTER, status: 'closed', direction: 'sell' }, load);
  expect(await pages.next()).toHaveLength(30);
  expect(requests).toHaveLength(3);
  const none = new FeedPages({ ...NO_FILTER, status: 'closed', user: 'somebody else' }, load);
  expect(await none.next()).toEqual([]);
  expect([requests.length, none.ended]).toEqual([8, false]);
});
