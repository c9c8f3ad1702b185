import { expect, test } from 'bun:test';
import type { Instrument } from '@tickwire/client';
import { distanceText } from './distance.ts';

const instrument = (type: string, pip_size: number): Instrument => ({ type, pip_size }) as Instrument;

test('a distance is in pips for forex, in points otherwise, and in percent', () => {
  expect(distanceText(1.085, 1.08623, instrument('forex', 0.0001))).toBe('+12.3 pips, +0.11%');
  expect(distanceText(1.085, 1.085, instrument('forex', 0.0001))).toBe('0.0 pips, 0.00%');
  expect(distanceText(60_000, 58_500, instrument('crypto', 1))).toBe('−1500 points, −2.50%');
});
