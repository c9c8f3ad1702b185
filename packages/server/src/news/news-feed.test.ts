import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { NewsDetail, NewsItem, NewsQuery } from '@tickwire/contract';
import type { JournalEvent, NewsEvent } from '../journal/journal.ts';
import { openSqliteStore } from '../store/sqlite/open.ts';
import type { Store } from '../store/store.ts';
import { newsEvent } from '../testing/news.fixture.ts';
import { temporaryFolder } from '../testing/service.fixture.ts';
import { NewsFeed } from './news-feed.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 2, 11, minute)).toISOString();
const item = (id: string, minute: number, changes: Partial<NewsDetail> = {}): NewsEvent =>
  newsEvent(id, { title: id, timestamp: at(minute), ...changes });
const unasked = async (): Promise<never> => {
  throw new Error('Memory has all of it, and the store was asked');
};
function feedOf(...events: JournalEvent[]): NewsFeed {
  const feed = new NewsFeed({ store: { behind: unasked, publishedAt: unasked }, except: null });
  for (const event of events) feed.read({ firstSeq: 1, source: '', events: [event] });
  return feed;
}
const list = (feed: NewsFeed, query: Partial<NewsQuery> = {}): (NewsItem | NewsDetail)[] =>
  feed.list({ detail: false, limit: 20, ...query }) as NewsItem[];
const titles = (feed: NewsFeed, query: Partial<NewsQuery> = {}): string[] =>
  list(feed, query).map(({ title }) => title);

describe('the news feed', () => {
  test('is ordered by timestamp, newest first, in whatever order items come', () => {
    expect(titles(feedOf(item('b', 2), item('c', 3), item('a', 1)))).toEqual(['c', 'b', 'a']);
  });

  test('of the same time the greater id stands first, in whatever order they come and whatever is revised', () => {
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

  test('keeps the newest two thousand, and has the rest from the store', async () => {
    const feed = feedOf(...Array.from({ length: 2_100 }, (_, minute) => item(String(minute), minute)));
    const kept = titles(feed, { limit: 2_000 });
    expect(kept).toHaveLength(2_000);
    expect([kept[0], kept.at(-1)]).toEqual(['2099', '100']);
    expect(async () => await feed.list({ detail: false, limit: 2_001 })).toThrow('the store was asked');
  });
});

describe('paging', () => {
  const five = ['a', 'b', 'c', 'd', 'e'].map((id, minute) => item(id, minute));

  test('by id: what stands behind it; by time: what is older; an unknown id leads nowhere', () => {
    const feed = feedOf(...five);
    expect(titles(feed, { before: 'd', limit: 2 })).toEqual(['c', 'b']);
    expect(titles(feed, { before: Date.parse(at(3)) })).toEqual(['c', 'b', 'a']);
    expect(titles(feed, { before: Date.parse(at(3)) + 1 })).toEqual(['d', 'c', 'b', 'a']);
    expect(titles(feed, { before: 'nobody' })).toEqual([]);
    expect(titles(feed, { before: 'a' })).toEqual([]);
  });

  test('from and to are in the span, since and before are not', () => {
    const feed = feedOf(...five);
    const [second, fourth] = [Date.parse(at(1)), Date.parse(at(3))];
    expect(titles(feed, { from: second, to: fourth })).toEqual(['d', 'c', 'b']);
    expect(titles(feed, { since: second, before: fourth })).toEqual(['c']);
    expect(titles(feed, { from: second, before: 'd' })).toEqual(['c', 'b']);
    expect(titles(feed, { to: second, before: 'e' })).toEqual(['b', 'a']);
    expect(titles(feed, { from: fourth, to: second })).toEqual([]);
  });
});

describe('beyond what memory holds', () => {
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
  /** Nine of each minute, told in an order that is neither theirs in time nor by id. */
  const events = Array.from({ length: 2_700 }, (_, n) => {
    const index = (n * 1_733) % 2_700;
    const [symbols, category] = [[SYMBOLS[index % 3]!], CATEGORIES[index % 3]!];
    return item(`${(index * 7_919) % 2_700}`, Math.floor(index / 9), { symbols, category });
  });
  async function told(except: string | null = null): Promise<NewsFeed> {
    await store.news.put(events.map((event, index) => ({ item: event.item, seenAt: index, guid: null })));
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

  test('pages have every item once, in order, over the edge of memory and through the same times', async () => {
    const feed = await told();
    expect(await paged(feed, { limit: 7 })).toEqual(inOrder(() => true));
    expect(await paged(feed, { limit: 199 })).toEqual(inOrder(() => true));
    expect(await paged(feed, { symbol: 'xauusd' })).toEqual(inOrder(({ symbols }) => symbols.includes('XAUUSD')));
    expect(await paged(feed, { category: ['crypto', 'forex'], limit: 11 })).toEqual(
      inOrder(({ category }) => category !== 'gold'),
    );
    const [from, to] = [Date.parse(at(40)), Date.parse(at(120))];
    expect(await paged(feed, { from, to })).toEqual(
      inOrder(({ timestamp }) => timestamp >= at(40) && timestamp <= at(120)),
    );
  });

  test('a restart changes nothing of it', async () => {
    await told();
    const feed = new NewsFeed({ store: store.news, except: null });
    feed.restore(
      (await store.news.newest(2_000)).map((stored) => stored.item),
      true,
    );
    expect(await paged(feed, { limit: 13 })).toEqual(inOrder(() => true));
  });

  test('a span that memory has whole is not asked for in the store', async () => {
    const feed = await told();
    expect(feed.list({ detail: true, limit: 20 })).toBeArray();
    expect(feed.list({ detail: true, limit: 200, from: Date.parse(at(290)) })).toBeArray();
    expect(feed.list({ detail: true, limit: 200, to: Date.parse(at(20)) })).toBeInstanceOf(Promise);
  });

  test('what is not to be shown does not come from the store either', async () => {
    expect(await (await told('a wire')).list({ detail: true, limit: 5, to: Date.parse(at(20)) })).toEqual([]);
  });
});
