import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { PublishLevels } from '../frame/publish-levels.ts';
import {
  atMarket,
  flip,
  hasPreset,
  moveLevel,
  newLevels,
  problemOf,
  ratioOf,
  removeTarget,
  togglePreset,
  withRisk,
} from './publish-levels.ts';

const buy = newLevels(1.1, 1.09, 5);

describe('levels of a signal', () => {
  test('start with a target of two R, in the direction of the stop', () => {
    expect(buy).toEqual({ direction: 'buy', entry: 1.1, stop: 1.09, targets: [1.12] });
    expect(newLevels(1.1, 1.11, 5)).toEqual({ direction: 'sell', entry: 1.1, stop: 1.11, targets: [1.08] });
    expect(ratioOf(buy, 1.12)).toBeCloseTo(2, 9);
    expect(ratioOf(buy, buy.stop)).toBeCloseTo(-1, 9);
  });

  test('change their direction if the stop is moved across the entry', () => {
    const sell = moveLevel(buy, 'stop', 1.105, 5);
    expect(sell).toEqual({ direction: 'sell', entry: 1.1, stop: 1.105, targets: [1.08] });
    expect(ratioOf(sell, 1.08)).toBeCloseTo(4, 9);
    expect(flip(flip(buy, 5), 5)).toEqual(buy);
  });

  test('move together with the entry', () => {
    expect(moveLevel(buy, 'entry', 1.2, 5)).toEqual({ direction: 'buy', entry: 1.2, stop: 1.19, targets: [1.22] });
  });

  test('a target stays on its side, and targets stay in order', () => {
    expect(moveLevel(buy, 0, 1.05, 5).targets).toEqual([1.10001]);
    const three = togglePreset(togglePreset(buy, 1, 5), 3, 5);
    expect(three.targets).toEqual([1.11, 1.12, 1.13]);
    expect(moveLevel(three, 0, 1.125, 5).targets).toEqual([1.12, 1.125, 1.13]);
  });

  test('presets add, remove and replace targets; the last one stays', () => {
    expect([1, 2, 3].map((ratio) => hasPreset(buy, ratio))).toEqual([false, true, false]);
    expect(togglePreset(buy, 2, 5)).toEqual(buy);
    expect(togglePreset(togglePreset(buy, 1, 5), 2, 5).targets).toEqual([1.11]);
    const full: PublishLevels = { ...buy, targets: [1.114, 1.12, 1.13] };
    expect(togglePreset(full, 1, 5).targets).toEqual([1.11, 1.12, 1.13]);
    expect([removeTarget(full, 1).targets, removeTarget(buy, 0).targets]).toEqual([[1.114, 1.13], [1.12]]);
  });

  test('a preset moves a target that the market has moved away from it, instead of adding another', () => {
    for (const ask of [1.099, 1.101]) {
      const drifted = atMarket(buy, { bid: ask, ask });
      expect(hasPreset(drifted, 2)).toBe(false);
      const { targets } = togglePreset(drifted, 2, 5);
      expect(targets).toHaveLength(1);
      expect(ratioOf(drifted, targets[0]!)).toBeCloseTo(2, 2);
      expect(togglePreset(drifted, 1, 5).targets).toHaveLength(2);
    }
  });

  test('of a market order follow the market with the entry only, and say when the market has passed them', () => {
    const moved = atMarket(buy, { bid: 1.1049, ask: 1.105 });
    expect(moved).toEqual({ ...buy, entry: 1.105 });
    expect(atMarket(flip(buy, 5), { bid: 1.1049, ask: 1.105 }).entry).toBe(1.1049);
    expect(problemOf(moved)).toBe('');
    expect(problemOf(atMarket(buy, { bid: 1.0899, ask: 1.09 }))).toBe('The stop must be below the entry.');
    expect(problemOf(atMarket(buy, { bid: 1.1199, ask: 1.12 }))).toBe('Targets must be above the entry.');
    expect(problemOf({ ...flip(buy, 5), entry: 1.2 })).toBe('The stop must be above the entry.');
  });

  test('keep their multiples of the risk when the stop gets another distance', () => {
    const two = togglePreset(buy, 1, 5);
    expect(withRisk(two, 0.02, 5)).toEqual({ direction: 'buy', entry: 1.1, stop: 1.08, targets: [1.12, 1.14] });
    expect(withRisk(flip(two, 5), 0.02, 5)).toEqual({
      ...{ direction: 'sell', entry: 1.1, stop: 1.12, targets: [1.08, 1.06] },
    });
    expect(withRisk(buy, 2, 5)).toEqual(buy);
  });

  test('are valid after whatever moves', () => {
    const price = fc.integer({ min: 100, max: 900 }).map((ticks) => ticks / 100);
    const move = fc.tuple(fc.constantFrom<'stop' | number>('stop', 0, 1, 2), price, fc.nat(3));
    fc.assert(
      fc.property(fc.array(move, { maxLength: 20 }), (moves) => {
        let levels = newLevels(5, 4.5, 2);
        for (const [name, to, preset] of moves) {
          levels = typeof name === 'number' && name >= levels.targets.length ? levels : moveLevel(levels, name, to, 2);
          if (preset > 0) levels = togglePreset(levels, preset, 2);
          const sign = levels.direction === 'buy' ? 1 : -1;
          expect(sign * (levels.entry - levels.stop)).toBeGreaterThan(0);
          expect(levels.targets.length).toBeGreaterThan(0);
          expect(levels.targets.length).toBeLessThanOrEqual(3);
          for (const [at, target] of levels.targets.entries())
            expect(sign * (target - (levels.targets[at - 1] ?? levels.entry))).toBeGreaterThan(0);
        }
      }),
    );
  });
});
