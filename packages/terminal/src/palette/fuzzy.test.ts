import { expect, test } from 'bun:test';
import { match, rank } from './fuzzy.ts';

const best = (typed: string, texts: readonly string[]) =>
  rank(typed, texts, (text) => [text], 10).map(({ item }) => item);

test('requires all letters in order, regardless of case', () => {
  expect(match('eud', 'EURUSD')?.at).toEqual([0, 1, 5]);
  expect(match('due', 'EURUSD')).toBeNull();
  expect(match('eurusdx', 'EURUSD')).toBeNull();
});

test('an empty input matches everything in the given order', () => {
  expect(best('  ', ['b', 'a', 'c'])).toEqual(['b', 'a', 'c']);
});

test('ranks a text that starts with the letters first', () => {
  expect(best('usd', ['EURUSD', 'USDJPY', 'AUDUSD'])[0]).toBe('USDJPY');
});

test('ranks letters at the start of words above letters within them', () => {
  expect(best('gs', ['Settings', 'Go to signals'])).toEqual(['Go to signals', 'Settings']);
  expect(match('gts', 'Go to signals')?.at).toEqual([0, 3, 6]);
});

test('ranks adjacent letters above scattered ones', () => {
  expect(best('gold', ['Global old index', 'Spot gold'])).toEqual(['Spot gold', 'Global old index']);
});

test('marks the best match, not the first one', () => {
  expect(match('us', 'Bus US500')?.at).toEqual([4, 5]);
});

test('ranks the shorter of two equal matches first', () => {
  expect(best('keys', ['Keys of the account', 'Keys'])[0]).toBe('Keys');
});

test('also matches other texts, with a lower weight than the displayed one', () => {
  const items = [
    { name: 'XAUUSD', more: 'Gold' },
    { name: 'Gold', more: '' },
  ];
  const ranked = rank('gold', items, ({ name, more }) => [name, more], 10);
  expect(ranked.map(({ item }) => item.name)).toEqual(['Gold', 'XAUUSD']);
  expect(ranked[1]?.match.at).toEqual([]);
});

test('returns at most the requested number', () => {
  expect(rank('', ['a', 'b', 'c'], (text) => [text], 2)).toHaveLength(2);
});

test('handles long texts and inputs', () => {
  expect(match('a'.repeat(60), 'ab'.repeat(150))?.at).toHaveLength(60);
});

test('ranks an exact other text above a text that only starts with the input', () => {
  const items = [['News sources'], ['Go to news', 'news']];
  expect(rank('news', items, (texts) => texts, 5)[0]?.item).toEqual(['Go to news', 'news']);
});

/** Some of the commands, with what else finds them. */
const COMMANDS = [
  ['Go to markets', 'markets'],
  ['Go to signals', 'signals'],
  ['Go to settings', 'settings'],
  ['Go to calendar', 'calendar'],
  ['Keyboard shortcuts'],
  ['Appearance: dark', 'theme colours'],
  ['API keys', 'settings Programs call the service with an API key. Give each program its own key.'],
  ['Snippets', 'settings Every API call, ready to paste and run.'],
  ['EURUSD', 'Euro / US dollar'],
  ['XAUUSD', 'Gold / US dollar'],
  ['USDJPY', 'US dollar / Japanese yen'],
  ['BTCUSD', 'Bitcoin / US dollar'],
  ['US500', 'US 500 index'],
];
const titles = (typed: string) => rank(typed, COMMANDS, (texts) => texts, 50).map(({ item }) => item[0]);

test.each([
  ['gold', ['XAUUSD']],
  ['btc', ['BTCUSD']],
  ['bitcoin', ['BTCUSD']],
  ['eur', ['EURUSD']],
  ['eud', ['EURUSD']],
  ['dark', ['Appearance: dark']],
  ['yen', ['USDJPY']],
  ['dol yen', ['USDJPY']],
  ['sttngs', ['Go to settings']],
  ['signl', ['Go to signals']],
  ['gts', ['Go to signals', 'Go to settings']],
  ['key', ['Keyboard shortcuts', 'API keys']],
])('%s finds what was meant and no noise', (typed, expected) => {
  expect(titles(typed)).toEqual(expected);
});

test('letters that are only scattered over a text find nothing', () => {
  for (const typed of ['asdf', 'xyz', 'news', 'stat', 'goat', 'mdl'])
    expect([typed, ...titles(typed)]).toEqual([typed]);
});

test('a single letter finds words that start with it', () => {
  expect(titles('e')).toEqual(['EURUSD', 'Snippets']);
});
