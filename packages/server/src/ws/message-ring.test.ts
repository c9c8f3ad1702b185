import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { EventRing } from './message-ring.ts';

describe('message ring', () => {
  test('keeps the newest entries, reports how far it has lost, and finds the first entry after a seq', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 1000 }),
        fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 40 }),
        (capacity, before, steps) => {
          const ring = new EventRing<string>(capacity, before);
          const all: number[] = [];
          for (const step of steps) {
            const seq = (all.at(-1) ?? before) + step;
            all.push(seq);
            ring.add(seq, `item ${seq}`);
          }
          const kept = all.slice(-capacity);
          expect(ring.lostUntil).toBe(all.at(-capacity - 1) ?? before);
          for (let seq = before - 1; seq <= (all.at(-1) ?? before) + 1; seq++) {
            const found: string[] = [];
            for (let at = ring.firstAfter(seq); at < ring.end; at++) found.push(ring.itemAt(at));
            expect(found).toEqual(kept.filter((each) => each > seq).map((each) => `item ${each}`));
          }
        },
      ),
    );
  });
});
