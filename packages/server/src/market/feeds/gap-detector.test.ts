import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { GapDetector, type IdGap } from './gap-detector.ts';

describe('GapDetector', () => {
  test('accepts each id once and reports the missing ones, in any order and with any duplicates', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 100, max: 140 }), { minLength: 1, maxLength: 120 }), (ids) => {
        const detector = new GapDetector(() => {});
        const accepted = ids.filter((id) => detector.accept(id, id, 0));
        const [first] = ids;
        const wanted = new Set(ids.filter((id) => id >= first!));
        // Ids below the first one seen are history: they fill no gap.
        expect(accepted.length).toBe(wanted.size);
        expect(new Set(accepted)).toEqual(wanted);
        const missing: number[] = [];
        for (let id = first!; id <= Math.max(...wanted); id++) if (!wanted.has(id)) missing.push(id);
        const gaps = detector.gaps.flatMap(({ from, to }) =>
          Array.from({ length: to - from + 1 }, (_, at) => from + at),
        );
        expect(gaps).toEqual(missing);
      }),
    );
  });

  test('reports a gap as lost once', () => {
    const lost: IdGap[] = [];
    const detector = new GapDetector((gap) => lost.push(gap));
    detector.accept(1, 100, 0);
    detector.accept(5, 500, 7);
    const [gap] = detector.gaps;
    detector.giveUp(gap!);
    detector.giveUp(gap!);
    expect(lost).toEqual([{ from: 2, to: 4, detectedAt: 7, afterTime: 100 }]);
    expect(detector.gaps).toEqual([]);
    expect(detector.accept(3, 300, 8)).toBe(false);
  });

  test('marks a gap as declared, in all its parts, if the loss was declared before it was detected', () => {
    const detector = new GapDetector(() => {});
    detector.accept(1, 100, 0);
    detector.declareLoss();
    detector.accept(5, 500, 7);
    detector.accept(3, 300, 7);
    detector.accept(8, 800, 9);
    expect(detector.gaps.map(({ from, to, declared }) => [from, to, declared])).toEqual([
      [2, 2, true],
      [4, 4, true],
      [6, 7, undefined],
    ]);
  });

  test('forgets a declared loss if the next trade opens no gap', () => {
    const detector = new GapDetector(() => {});
    detector.accept(1, 100, 0);
    detector.declareLoss();
    detector.accept(2, 200, 0);
    detector.accept(4, 400, 0);
    expect(detector.gaps[0]).not.toHaveProperty('declared');
  });
});
