import { expect, test } from 'bun:test';
import type { Signal, SignalOptions } from '@tickwire/client';
import { NO_FILTER } from './feed-filter.ts';
import { FeedPages } from './feed-pages.ts';

/** A service with so many closed signals, newest first; every tenth is a sell. */
function service(count: number) {
  const all = Array.from({ length: count }, (_, n) => ({
    id: `s${n}`,
    user: 'a',
    symbol: 'EURUSD',
    direction: n % 10 === 0 ? 'sell' : 'buy',
    status: 'closed',
  })) as unknown as Signal[];
  const asked: SignalOptions[] = [];
  return {
    asked,
    ask: async (options: SignalOptions) => {
      asked.push(options);
      const from = options.before === undefined ? 0 : all.findIndex(({ id }) => id === options.before) + 1;
      return { items: all.slice(from, from + (options.limit ?? 50)) };
    },
  };
}

test('goes back page by page, to the last', async () => {
  const { ask, asked } = service(250);
  const pages = new FeedPages({ ...NO_FILTER, status: 'closed', symbol: 'EURUSD' }, ask);
  const found = [...(await pages.next()), ...(await pages.next())];
  expect([found.length, pages.ended]).toEqual([200, false]);
  expect(await pages.next()).toHaveLength(50);
  expect(pages.ended).toBe(true);
  expect(await pages.next()).toEqual([]);
  expect(asked.map(({ before }) => before)).toEqual([undefined, 's99', 's199']);
  expect(asked[0]).toMatchObject({ status: 'closed', symbol: 'EURUSD' });
});

test('where most is sorted out here, the next pages are asked for at once, but not for ever', async () => {
  const { ask, asked } = service(5_000);
  const pages = new FeedPages({ ...NO_FILTER, status: 'closed', direction: 'sell' }, ask);
  expect(await pages.next()).toHaveLength(30);
  expect(asked).toHaveLength(3);
  const none = new FeedPages({ ...NO_FILTER, status: 'closed', user: 'somebody else' }, ask);
  expect(await none.next()).toEqual([]);
  expect([asked.length, none.ended]).toEqual([8, false]);
});
