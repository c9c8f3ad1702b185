import { expect, test } from 'bun:test';
import { addressOf, type SearchEntry, type SearchIndex, search } from './search.ts';

const entries: readonly SearchEntry[] = [
  ['section', 'Close codes', 'WebSocket', 1, 'close-codes'],
  ['endpoint', 'GET /api/quotes', 'Get the current quotes of several instruments', 0, 'get-quotes'],
  ['endpoint', 'POST /api/signals', 'Publish a signal', 0, 'post-publishSignal'],
  ['message', 'MarketTick', 'A price update', 1, 'message-MarketTick'],
  ['error', 'no_quote', 'No quote yet', 1, 'error-no_quote'],
  ['field', 'quote', 'MarketResponse', 0, 'resource-MarketResponse'],
  ['field', 'take_profit', 'SignalRequest', 0, 'resource-SignalRequest'],
  ['parameter', 'symbols', 'GET /api/quotes', 0, 'get-quotes'],
];
const index: SearchIndex = { pages: ['/docs/market', '/docs/streams'], entries };
const titles = (query: string): string[] => search(index, query).map(([, title]) => title);

test('finds endpoints, messages, fields, parameters and errors by their names', () => {
  expect(titles('take_profit')).toEqual(['take_profit']);
  expect(titles('profit')).toEqual(['take_profit']);
  expect(titles('tick')).toEqual(['MarketTick']);
  expect(titles('/api/sig')).toEqual(['POST /api/signals']);
  expect(titles('no_quote')).toEqual(['no_quote']);
});

test('requires every word, in the title or in the detail', () => {
  expect(titles('publish signal')).toEqual(['POST /api/signals']);
  expect(titles('publish price')).toEqual([]);
  expect(titles('  ')).toEqual([]);
});

test('shows the best match of the title first', () => {
  // A whole word of the name, a field of that name, the start of a word, the detail.
  expect(titles('quote')).toEqual(['no_quote', 'quote', 'GET /api/quotes', 'symbols']);
});

test('has the address of an entry', () => {
  expect(addressOf(index, search(index, 'tick')[0]!)).toBe('/docs/streams#message-MarketTick');
});
