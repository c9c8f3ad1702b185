import { expect, test } from 'bun:test';
import { decimalsOf, duration, percent, pipParts, pips, price, signedVolume, volume } from './format.ts';

test('decimals are those the number was sent with, in exponent form too', () => {
  expect([1.08345, 64210, 0.5, 1e-7, 2.5e-7, 1e21].map(decimalsOf)).toEqual([5, 0, 1, 7, 8, 0]);
});

test('a price keeps its trailing zeros', () => {
  expect(price(1.0834, 5)).toBe('1.08340');
  expect(price(null, 5)).toBe('–');
  expect(price(-37.63, 2)).toBe('−37.63');
});

test('a change that rounds to nothing has no sign', () => {
  expect([0.01234, -0.01234, 0.00001, -0.00001, 0].map(percent)).toEqual([
    '+1.23%',
    '−1.23%',
    '0.00%',
    '0.00%',
    '0.00%',
  ]);
  expect(percent(null)).toBe('–');
});

test('a spread is shown in pips', () => {
  expect(pips(0.00012, 0.0001)).toBe('1.2');
  expect(pips(11.5, 1)).toBe('11.5');
});

test('the two figures that move are those that end at the pip', () => {
  expect(pipParts(1.08345, 5, 0.0001)).toEqual(['1.08', '34', '5']);
  expect(pipParts(154.321, 3, 0.01)).toEqual(['154.', '32', '1']);
  expect(pipParts(64210.55, 2, 1)).toEqual(['64210.55', '', '']);
});

test('volumes shorten as they grow', () => {
  expect([0, 0.0123, 5.25, 812.4, 9_999, 12_345, 2_500_000].map(volume)).toEqual([
    '0.0',
    '0.012',
    '5.3',
    '812',
    '9999',
    '12.3k',
    '2.5M',
  ]);
  expect([12.5, -12.5, 0].map(signedVolume)).toEqual(['+12.5', '−12.5', '0.0']);
});

test('a duration names its two largest units', () => {
  expect([59, 3_599, 7_260, 90_000].map(duration)).toEqual(['0m', '59m', '2h 1m', '1d 1h']);
});
