import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { NewsDetail, NewsItem, NewsQuery } from '@tickwire/contract';
import { newsEvent } from '../../testing/news.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import type { JournalEvent, NewsEvent } from '../journal/journal.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { NewsFeed } from './news-feed.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 2, 11, minute)).toISOString();
const item = (id: string, minute: number, changes: Partial<NewsDetail> = {}): NewsEvent =>
  newsEvent(id, { title: id, timestamp: at(minute), ...changes });
const unasked = async (): Promise<never> => {
  throw new Error('Memory has all of it, and the store was asked');
};
function feedOf(...events: JournalEvent[]): NewsFeed {
  const feed = new NewsFeed({ store: { item: unasked, pageAfter: unasked, publishedAt: unasked }, except: null });
  for (const event of events) feed.read({ firstSeq: 1, source: '', events: [event] });
  return feed;
}
const list = (feed: NewsFeed, query: Partial<NewsQuery> = {}): (NewsItem | NewsDetail)[] =>
  feed.list({ detail: false, limit: 20, ...query }) as NewsItem[];
const titles = (feed: NewsFeed, query: Partial<NewsQuery> = {}): string[] =>
  list(feed, query).map(({ title }) => title);

describe('the news feed', () => {
  test('is ordered by timestamp, newest first, for any order of arrival', () => {
    expect(titles(feedOf(item('b', 2), item('c', 3), item('a', 1)))).toEqual(['c', 'b', 'a']);
  });

  test('orders items of the same time by descending id, for any order of arrival and after revisions', () => {
    const three = [item('b', 1), item('c', 1), item('a', 1)];
    expect(titles(feedOf(...three))).toEqual(['c', 'b', 'a']);
    expect(titles(feedOf(...three, item('a', 1, { revision: 1 })))).toEqual(['c', 'b', 'a']);
  });

  test('filters by one or more categories, then limits', () => {
    const gold = { category: 'gold' as const };
    const feed = feedOf(item('m', 1), item('g', 2, gold), item('c', 3, { category: 'crypto' }), item('g2', 4, gold));
    expect(titles(feed, { category: ['gold'] })).toEqual(['g2', 'g']);
    expect(titles(feed, { category: ['gold', 'macro'] })).toEqual(['g2', 'g', 'm']);
    expect(titles(feed, { category: ['gold', 'macro'], limit: 1 })).toEqual(['g2']);
    expect(titles(feed, { category: ['forex'] })).toEqual([]);
  });

  test('filters by mentioned instruments and by time', () => {
    const feed = feedOf(
      item('a', 1, { symbols: ['XAUUSD'] }),
      item('b', 2, { symbols: ['EURUSD', 'XAUUSD'] }),
      item('c', 3),
    );
    expect(titles(feed, { symbol: 'xauusd' })).toEqual(['b', 'a']);
    expect(titles(feed, { symbol: 'NOSUCH' })).toEqual([]);
    expect(titles(feed, { since: Date.parse(at(1)) })).toEqual(['c', 'b']);
  });

  test('a revision replaces its item, and a cluster grows in place', () => {
    const feed = feedOf(item('a', 1), item('b', 2), item('a', 1, { title: 'a, updated', revision: 1 }), {
      kind: 'news_cluster',
      id: 'b',
      cluster: 3,
    });
    expect(titles(feed)).toEqual(['b', 'a, updated']);
    expect(list(feed, { detail: true })).toMatchObject([{ cluster: 3 }, { revision: 1 }]);
  });

  test('returns only the basic fields without `detail`', () => {
    const documented = ['title', 'category', 'sentiment', 'sentiment_score', 'timestamp'];
    expect(Object.keys(list(feedOf(item('a', 1)))[0]!)).toEqual(documented);
    expect(Object.keys(list(feedOf(item('a', 1)), { detail: true })[0]!)).toContain('model');
  });

  test('keeps the newest two thousand in memory and reads the rest from the store', async () => {
    const feed = feedOf(...Array.from({ length: 2_100 }, (_, minute) => item(String(minute), minute)));
    const kept = titles(feed, { limit: 2_000 });
    expect(kept).toHaveLength(2_000);
    expect([kept[0], kept.at(-1)]).toEqual(['2099', '100']);
    expect(async () => await feed.list({ detail: false, limit: 2_001 })).toThrow('the store was asked');
  });
});

describe('paging', () => {
  const five = ['a', 'b', 'c', 'd', 'e'].map((id, minute) => item(id, minute));

  test('by id returns the items after it, by time the older ones; an unknown id returns none', () => {
    const feed = feedOf(...five);
    expect(titles(feed, { before: 'd', limit: 2 })).toEqual(['c', 'b']);
    expect(titles(feed, { before: Date.parse(at(3)) })).toEqual(['c', 'b', 'a']);
    expect(titles(feed, { before: Date.parse(at(3)) + 1 })).toEqual(['d', 'c', 'b', 'a']);
    expect(titles(feed, { before: 'nobody' })).toEqual([]);
    expect(titles(feed, { before: 'a' })).toEqual([]);
  });

  test('`from` is inclusive, `to`, `since` and `before` are exclusive', () => {
    const feed = feedOf(...five);
    const [second, fourth] = [Date.parse(at(1)), Date.parse(at(3))];
    expect(titles(feed, { from: second, to: fourth })).toEqual(['c', 'b']);
    expect(titles(feed, { since: second, before: fourth })).toEqual(['c']);
    expect(titles(feed, { from: second, before: 'd' })).toEqual(['c', 'b']);
    expect(titles(feed, { to: second, before: 'e' })).toEqual(['a']);
    expect(titles(feed, { from: fourth, to: second })).toEqual([]);
  });
});

describe('beyond memory', () => {
  let folder: string;
  let store: Store;
  beforeEach(() => {
    folder = temporaryFolder();
    store = openSqliteStore({ folder, realm: 'live', exclusive: true });
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const SYMBOLS = ['EURUSD', 'XAUUSD', 'BTCUSD'];
  const CATEGORIES = ['forex', 'gold', 'crypto'] as const;
  /** Nine items per minute, in an order that is neither by time nor by id. */
  const events = Array.from({ length: 2_700 }, (_, n) => {
    const index = (n * 1_733) % 2_700;
    const [symbols, category] = [[SYMBOLS[index % 3]!], CATEGORIES[index % 3]!];
    return item(`${(index * 7_919) % 2_700}`, Math.floor(index / 9), { symbols, category });
  });
  async function told(except: string | null = null): Promise<NewsFeed> {
    await store.news.put(
      events.map((event, index) => ({ item: event.item, seenAt: index, knownAt: index, guid: null })),
    );
    const feed = new NewsFeed({ store: store.news, except });
    feed.read({ firstSeq: 1, source: '', events });
    return feed;
  }
  async function paged(feed: NewsFeed, query: Partial<NewsQuery>): Promise<string[]> {
    const found: string[] = [];
    for (;;) {
      const before = found.at(-1);
      const page = await feed.list({ detail: true, limit: 50, ...query, ...(before !== undefined && { before }) });
      if (page.length === 0) return found;
      found.push(...page.map((each) => (each as NewsDetail).id));
    }
  }
  const inOrder = (wanted: (item: NewsDetail) => boolean): string[] =>
    events
      .map((event) => event.item)
      .filter(wanted)
      .sort((a, b) => (a.timestamp === b.timestamp ? (a.id < b.id ? 1 : -1) : a.timestamp < b.timestamp ? 1 : -1))
      .map(({ id }) => id);

  test('pages contain every item once and in order, across the memory limit and equal times', async () => {
    const feed = await told();
    expect(await paged(feed, { limit: 7 })).toEqual(inOrder(() => true));
    expect(await paged(feed, { limit: 199 })).toEqual(inOrder(() => true));
    expect(await paged(feed, { symbol: 'xauusd' })).toEqual(inOrder(({ symbols }) => symbols.includes('XAUUSD')));
    expect(await paged(feed, { category: ['crypto', 'forex'], limit: 11 })).toEqual(
      inOrder(({ category }) => category !== 'gold'),
    );
    const [from, to] = [Date.parse(at(40)), Date.parse(at(120))];
    expect(await paged(feed, { from, to })).toEqual(
      inOrder(({ timestamp }) => timestamp >= at(40) && timestamp < at(120)),
    );
  });

  test('pages are the same after a restart', async () => {
    await told();
    const feed = new NewsFeed({ store: store.news, except: null });
    feed.restore(
      (await store.news.newest(2_000)).map((stored) => stored.item),
      true,
    );
    expect(await paged(feed, { limit: 13 })).toEqual(inOrder(() => true));
  });

  test('a time range that is fully in memory is not read from the store', async () => {
    const feed = await told();
    expect(feed.list({ detail: true, limit: 20 })).toBeArray();
    expect(feed.list({ detail: true, limit: 200, from: Date.parse(at(290)) })).toBeArray();
    expect(feed.list({ detail: true, limit: 200, to: Date.parse(at(20)) })).toBeInstanceOf(Promise);
  });

  test('a hidden source is not read from the store either', async () => {
    expect(await (await told('a wire')).list({ detail: true, limit: 5, to: Date.parse(at(20)) })).toEqual([]);
  });
});
