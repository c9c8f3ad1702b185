import { expect, test } from 'bun:test';
import { nextSpeed, speedText } from './speeds.ts';

test('a speed says how much of the past passes in a second', () => {
  expect([0.1, 10, 60, 900, 3_600, 'max' as const].map(speedText)).toEqual([
    '0.1×',
    '10×',
    '60× · 1 min/s',
    '900× · 15 min/s',
    '3600× · 1 h/s',
    'Max',
  ]);
});

test('faster and slower end at the ends of the list', () => {
  expect([nextSpeed(1, 1), nextSpeed(1, -1), nextSpeed('max', 1), nextSpeed(0.1, -1)]).toEqual([2, 0.5, 'max', 0.1]);
});
