import { expect, test } from 'bun:test';
import { alertEvent } from '../../../testing/alerts.fixture.ts';
import { calendarEvent } from '../../../testing/calendar.fixture.ts';
import { newsEvent } from '../../../testing/news.fixture.ts';
import type { Batch, JournalEvent } from '../../journal/journal.ts';
import { Deduplicator } from './deduplicator.ts';

const signal = (n: number): JournalEvent =>
  ({ kind: 'signal', n, symbol: 'EURUSD', publisher: 'pub_1', signal: { id: `sig_${n}` } }) as unknown as JournalEvent;
const batch = (firstSeq: number, ...events: JournalEvent[]): Batch => ({ firstSeq, source: '', events });
const kinds = ({ events }: Batch) => events.map((event) => ('n' in event ? event.n : event.kind));

test('delivers a record of the signal log once, and keeps the numbers of the events around it', () => {
  const once = new Deduplicator(4);
  expect(kinds(once.filter(batch(1, signal(4), signal(5))))).toEqual(['noop', 5]);
  expect(kinds(once.filter(batch(3, signal(5), signal(6), signal(5))))).toEqual(['noop', 6, 'noop']);
  expect(once.newest).toBe(6);
});

test('delivers a news item once in each state', () => {
  const once = new Deduplicator(0);
  const item = newsEvent('a');
  const revised = newsEvent('a', { revision: 1, title: 'Another' });
  const told = [item, item, revised, revised, newsEvent('b')].map((event) => kinds(once.filter(batch(1, event)))[0]);
  expect(told).toEqual(['news', 'noop', 'news', 'noop', 'news']);
});

test('delivers a revision of a calendar event once, and none that follows a later one', () => {
  const once = new Deduplicator(0);
  const event = (id: string, revision: number): JournalEvent => ({
    kind: 'calendar',
    item: calendarEvent(id, 1, { revision }),
    change: revision === 1 ? 'added' : 'revised',
  });
  const given = [event('a', 1), event('a', 1), event('a', 3), event('a', 2), event('a', 3), event('b', 1)];
  expect(given.map((each) => kinds(once.filter(batch(1, each)))[0])).toEqual([
    ...(['calendar', 'noop', 'calendar', 'noop', 'noop', 'calendar'] as const),
  ]);
});

test('delivers a firing of an alert once', () => {
  const once = new Deduplicator(0);
  const given = ['a', 'a', 'b', 'a'].map((id) => alertEvent(id));
  expect(given.map((each) => kinds(once.filter(batch(1, each)))[0])).toEqual(['alert', 'noop', 'alert', 'noop']);
});

test('returns a batch without duplicates unchanged', () => {
  const given = batch(1, signal(1), newsEvent('a'));
  expect(new Deduplicator(0).filter(given)).toBe(given);
});
