// E. B. Wilson's interval for a proportion (1927): honest where the sample is small or the proportion near 0 or 1, where the
// textbook interval leaves 0…1 or shrinks to nothing.
import { Z_95_TWO_SIDED } from './normal.ts';

/** 95 % interval of the true proportion after `wins` in `n` tries, n ≥ 1. */
export function wilsonInterval(wins: number, n: number): readonly [low: number, high: number] {
  const zz = Z_95_TWO_SIDED ** 2;
  const middle = (wins + zz / 2) / (n + zz);
  const reach = (Z_95_TWO_SIDED / (n + zz)) * Math.sqrt((wins * (n - wins)) / n + zz / 4);
  return [Math.max(0, middle - reach), Math.min(1, middle + reach)];
}
