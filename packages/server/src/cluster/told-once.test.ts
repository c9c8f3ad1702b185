import { expect, test } from 'bun:test';
import type { Batch, JournalEvent } from '../journal/journal.ts';
import { newsEvent } from '../testing/news.fixture.ts';
import { ToldOnce } from './told-once.ts';

const signal = (n: number): JournalEvent =>
  ({ kind: 'signal', n, symbol: 'EURUSD', publisher: 'pub_1', signal: { id: `sig_${n}` } }) as unknown as JournalEvent;
const batch = (firstSeq: number, ...events: JournalEvent[]): Batch => ({ firstSeq, source: '', events });
const kinds = ({ events }: Batch) => events.map((event) => ('n' in event ? event.n : event.kind));

test('a record of the signal log is told once, and the numbers of what stands around it stay', () => {
  const once = new ToldOnce(4);
  expect(kinds(once.pass(batch(1, signal(4), signal(5))))).toEqual(['news_cluster', 5]);
  expect(kinds(once.pass(batch(3, signal(5), signal(6), signal(5))))).toEqual(['news_cluster', 6, 'news_cluster']);
  expect(once.newest).toBe(6);
});

test('a news item is told once in each state', () => {
  const once = new ToldOnce(0);
  const item = newsEvent('a');
  const revised = newsEvent('a', { revision: 1, title: 'Another' });
  const told = [item, item, revised, revised, newsEvent('b')].map((event) => kinds(once.pass(batch(1, event)))[0]);
  expect(told).toEqual(['news', 'news_cluster', 'news', 'news_cluster', 'news']);
});

test('a batch without repetition is handed on as it is', () => {
  const given = batch(1, signal(1), newsEvent('a'));
  expect(new ToldOnce(0).pass(given)).toBe(given);
});
