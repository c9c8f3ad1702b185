// Exponential and logarithm with the same bits on every machine. Those of the runtime come from the platform's library and
// may differ in the last bit, which is enough to round a price to another tick. Only additions, multiplications and divisions
// are used here: their results are defined exactly. Relative errors are below 1e-15.

/** The logarithm of 2 in two parts: multiples of the first, which has 21 zero bits at its end, are exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
/** Prices and volatilities are far from these powers of two. */
const MAX_EXPONENT = 1000;

/** 2^(index − MAX_EXPONENT). */
const POWERS_OF_TWO = new Float64Array(2 * MAX_EXPONENT + 1);
POWERS_OF_TWO[MAX_EXPONENT] = 1;
for (let at = 1; at <= MAX_EXPONENT; at++) {
  POWERS_OF_TWO[MAX_EXPONENT + at] = POWERS_OF_TWO[MAX_EXPONENT + at - 1]! * 2;
  POWERS_OF_TWO[MAX_EXPONENT - at] = POWERS_OF_TWO[MAX_EXPONENT - at + 1]! / 2;
}

// Coefficients of the series, which are written out because loops are several times slower. On the reduced interval, further
// terms are below the last bit.
const E2 = 1 / 2;
const E3 = 1 / 6;
const E4 = 1 / 24;
const E5 = 1 / 120;
const E6 = 1 / 720;
const E7 = 1 / 5_040;
const E8 = 1 / 40_320;
const E9 = 1 / 362_880;
const E10 = 1 / 3_628_800;
const E11 = 1 / 39_916_800;
const E12 = 1 / 479_001_600;
const E13 = 1 / 6_227_020_800;
const E14 = 1 / 87_178_291_200;
const L3 = 1 / 3;
const L5 = 1 / 5;
const L7 = 1 / 7;
const L9 = 1 / 9;
const L11 = 1 / 11;
const L13 = 1 / 13;
const L15 = 1 / 15;
const L17 = 1 / 17;
const L19 = 1 / 19;
const L21 = 1 / 21;
const L23 = 1 / 23;
const L25 = 1 / 25;

/** e^x. For |x| up to 690. */
export function exp(x: number): number {
  const power = Math.floor(x / Math.LN2 + 0.5);
  const rest = x - power * LN2_HIGH - power * LN2_LOW;
  let sum = E14 * rest + E13;
  sum = sum * rest + E12;
  sum = sum * rest + E11;
  sum = sum * rest + E10;
  sum = sum * rest + E9;
  sum = sum * rest + E8;
  sum = sum * rest + E7;
  sum = sum * rest + E6;
  sum = sum * rest + E5;
  sum = sum * rest + E4;
  sum = sum * rest + E3;
  sum = sum * rest + E2;
  sum = sum * rest + 1;
  sum = sum * rest + 1;
  return sum * POWERS_OF_TWO[MAX_EXPONENT + power]!;
}

/** The natural logarithm of a positive number. */
export function log(x: number): number {
  let mantissa = x;
  let power = 0;
  for (; mantissa > Math.SQRT2; power++) mantissa *= 0.5;
  for (; mantissa < Math.SQRT1_2; power--) mantissa *= 2;
  // log m = 2 artanh((m − 1) / (m + 1))
  const ratio = (mantissa - 1) / (mantissa + 1);
  const square = ratio * ratio;
  let sum = L25 * square;
  sum = (sum + L23) * square;
  sum = (sum + L21) * square;
  sum = (sum + L19) * square;
  sum = (sum + L17) * square;
  sum = (sum + L15) * square;
  sum = (sum + L13) * square;
  sum = (sum + L11) * square;
  sum = (sum + L9) * square;
  sum = (sum + L7) * square;
  sum = (sum + L5) * square;
  sum = (sum + L3) * square;
  return power * LN2_HIGH + (2 * ratio * (1 + sum) + power * LN2_LOW);
}

/** x^y for a positive x. */
export const pow = (x: number, y: number): number => exp(y * log(x));
