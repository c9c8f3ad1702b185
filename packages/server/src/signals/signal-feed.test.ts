import { describe, expect, test } from 'bun:test';
import { SignalList } from '@tickwire/contract';
import type { JournalEvent } from '../journal/journal.ts';
import { closedEvent, signalEvent } from '../testing/signals.fixture.ts';
import { SignalFeed } from './signal-feed.ts';

function feedOf(...events: JournalEvent[]): SignalFeed {
  const feed = new SignalFeed();
  feed.read({ firstSeq: 1, events });
  return feed;
}
const ids = (feed: SignalFeed, query: Partial<Parameters<SignalFeed['list']>[0]> = {}): string[] =>
  feed.list({ status: 'all', symbol: undefined, limit: 50, ...query }).map(({ id }) => id);

describe('the signal feed', () => {
  const one = signalEvent('one');
  const two = signalEvent('two', 'XAUUSD');
  const three = signalEvent('three');

  test('shows the newest first', () => {
    expect(ids(feedOf(one, two, three))).toEqual(['three', 'two', 'one']);
  });

  test('a closed signal keeps its place and changes its status, once', () => {
    const feed = feedOf(one, two, closedEvent(one), closedEvent(one));
    expect(ids(feed)).toEqual(['two', 'one']);
    expect(ids(feed, { status: 'active' })).toEqual(['two']);
    expect(ids(feed, { status: 'closed' })).toEqual(['one']);
    expect(feed.active).toBe(1);
  });

  test('filters by symbol in any case; an unknown one gives nothing', () => {
    const feed = feedOf(one, two, three);
    expect(ids(feed, { symbol: 'eurusd' })).toEqual(['three', 'one']);
    expect(ids(feed, { symbol: 'NOSUCH' })).toEqual([]);
  });

  test('limits after filtering', () => {
    const feed = feedOf(one, closedEvent(one), two, three);
    expect(ids(feed, { status: 'active', limit: 1 })).toEqual(['three']);
    expect(ids(feed, { status: 'closed', limit: 1 })).toEqual(['one']);
  });

  test('what it lists is what the contract says', () => {
    const items = feedOf(one, two, closedEvent(two)).list({ status: 'all', symbol: undefined, limit: 50 });
    expect(SignalList.parse({ items, count: 2 }).items).toStrictEqual(items);
  });

  test('events of markets do not concern it', () => {
    expect(ids(feedOf({ kind: 'clock', time: 0 as never }))).toEqual([]);
  });
});
