import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { asEpochMs } from '../market/time.ts';
import { Drawdown, EquityCurve, type EquityPoint, MAX_CURVE_POINTS } from './equity-curve.ts';

function curveOf(units: readonly number[]): EquityPoint[] {
  const curve = new EquityCurve();
  units.forEach((one, index) => {
    curve.add(asEpochMs(index), one, index % 3);
  });
  return curve.points();
}

/** Every point; `at` is its index. */
function allPoints(units: readonly number[]): EquityPoint[] {
  let total = 0;
  return units.map((one, index) => {
    total += one;
    return { at: asEpochMs(index), r: one / 1e4, totalR: total / 1e4, open: index % 3 };
  });
}

function maxDrawdown(points: readonly EquityPoint[]): number {
  let peak = 0;
  let deepest = 0;
  for (const { totalR } of points) {
    peak = Math.max(peak, totalR);
    deepest = Math.max(deepest, Math.round((peak - totalR) * 1e4));
  }
  return deepest;
}

/** The documented rule, applied to the complete list. */
function thinned(points: readonly EquityPoint[]): EquityPoint[] {
  if (points.length <= 500) return [...points];
  let length = 1;
  while (Math.ceil(points.length / length) > 248) length *= 2;
  const kept = new Set([points[0]!, points.at(-1)!]);
  for (let from = 0; from < points.length; from += length) {
    const totals = points.slice(from, from + length).map((point) => point.totalR);
    kept.add(points[from + totals.indexOf(Math.min(...totals))]!);
    kept.add(points[from + totals.indexOf(Math.max(...totals))]!);
  }
  let high: EquityPoint | null = null;
  let fall: { depth: number; peak: EquityPoint | null; trough: EquityPoint } | null = null;
  for (const point of points) {
    if (point.totalR > (high?.totalR ?? 0)) high = point;
    const depth = Math.round(((high?.totalR ?? 0) - point.totalR) * 1e4);
    if (depth > (fall?.depth ?? 0)) fall = { depth, peak: high, trough: point };
  }
  if (fall?.peak) kept.add(fall.peak);
  if (fall) kept.add(fall.trough);
  return [...kept].sort((a, b) => a.at - b.at);
}

const results = (min: number, max: number) =>
  fc.array(fc.integer({ min: -20_000, max: 30_000 }), { minLength: min, maxLength: max, size: 'max' });

describe('equity curve', () => {
  test('keeps every point of up to 500 signals', () => {
    fc.assert(
      fc.property(results(0, MAX_CURVE_POINTS), (units) => {
        expect(curveOf(units)).toEqual(allPoints(units));
      }),
    );
  });

  test('thins a longer curve by the documented rule to at most 500 points', () => {
    fc.assert(
      fc.property(results(450, 4000), (units) => {
        const points = curveOf(units);
        expect(points).toEqual(thinned(allPoints(units)));
        expect(points.length).toBeLessThanOrEqual(MAX_CURVE_POINTS);
        expect(points.length).toBeGreaterThanOrEqual(125);
      }),
      { numRuns: 60 },
    );
  });

  test('keeps both ends, the highest, the lowest and the largest drawdown when thinned', () => {
    fc.assert(
      fc.property(results(501, 3000), (units) => {
        const points = curveOf(units);
        const all = allPoints(units);
        const totals = all.map((point) => point.totalR);
        const kept = points.map((point) => point.totalR);
        expect(points[0]).toEqual(all[0]!);
        expect(points.at(-1)).toEqual(all.at(-1)!);
        expect(Math.max(...kept)).toBe(Math.max(...totals));
        expect(Math.min(...kept)).toBe(Math.min(...totals));
        expect(maxDrawdown(points)).toBe(maxDrawdown(all));
      }),
      { numRuns: 30 },
    );
  });

  test('keeps a drawdown inside a segment, and the first of two equal ones', () => {
    const rise = Array.from({ length: 1000 }, () => 10_000);
    // Segments of 8, 296…303 and 696…703: each fall is between the lowest and the highest point of its segment.
    rise[300] = -5000;
    rise[700] = -5000;
    const kept = curveOf(rise).map(({ at }) => Number(at));
    expect(kept.filter((at) => at > 296 && at < 303)).toEqual([299, 300]);
    expect(kept.filter((at) => at > 696 && at < 703)).toEqual([]);
    expect(curveOf(rise)).toEqual(thinned(allPoints(rise)));
  });

  test('merges segments at exactly the documented lengths', () => {
    const wave = (n: number) => Array.from({ length: n }, (_, i) => Math.round(20_000 * Math.sin(i * i)));
    for (const n of [500, 501, 502, 991, 992, 993, 1984, 1985, 3968, 3969, 3970, 31_744, 31_745])
      expect(curveOf(wave(n))).toEqual(thinned(allPoints(wave(n))));
  });
});

describe('drawdown', () => {
  const depthOf = (totals: readonly number[]): number => {
    const drawdown = new Drawdown();
    for (const total of totals) drawdown.add({ total });
    return drawdown.depth;
  };

  test('is measured from the highest previous total, starting at 0', () => {
    expect(depthOf([])).toBe(0);
    expect(depthOf([1, 2, 3])).toBe(0);
    expect(depthOf([-2, -3, 4])).toBe(3);
    expect(depthOf([5, 1, 6, 3, 7])).toBe(4);
    expect(depthOf([5, 3, 4, 0, 9])).toBe(5);
  });
});
