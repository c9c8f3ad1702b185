import { expect, test } from 'bun:test';
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

test('returns a batch without duplicates unchanged', () => {
  const given = batch(1, signal(1), newsEvent('a'));
  expect(new Deduplicator(0).filter(given)).toBe(given);
});
