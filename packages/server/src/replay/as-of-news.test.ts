// News as of a clock that stands still, while an item is revised in the present.
import { expect, test } from 'bun:test';
import { NEWS_CATEGORIES, type NewsDetail } from '@tickwire/contract';
import { newsDetail } from '../../testing/news.fixture.ts';
import type { SentimentRow } from '../store/news-store.ts';
import { asOfNews } from './as-of-news.ts';

const item = newsDetail('n1', { cluster: 1 });
const published = Date.parse(item.timestamp);
const HOUR_MS = 3_600_000;
const filter = { categories: NEWS_CATEGORIES, symbol: null, from: 0, except: null };
const newest = { time: published + HOUR_MS, id: '' };

/** A store in which the item is revised at a moment that a test chooses. */
function revisedStore() {
  let isRevised = false;
  const row: SentimentRow = {
    time: published - (published % HOUR_MS),
    category: item.category,
    bullish: 0,
    neutral: 0,
    bearish: 0,
    meanScore: item.sentiment_score,
    [item.sentiment]: 1,
  };
  const store = {
    afterRead: (): void => {},
    revise(): void {
      isRevised = true;
    },
    pageAfter: () => read<NewsDetail[]>([], [item]),
    item: () => read(undefined, item),
    publishedAt: () => read(undefined, published),
    sentiment: () => read<SentimentRow[]>([], [row]),
    replacedAfter: async () => (isRevised ? [item] : []),
  };
  async function read<T>(revised: T, usual: T): Promise<T> {
    const found = isRevised ? revised : usual;
    store.afterRead();
    return found;
  }
  const asOf = asOfNews(store, () => published + HOUR_MS);
  const all = async (): Promise<unknown> => [
    await asOf.pageAfter(newest, filter, 10),
    await asOf.item(item.id),
    await asOf.publishedAt(item.id),
    (await asOf.sentiment(filter, HOUR_MS)).map(({ bullish, neutral, bearish }) => bullish + neutral + bearish),
  ];
  return { store, asOf, all };
}
const EXPECTED = [[item], item, published, [1]];

test('an item that is revised between two requests is found by both', async () => {
  const { store, all } = revisedStore();
  expect(await all()).toEqual(EXPECTED);
  store.revise();
  expect(await all()).toEqual(EXPECTED);
});

test.each(['pageAfter', 'sentiment'] as const)('an item that is revised during %s is found once', async (name) => {
  const { store, asOf } = revisedStore();
  store.afterRead = store.revise;
  if (name === 'pageAfter') expect(await asOf.pageAfter(newest, filter, 10)).toEqual([item]);
  else expect(await asOf.sentiment(filter, HOUR_MS)).toMatchObject([{ [item.sentiment]: 1 }]);
});
