import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { LevelHeap } from './level-heap.ts';

describe('level heap', () => {
  test('pops the nearest level first, and only levels that were reached', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 })), fc.integer({ min: -60, max: 60 }), (keys, probe) => {
        const levels = new LevelHeap<number>();
        for (const [owner, key] of keys.entries()) levels.push({ key, owner });
        const taken: number[] = [];
        for (let level = levels.popReached(probe); level; level = levels.popReached(probe)) taken.push(level.key);
        const ordered = keys.toSorted((a, b) => a - b);
        expect(taken).toEqual(ordered.filter((key) => key <= probe));
        expect(levels.nearest).toBe(ordered.find((key) => key > probe) ?? Number.POSITIVE_INFINITY);
        expect(levels.size).toBe(keys.length - taken.length);
      }),
    );
  });

  test('keeps its order after levels are removed and added', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer(), fc.boolean())), fc.array(fc.integer()), (first, second) => {
        const levels = new LevelHeap<boolean>();
        for (const [key, owner] of first) levels.push({ key, owner });
        levels.keep(({ owner }) => owner);
        for (const key of second) levels.push({ key, owner: true });
        const taken: number[] = [];
        const all = Number.POSITIVE_INFINITY;
        for (let level = levels.popReached(all); level; level = levels.popReached(all)) taken.push(level.key);
        const kept = [...first.filter(([, owner]) => owner).map(([key]) => key), ...second];
        expect(taken).toEqual(kept.toSorted((a, b) => a - b));
        expect(levels.nearest).toBe(all);
      }),
    );
  });

  test('pops nothing for an unknown price', () => {
    const levels = new LevelHeap<null>();
    levels.push({ key: 1, owner: null });
    expect(levels.popReached(Number.NaN)).toBeNull();
  });
});
