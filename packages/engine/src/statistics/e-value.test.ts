import { describe, expect, test } from 'bun:test';
import { EProcess, publishedEValue } from './e-value.ts';

function evidenceOf(results: readonly number[]): number {
  const evidence = new EProcess();
  for (const r of results) evidence.settle(evidence.open(), Math.round(r * 1e4));
  return evidence.value();
}

describe('e-value', () => {
  test('starts at 1', () => {
    expect(evidenceOf([])).toBe(1);
  });

  test('is the mean wealth of ten fractions', () => {
    // Mean of 1.02 … 1.20, and of 0.98 … 0.80.
    expect(evidenceOf([1])).toBeCloseTo(1.11, 12);
    expect(evidenceOf([-1])).toBeCloseTo(0.89, 12);
    // Mean of (1 + 2λ)(1 − λ) = 1 + λ − 2λ², with mean λ = 0.11 and mean λ² = 0.0154.
    expect(evidenceOf([2, -1])).toBeCloseTo(1.0792, 12);
  });

  test('matches the example of docs/signals.md', () => {
    expect(evidenceOf([2, -1, 1.5])).toBeCloseTo(1.26004, 12);
  });

  test('limits a result to 10 R, and is 0 for good after one below −5 R', () => {
    expect(evidenceOf([11])).toBe(evidenceOf([10]));
    expect(evidenceOf([-5])).toBeCloseTo(0.45, 12);
    expect(evidenceOf([-5.0001])).toBe(0);
    expect(evidenceOf([...Array<number>(50).fill(10), -6, ...Array<number>(500).fill(10)])).toBe(0);
  });

  test('values open bets without ending them', () => {
    const evidence = new EProcess();
    const bet = evidence.open();
    expect(evidence.value([{ stakes: bet, units: -10_000 }])).toBeCloseTo(0.89, 12);
    expect(evidence.value([{ stakes: bet, units: -50_001 }])).toBe(0);
    expect(evidence.value()).toBe(1);
    evidence.settle(bet, null);
    expect(evidence.value()).toBe(1);
  });

  test('bets only what is not reserved for five risks of every open bet', () => {
    const evidence = new EProcess();
    const first = evidence.open();
    const second = evidence.open();
    // λ · (1 − 5λ): 0.02 · 0.9, …, 0.2 · 0.
    expect([first[0], second[9]]).toEqual([0.02, 0]);
    expect(second[0]).toBeCloseTo(0.018, 12);
    evidence.settle(first, 10_000);
    evidence.settle(second, 10_000);
    // 1 + mean λ + mean λ (1 − 5λ) = 1 + 0.11 + 0.11 − 5 · 0.0154, less than 1.11² or the mean of (1 + λ)² = 1.2354.
    expect(evidence.value()).toBeCloseTo(1.143, 12);
    // All bets are free again.
    expect(evidence.open()[0]).toBeCloseTo(0.02 * 1.038, 12);
  });

  test('cannot fall below 0, however many bets lose five risks', () => {
    const evidence = new EProcess();
    const bets = Array.from({ length: 50 }, () => evidence.open());
    for (const bet of bets) evidence.settle(bet, -50_000);
    expect(evidence.value()).toBeGreaterThanOrEqual(0);
    expect(evidence.value()).toBeLessThan(0.01);
  });

  test('stays finite after 5,000 wins, and then falls with losses', () => {
    const wins = Array<number>(5_000).fill(10);
    expect(evidenceOf(wins)).toBeCloseTo(1e300, -290);
    expect(evidenceOf([...wins, -1])).toBeCloseTo(0.89e300, -290);
  });

  test('is published with four significant digits, at most 1e12', () => {
    expect([0, 1, 19.99949, 0.000123456, 123_456.7, 9.99996e11, 1e300].map(publishedEValue)).toEqual([
      0, 1, 20, 0.0001235, 123_500, 1e12, 1e12,
    ]);
  });
});
