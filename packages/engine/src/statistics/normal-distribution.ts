// The standard normal distribution.

/** 95 % of the distribution is below this. */
export const Z_95_ONE_SIDED = 1.6448536269514722;
/** 95 % of the distribution is within ± this. */
export const Z_95_TWO_SIDED = 1.959963984540054;

/** Beyond this, the tail is smaller than the last bit of a number near 1. */
const TAIL_LIMIT = 8.5;

/** Probability of a value below z: ½ + φ(z) · (z + z³/3 + z⁵/(3·5) + …). Absolute error of about 1e-15. */
export function normalCdf(z: number): number {
  if (z > TAIL_LIMIT) return 1;
  if (z < -TAIL_LIMIT) return 0;
  let sum = z;
  let term = z;
  // Ends when a term no longer changes the sum, or when the sum is NaN.
  for (let odd = 3, before = 0; Math.abs(sum - before) > 0; odd += 2) {
    before = sum;
    term *= (z * z) / odd;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}
