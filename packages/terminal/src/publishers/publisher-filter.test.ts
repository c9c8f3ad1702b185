import { expect, test } from 'bun:test';
import { isNarrowed, NO_FILTER, optionsOf, orderOf, parseFilter, searchOf, sortedBy } from './publisher-filter.ts';

test('keeps a filter in the address', () => {
  const search = '?symbol=XAUUSD&period=90&min_decisions=30&max_drawdown=10&status=ranked&sort=total_r&order=asc';
  expect(searchOf(parseFilter(search))).toBe(search);
  expect(searchOf(NO_FILTER)).toBe('');
});

test('ignores values that the service would reject', () => {
  expect(parseFilter('?period=31&min_decisions=-1&max_drawdown=x&status=best&sort=luck&order=up')).toEqual(NO_FILTER);
});

test('asks the service only for what was chosen', () => {
  expect(optionsOf(NO_FILTER)).toEqual({ sort: 'rank' });
  expect(optionsOf(parseFilter('?period=30&status=losing&max_drawdown=5&order=desc'))).toEqual({
    sort: 'rank',
    period: 30,
    status: ['losing'],
    max_drawdown: 5,
    order: 'desc',
  });
});

test('sorts by a column in its usual order first, then in the other one', () => {
  const byTotal = sortedBy(NO_FILTER, 'total_r');
  expect([byTotal.sort, orderOf(byTotal)]).toEqual(['total_r', 'desc']);
  expect(orderOf(sortedBy(byTotal, 'total_r'))).toBe('asc');
  expect(orderOf(sortedBy(sortedBy(byTotal, 'total_r'), 'total_r'))).toBe('desc');
  expect(orderOf(sortedBy(byTotal, 'max_drawdown_r'))).toBe('asc');
});

test('a period or an order leaves nobody out', () => {
  expect(isNarrowed(parseFilter('?period=30&sort=name'))).toBe(false);
  expect(isNarrowed(parseFilter('?status=ranked'))).toBe(true);
});
