import { expect, test } from 'bun:test';
import { GOLDSMITH, NORTH_DESK } from '../../testing/track-record.ts';
import { ordered } from './ranking.tsx';

const third = { ...GOLDSMITH, name: 'Aster', average_r: -0.5, rank: 1 };
const all = [NORTH_DESK, GOLDSMITH, third];
const names = (column: number, down: boolean): string[] => ordered(all, { column, down }).map(({ name }) => name);

test('keeps the order of the service by default', () => {
  expect(ordered(all, null)).toEqual(all);
});

test('sorts names alphabetically, ignoring case', () => {
  expect(names(0, false)).toEqual(['Aster', 'goldsmith', 'north-desk']);
});

test('puts records without a value last in both orders', () => {
  const perSignal = 3;
  expect(names(perSignal, true)).toEqual(['goldsmith', 'Aster', 'north-desk']);
  expect(names(perSignal, false)).toEqual(['Aster', 'goldsmith', 'north-desk']);
});
