import { describe, expect, test } from 'bun:test';
import { type Bet, EProcess, publishedEValue } from './e-value.ts';

const units = (r: number): number => Math.round(r * 1e4);

function evidenceOf(results: readonly number[], maxR = 3): number {
  const evidence = new EProcess();
  for (const r of results) evidence.settle(evidence.open(maxR), units(r));
  return evidence.now().eValue;
}

/** All bets begin before the first ends. */
function overlapping(results: readonly number[], maxR: number): number {
  const evidence = new EProcess();
  const bets = results.map(() => evidence.open(maxR));
  bets.forEach((bet, index) => {
    evidence.settle(bet, units(results[index]!));
  });
  return evidence.now().eValue;
}

const stakesOf = ({ stakes }: Bet): readonly number[] => [...stakes];

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

  test('matches the examples of docs/reference/signals.md', () => {
    expect(evidenceOf([2, -1, 1.5], 3)).toBeCloseTo(1.26004, 12);
    expect(evidenceOf([2, -1, 1.5], 2)).toBe(evidenceOf([2, -1, 1.5], 3));
    expect(overlapping([1, 1], 1)).toBeCloseTo(1.2107, 4);
  });

  test('limits a result to 10 R', () => {
    expect(evidenceOf([11], 10)).toBe(evidenceOf([10], 10));
  });

  test('stakes at most what leaves a reserve of target + 2 R for every open bet', () => {
    const evidence = new EProcess();
    const [first, second, third] = [stakesOf(evidence.open(1)), stakesOf(evidence.open(8)), stakesOf(evidence.open(1))];
    expect(first[9]).toBe(0.2);
    // min(0.02, (1 − 3 · 0.02) / 10) and min(0.2, (1 − 3 · 0.2) / 10).
    expect([second[0], second[9]]).toEqual([0.02, expect.closeTo(0.04, 12)]);
    expect(third[9]).toBeCloseTo(0, 12);
    // A far target holds more than a fifth of the wealth.
    expect(stakesOf(new EProcess().open(10))[9]).toBeCloseTo(1 / 12, 12);
  });

  test('frees the reserve when a bet ends, with and without a result', () => {
    const evidence = new EProcess();
    const [first, second] = [evidence.open(10), evidence.open(10)];
    evidence.settle(first, null);
    evidence.settle(second, null);
    expect(evidence.now().eValue).toBe(1);
    expect(stakesOf(evidence.open(10))).toEqual(stakesOf(new EProcess().open(10)));
  });

  test('counts losses in full: all open bets may lose target + 2 R at once', () => {
    for (const count of [1, 2, 10, 50]) {
      const value = overlapping(Array<number>(count).fill(-3), 1);
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThan(0.7);
    }
  });

  test('ruins only the fractions that lose more than they have, for good', () => {
    // 1 − 6λ is below 0 for 0.18 and 0.2.
    const left = [0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16].map((fraction) => 1 - 6 * fraction);
    expect(evidenceOf([-6])).toBeCloseTo(left.reduce((sum, wealth) => sum + wealth) / 10, 12);
    const evidence = new EProcess();
    const [lost, open] = [evidence.open(1), evidence.open(1)];
    evidence.settle(lost, units(-6));
    evidence.settle(open, units(10));
    for (let count = 0; count < 200; count++) evidence.settle(evidence.open(1), units(1));
    const { eValue, maxWealth } = evidence.now();
    // Without the two that are ruined, the others go on.
    expect(maxWealth).toBeGreaterThan(eValue);
    expect(stakesOf(evidence.open(1)).slice(8)).toEqual([0, 0]);
    expect(evidenceOf([-51, ...Array<number>(500).fill(10)])).toBe(0);
  });

  test('values open bets without ending them', () => {
    const evidence = new EProcess();
    const bet = evidence.open(1);
    expect(evidence.now([{ bet, units: -10_000 }]).eValue).toBeCloseTo(0.89, 12);
    expect(evidence.now([{ bet, units: -510_000 }])).toEqual({ eValue: 0, maxWealth: 0 });
    expect(evidence.now()).toEqual({ eValue: 1, maxWealth: 1 });
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
