import { describe, expect, test } from 'bun:test';
import type { ActiveSignal, ClosedSignal } from '@tickwire/client';
import { matches, NO_FILTER, parseFilter, searchOf } from './feed-filter.ts';
import { FeedRows } from './feed-rows.ts';

const active = (id: string, minute: number, more: Partial<ActiveSignal> = {}): ActiveSignal => ({
  id,
  user: 'goldsmith',
  symbol: 'EURUSD',
  direction: 'buy',
  entry: 1.1,
  stop_loss: 1.09,
  take_profit: 1.12,
  status: 'active',
  timestamp: new Date(Date.UTC(2026, 2, 2, 10, minute)).toISOString(),
  ...more,
});
const closed = (id: string, minute: number): ClosedSignal => ({
  ...active(id, minute),
  status: 'closed',
  pnl: 200,
  pnl_percent: 1.8,
  pnl_r: 2,
  entry_price: 1.1,
  exit_price: 1.12,
  closed_at: '2026-03-02T11:00:00.000Z',
  close_reason: 'take_profit',
});
const ids = (list: FeedRows): string[] => list.rows.map(({ id }) => id);

describe('the filter', () => {
  test('is written to the address and read from it', () => {
    const filter = { status: 'closed', symbol: 'EURUSD', user: 'House Trend', direction: 'sell' } as const;
    expect(searchOf(filter)).toBe('?status=closed&symbol=EURUSD&user=House+Trend&direction=sell');
    expect(parseFilter(searchOf(filter))).toEqual(filter);
    expect(searchOf(NO_FILTER)).toBe('');
  });

  test('ignores invalid values in the address', () => {
    expect(parseFilter('?status=dead&direction=up&x=1')).toEqual(NO_FILTER);
  });

  test('matches instrument, direction and publisher, ignoring the case of names', () => {
    const signal = active('a', 1);
    expect(matches({ ...NO_FILTER, user: 'GoldSmith' }, signal)).toBe(true);
    expect(matches({ ...NO_FILTER, symbol: 'XAUUSD' }, signal)).toBe(false);
    expect(matches({ ...NO_FILTER, direction: 'sell' }, signal)).toBe(false);
  });
});

describe('the feed of active signals', () => {
  const loaded = (): FeedRows => {
    const list = new FeedRows(NO_FILTER);
    list.load([active('b', 2), active('a', 1)]);
    return list;
  };

  test('puts new signals on top and removes closed ones', () => {
    const list = loaded();
    expect(list.published(active('c', 3))).toBe(true);
    expect(list.closed(closed('a', 1))).toBe(true);
    expect(ids(list)).toEqual(['c', 'b']);
  });

  test('shows a signal once, even if it is reported twice', () => {
    const list = loaded();
    expect(list.published(active('b', 2))).toBe(false);
    list.hold();
    list.published(active('c', 3));
    list.published(active('c', 3));
    expect(list.waiting).toBe(1);
  });

  test('does not move while it is held: new signals wait, closed ones stay with their result', () => {
    const list = loaded();
    list.hold();
    list.published(active('c', 3));
    list.closed(closed('a', 1));
    expect(ids(list)).toEqual(['b', 'a']);
    expect(list.rows[1]!.status).toBe('closed');
    expect(list.waiting).toBe(1);
    expect(list.release()).toBe(true);
    expect(ids(list)).toEqual(['c', 'b']);
    expect(list.release()).toBe(false);
  });

  test('never shows a signal that was published and closed while the list was held', () => {
    const list = loaded();
    list.hold();
    list.published(active('c', 3));
    expect(list.closed(closed('c', 3))).toBe(true);
    expect(list.waiting).toBe(0);
    list.release();
    expect(ids(list)).toEqual(['b', 'a']);
  });
});

describe('the feed of closed signals', () => {
  test('inserts a signal that closes by its time of publication', () => {
    const list = new FeedRows({ ...NO_FILTER, status: 'closed' });
    list.load([closed('d', 4), closed('b', 2)]);
    expect(list.published(active('e', 5))).toBe(false);
    expect(list.closed(closed('c', 3))).toBe(true);
    expect(ids(list)).toEqual(['d', 'c', 'b']);
  });

  test('leaves a signal older than its last row to the next page', () => {
    const list = new FeedRows({ ...NO_FILTER, status: 'closed' });
    list.load([closed('b', 2)]);
    expect(list.closed(closed('a', 1))).toBe(false);
    list.older([closed('a', 1), closed('b', 2)]);
    expect(ids(list)).toEqual(['b', 'a']);
  });
});
