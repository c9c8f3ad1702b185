import { describe, expect, test } from 'bun:test';
import type { NewsItem } from '@tickwire/contract';
import { NewsFeed } from './news-feed.ts';

const item = (title: string, minute: number, category: NewsItem['category'] = 'macro'): NewsItem => ({
  title,
  category,
  sentiment: 'neutral',
  sentiment_score: 0,
  timestamp: new Date(Date.UTC(2026, 2, 2, 11, minute)).toISOString(),
});
function feedOf(...items: NewsItem[]): NewsFeed {
  const feed = new NewsFeed();
  for (const each of items) feed.add(each);
  return feed;
}
const titles = (feed: NewsFeed, query: Partial<Parameters<NewsFeed['list']>[0]> = {}): string[] =>
  feed.list({ category: undefined, limit: 20, ...query }).map(({ title }) => title);

describe('the news feed', () => {
  test('is ordered by timestamp, newest first, in whatever order items come', () => {
    expect(titles(feedOf(item('b', 2), item('c', 3), item('a', 1)))).toEqual(['c', 'b', 'a']);
  });

  test('of two with the same time the one that came later stands first', () => {
    expect(titles(feedOf(item('first', 1), item('second', 1)))).toEqual(['second', 'first']);
  });

  test('filters by one or more categories, then limits', () => {
    const feed = feedOf(item('m', 1), item('g', 2, 'gold'), item('c', 3, 'crypto'), item('g2', 4, 'gold'));
    expect(titles(feed, { category: ['gold'] })).toEqual(['g2', 'g']);
    expect(titles(feed, { category: ['gold', 'macro'] })).toEqual(['g2', 'g', 'm']);
    expect(titles(feed, { category: ['gold', 'macro'], limit: 1 })).toEqual(['g2']);
    expect(titles(feed, { category: ['forex'] })).toEqual([]);
  });

  test('keeps the newest two thousand', () => {
    const feed = new NewsFeed();
    for (let minute = 0; minute < 2_100; minute++) feed.add(item(String(minute), minute));
    const kept = titles(feed, { limit: 10_000 });
    expect(kept).toHaveLength(2_000);
    expect([kept[0], kept.at(-1)]).toEqual(['2099', '100']);
  });
});
