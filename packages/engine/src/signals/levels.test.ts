import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Levels } from './levels.ts';

describe('levels', () => {
  test('come off nearest first, and only those that were reached', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 })), fc.integer({ min: -60, max: 60 }), (keys, probe) => {
        const levels = new Levels<number>();
        for (const [owner, key] of keys.entries()) levels.push({ key, owner });
        const taken: number[] = [];
        for (let level = levels.reached(probe); level; level = levels.reached(probe)) taken.push(level.key);
        const ordered = keys.toSorted((a, b) => a - b);
        expect(taken).toEqual(ordered.filter((key) => key <= probe));
        expect(levels.nearest).toBe(ordered.find((key) => key > probe) ?? Number.POSITIVE_INFINITY);
        expect(levels.size).toBe(keys.length - taken.length);
      }),
    );
  });

  test('what is kept stays in order, whatever was dropped and pushed in between', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer(), fc.boolean())), fc.array(fc.integer()), (first, second) => {
        const levels = new Levels<boolean>();
        for (const [key, owner] of first) levels.push({ key, owner });
        levels.keep(({ owner }) => owner);
        for (const key of second) levels.push({ key, owner: true });
        const taken: number[] = [];
        const all = Number.POSITIVE_INFINITY;
        for (let level = levels.reached(all); level; level = levels.reached(all)) taken.push(level.key);
        const kept = [...first.filter(([, owner]) => owner).map(([key]) => key), ...second];
        expect(taken).toEqual(kept.toSorted((a, b) => a - b));
        expect(levels.nearest).toBe(all);
      }),
    );
  });

  test('an unknown price reaches nothing', () => {
    const levels = new Levels<null>();
    levels.push({ key: 1, owner: null });
    expect(levels.reached(Number.NaN)).toBeNull();
  });
});
