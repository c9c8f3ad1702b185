import { describe, expect, test } from 'bun:test';
import type { NewsDetail, NewsQuery } from '@tickwire/contract';
import type { JournalEvent } from '../journal/journal.ts';
import { newsEvent } from '../testing/news.fixture.ts';
import { NewsFeed } from './news-feed.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 2, 11, minute)).toISOString();
const item = (id: string, minute: number, changes: Partial<NewsDetail> = {}): JournalEvent =>
  newsEvent(id, { title: id, timestamp: at(minute), ...changes });
function feedOf(...events: JournalEvent[]): NewsFeed {
  const feed = new NewsFeed();
  for (const event of events) feed.read({ firstSeq: 1, source: '', events: [event] });
  return feed;
}
const list = (feed: NewsFeed, query: Partial<NewsQuery> = {}) =>
  feed.list({ category: undefined, symbol: undefined, since: undefined, detail: false, limit: 20, ...query });
const titles = (feed: NewsFeed, query: Partial<NewsQuery> = {}): string[] =>
  list(feed, query).map(({ title }) => title);

describe('the news feed', () => {
  test('is ordered by timestamp, newest first, in whatever order items come', () => {
    expect(titles(feedOf(item('b', 2), item('c', 3), item('a', 1)))).toEqual(['c', 'b', 'a']);
  });

  test('of two with the same time the one that came later stands first', () => {
    expect(titles(feedOf(item('first', 1), item('second', 1)))).toEqual(['second', 'first']);
  });

  test('filters by one or more categories, then limits', () => {
    const gold = { category: 'gold' as const };
    const feed = feedOf(item('m', 1), item('g', 2, gold), item('c', 3, { category: 'crypto' }), item('g2', 4, gold));
    expect(titles(feed, { category: ['gold'] })).toEqual(['g2', 'g']);
    expect(titles(feed, { category: ['gold', 'macro'] })).toEqual(['g2', 'g', 'm']);
    expect(titles(feed, { category: ['gold', 'macro'], limit: 1 })).toEqual(['g2']);
    expect(titles(feed, { category: ['forex'] })).toEqual([]);
  });

  test('filters by the instruments that are mentioned and by time', () => {
    const feed = feedOf(
      item('a', 1, { symbols: ['XAUUSD'] }),
      item('b', 2, { symbols: ['EURUSD', 'XAUUSD'] }),
      item('c', 3),
    );
    expect(titles(feed, { symbol: 'xauusd' })).toEqual(['b', 'a']);
    expect(titles(feed, { symbol: 'NOSUCH' })).toEqual([]);
    expect(titles(feed, { since: Date.parse(at(1)) })).toEqual(['c', 'b']);
  });

  test('a revision takes the place of what it revises, and a cluster grows in place', () => {
    const feed = feedOf(item('a', 1), item('b', 2), item('a', 1, { title: 'a, updated', revision: 1 }), {
      kind: 'news_cluster',
      id: 'b',
      cluster: 3,
    });
    expect(titles(feed)).toEqual(['b', 'a, updated']);
    expect(list(feed, { detail: true })).toMatchObject([{ cluster: 3 }, { revision: 1 }]);
  });

  test('shows the documented fields alone unless asked for more', () => {
    const documented = ['title', 'category', 'sentiment', 'sentiment_score', 'timestamp'];
    expect(Object.keys(list(feedOf(item('a', 1)))[0]!)).toEqual(documented);
    expect(Object.keys(list(feedOf(item('a', 1)), { detail: true })[0]!)).toContain('model');
  });

  test('keeps the newest two thousand', () => {
    const feed = feedOf(...Array.from({ length: 2_100 }, (_, minute) => item(String(minute), minute)));
    const kept = titles(feed, { limit: 10_000 });
    expect(kept).toHaveLength(2_000);
    expect([kept[0], kept.at(-1)]).toEqual(['2099', '100']);
  });
});
