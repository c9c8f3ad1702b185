import { expect, test } from 'bun:test';
import { groupByHeight } from './signal-markers.ts';

test('signals closer than the height of a marker are one group, from top to bottom', () => {
  const items = [
    { y: 100, item: 'c' },
    { y: 10, item: 'a' },
    { y: 30, item: 'b' },
    { y: 120, item: 'd' },
  ];
  expect(groupByHeight(items, 24)).toEqual([
    { y: 10, items: ['a', 'b'] },
    { y: 100, items: ['c', 'd'] },
  ]);
});
