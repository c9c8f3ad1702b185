import { expect, test } from 'bun:test';
import { match, rank } from './fuzzy.ts';

const best = (typed: string, texts: readonly string[]) =>
  rank(typed, texts, (text) => [text], 10).map(({ item }) => item);

test('all letters must be there, in their order, whatever their case', () => {
  expect(match('eud', 'EURUSD')?.at).toEqual([0, 1, 5]);
  expect(match('due', 'EURUSD')).toBeNull();
  expect(match('eurusdx', 'EURUSD')).toBeNull();
});

test('nothing typed fits everything, in the order it came', () => {
  expect(best('  ', ['b', 'a', 'c'])).toEqual(['b', 'a', 'c']);
});

test('what begins with the letters comes before what has them somewhere', () => {
  expect(best('usd', ['EURUSD', 'USDJPY', 'AUDUSD'])[0]).toBe('USDJPY');
});

test('letters that begin words beat letters within them', () => {
  expect(best('gs', ['Settings', 'Go to signals'])).toEqual(['Go to signals', 'Settings']);
  expect(match('gts', 'Go to signals')?.at).toEqual([0, 3, 6]);
});

test('letters that stand together beat scattered ones', () => {
  expect(best('gold', ['Global old index', 'Spot gold'])).toEqual(['Spot gold', 'Global old index']);
});

test('the best of several ways is marked, not the first one', () => {
  expect(match('us', 'Bus US500')?.at).toEqual([4, 5]);
});

test('of two that fit alike the shorter one is meant', () => {
  expect(best('keys', ['Keys of the account', 'Keys'])[0]).toBe('Keys');
});

test('a second text finds the item too, but the one that is shown counts more', () => {
  const items = [
    { name: 'XAUUSD', more: 'Gold' },
    { name: 'Gold', more: '' },
  ];
  const ranked = rank('gold', items, ({ name, more }) => [name, more], 10);
  expect(ranked.map(({ item }) => item.name)).toEqual(['Gold', 'XAUUSD']);
  expect(ranked[1]?.match.at).toEqual([]);
});

test('no more than were asked for come back', () => {
  expect(rank('', ['a', 'b', 'c'], (text) => [text], 2)).toHaveLength(2);
});

test('a long text and a long question take no time worth speaking of', () => {
  const started = performance.now();
  match('a'.repeat(60), 'ab'.repeat(150));
  expect(performance.now() - started).toBeLessThan(200);
});

test('who types the name of a page means the page, not what begins with its name', () => {
  const items = [['News sources'], ['Go to news', 'news']];
  expect(rank('news', items, (texts) => texts, 5)[0]?.item).toEqual(['Go to news', 'news']);
});
