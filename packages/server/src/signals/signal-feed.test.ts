import { describe, expect, test } from 'bun:test';
import { type Signal, SignalList, type SignalQuery } from '@tickwire/contract';
import { closedEvent, signalEvent } from '../../testing/signals.fixture.ts';
import type { JournalEvent } from '../journal/journal.ts';
import type { SignalStore } from '../store/signal-store.ts';
import { SignalFeed } from './signal-feed.ts';

function feedOf(...events: JournalEvent[]): SignalFeed {
  const nowhere = new Proxy({} as SignalStore, {
    get: () => () => {
      throw new Error('the store was asked for what is in memory');
    },
  });
  const feed = new SignalFeed({
    store: nowhere,
    nameOf: (publisher) => (publisher === 'pub_0001' ? 'north-desk' : undefined),
    publisherOf: (name) => (name === 'north-desk' ? 'pub_0001' : undefined),
  });
  feed.read({ firstSeq: 1, source: '', events });
  return feed;
}
const list = (feed: SignalFeed, query: Partial<SignalQuery> = {}): Signal[] =>
  feed.list({
    status: 'all',
    symbol: undefined,
    user: undefined,
    before: undefined,
    limit: 50,
    detail: false,
    ...query,
  }) as Signal[];
const ids = (feed: SignalFeed, query: Partial<SignalQuery> = {}): string[] => list(feed, query).map(({ id }) => id);

describe('SignalFeed', () => {
  const one = signalEvent('one');
  const two = signalEvent('two', 'XAUUSD');
  const three = signalEvent('three');

  test('lists the newest first', () => {
    expect(ids(feedOf(one, two, three))).toEqual(['three', 'two', 'one']);
  });

  test('keeps a closed signal in its place and changes its status once', () => {
    const feed = feedOf(one, two, closedEvent(one), closedEvent(one));
    expect(ids(feed)).toEqual(['two', 'one']);
    expect(ids(feed, { status: 'active' })).toEqual(['two']);
    expect(ids(feed, { status: 'closed' })).toEqual(['one']);
    expect(feed.active).toBe(1);
  });

  test('filters by symbol in any case; an unknown symbol gives nothing', () => {
    const feed = feedOf(one, two, three);
    expect(ids(feed, { symbol: 'eurusd' })).toEqual(['three', 'one']);
    expect(ids(feed, { symbol: 'NOSUCH' })).toEqual([]);
  });

  test('filters by publisher name or id; an unknown publisher gives nothing', () => {
    const feed = feedOf(one, { ...two, publisher: 'pub_0002' }, three);
    expect(ids(feed, { user: 'north-desk' })).toEqual(['three', 'one']);
    expect(ids(feed, { user: 'nobody' })).toEqual([]);
  });

  test('applies the limit after filtering', () => {
    const feed = feedOf(one, closedEvent(one), two, three);
    expect(ids(feed, { status: 'active', limit: 1 })).toEqual(['three']);
    expect(ids(feed, { status: 'closed', limit: 1 })).toEqual(['one']);
  });

  test('lists signals as the contract defines them', () => {
    const items = list(feedOf(one, two, closedEvent(two)));
    expect(SignalList.parse({ items, count: 2 }).items).toStrictEqual(items);
  });

  test('ignores market events', () => {
    expect(ids(feedOf({ kind: 'clock', time: 0 as never }))).toEqual([]);
  });
});
