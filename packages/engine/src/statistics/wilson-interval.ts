// The Wilson score interval of a proportion (E. B. Wilson, 1927). Unlike the normal approximation, it stays within 0…1 and is
// accurate for small samples and for proportions near 0 or 1.
import { Z_95_TWO_SIDED } from './normal-distribution.ts';

/** 95 % interval of the true proportion after `wins` in `n` trials, n ≥ 1. */
export function wilsonInterval(wins: number, n: number): readonly [low: number, high: number] {
  const zz = Z_95_TWO_SIDED ** 2;
  const centre = (wins + zz / 2) / (n + zz);
  const halfWidth = (Z_95_TWO_SIDED / (n + zz)) * Math.sqrt((wins * (n - wins)) / n + zz / 4);
  return [Math.max(0, centre - halfWidth), Math.min(1, centre + halfWidth)];
}
