import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { placeLabels } from './place-labels.ts';

test('leaves labels with room where they are', () => {
  expect(placeLabels([100, 20, 60], 14, 200)).toEqual([100, 20, 60]);
});

test('moves near ones apart, and away from both edges', () => {
  expect(placeLabels([50, 52, 54], 14, 200)).toEqual([50, 64, 78]);
  expect(placeLabels([198, 199], 14, 200)).toEqual([179, 193]);
  expect(placeLabels([-20, 0], 14, 200)).toEqual([7, 21]);
});

test('no two overlap and none is outside, however near the levels are', () => {
  const level = fc.double({ min: -50, max: 350, noNaN: true });
  fc.assert(
    fc.property(fc.array(level, { maxLength: 10 }), (wanted) => {
      const placed = placeLabels(wanted, 14, 220).sort((one, other) => one - other);
      for (const [index, at] of placed.entries()) {
        expect(at).toBeGreaterThanOrEqual(7 - 1e-9);
        expect(at).toBeLessThanOrEqual(213 + 1e-9);
        if (index > 0) expect(at - placed[index - 1]!).toBeGreaterThanOrEqual(14 - 1e-9);
      }
    }),
  );
});
