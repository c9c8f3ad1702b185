import { expect, test } from 'bun:test';
import { ordered } from './ranking.ts';
import { GOLDSMITH, NORTH_DESK } from './track-record.fixture.ts';

const third = { ...GOLDSMITH, name: 'Aster', average_r: -0.5, rank: 1 };
const all = [NORTH_DESK, GOLDSMITH, third];
const names = (column: number, down: boolean): string[] => ordered(all, { column, down }).map(({ name }) => name);

test('without a choice the order of the service stays', () => {
  expect(ordered(all, null)).toEqual(all);
});

test('names go by the alphabet, in any case', () => {
  expect(names(0, false)).toEqual(['Aster', 'goldsmith', 'north-desk']);
});

test('what has no value is last, whichever way it is sorted', () => {
  const perSignal = 3;
  expect(names(perSignal, true)).toEqual(['goldsmith', 'Aster', 'north-desk']);
  expect(names(perSignal, false)).toEqual(['Aster', 'goldsmith', 'north-desk']);
});
