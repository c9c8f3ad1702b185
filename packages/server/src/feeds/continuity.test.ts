import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Continuity, type Hole } from './continuity.ts';

describe('continuity of trade ids', () => {
  test('whatever the order and the repetitions, each id is taken once, and the holes are what is missing', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 100, max: 140 }), { minLength: 1, maxLength: 120 }), (ids) => {
        const continuity = new Continuity(() => {});
        const taken = ids.filter((id) => continuity.take(id, id, 0));
        const [first] = ids;
        const wanted = new Set(ids.filter((id) => id >= first!));
        // What comes below the first one ever seen is history: it fills no hole.
        expect(taken.length).toBe(wanted.size);
        expect(new Set(taken)).toEqual(wanted);
        const missing: number[] = [];
        for (let id = first!; id <= Math.max(...wanted); id++) if (!wanted.has(id)) missing.push(id);
        const holes = continuity.holes.flatMap(({ from, to }) =>
          Array.from({ length: to - from + 1 }, (_, at) => from + at),
        );
        expect(holes).toEqual(missing);
      }),
    );
  });

  test('a hole that cannot be filled is given up once', () => {
    const lost: Hole[] = [];
    const continuity = new Continuity((hole) => lost.push(hole));
    continuity.take(1, 100, 0);
    continuity.take(5, 500, 7);
    const [hole] = continuity.holes;
    continuity.abandon(hole!);
    continuity.abandon(hole!);
    expect(lost).toEqual([{ from: 2, to: 4, since: 7, afterTime: 100 }]);
    expect(continuity.holes).toEqual([]);
    expect(continuity.take(3, 300, 8)).toBe(false);
  });

  test('a hole whose loss was declared before it showed is known as such, in all its pieces; the next one is not', () => {
    const continuity = new Continuity(() => {});
    continuity.take(1, 100, 0);
    continuity.declare();
    continuity.take(5, 500, 7);
    continuity.take(3, 300, 7);
    continuity.take(8, 800, 9);
    expect(continuity.holes.map(({ from, to, declared }) => [from, to, declared])).toEqual([
      [2, 2, true],
      [4, 4, true],
      [6, 7, undefined],
    ]);
  });

  test('a declared loss that leaves no hole is over with the next trade', () => {
    const continuity = new Continuity(() => {});
    continuity.take(1, 100, 0);
    continuity.declare();
    continuity.take(2, 200, 0);
    continuity.take(4, 400, 0);
    expect(continuity.holes[0]).not.toHaveProperty('declared');
  });
});
