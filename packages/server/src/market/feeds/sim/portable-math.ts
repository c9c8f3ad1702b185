// Exponential and logarithm with the same bits on every machine. Those of the runtime come from the platform's library and
// may differ in the last bit, which is enough to round a price to another tick. Only additions, multiplications and divisions
// are used here: their results are defined exactly. Relative errors are below 1e-15.

/** The logarithm of 2 in two parts: multiples of the first, which has 21 zero bits at its end, are exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
/** Terms of the series: on its reduced interval, further ones are below the last bit. */
const EXP_TERMS = 14;
const LOG_TERMS = 12;
/** Prices and volatilities are far from these powers of two. */
const MAX_EXPONENT = 1000;

/** 2^(index − MAX_EXPONENT). */
const POWERS_OF_TWO = new Float64Array(2 * MAX_EXPONENT + 1);
POWERS_OF_TWO[MAX_EXPONENT] = 1;
for (let at = 1; at <= MAX_EXPONENT; at++) {
  POWERS_OF_TWO[MAX_EXPONENT + at] = POWERS_OF_TWO[MAX_EXPONENT + at - 1]! * 2;
  POWERS_OF_TWO[MAX_EXPONENT - at] = POWERS_OF_TWO[MAX_EXPONENT - at + 1]! / 2;
}

/** 1 / n! */
const INVERSE_FACTORIALS = new Float64Array(EXP_TERMS + 1);
for (let at = 0, factorial = 1; at <= EXP_TERMS; at++, factorial *= at) INVERSE_FACTORIALS[at] = 1 / factorial;

/** e^x. For |x| up to 690. */
export function exp(x: number): number {
  const power = Math.floor(x / Math.LN2 + 0.5);
  const rest = x - power * LN2_HIGH - power * LN2_LOW;
  let sum = INVERSE_FACTORIALS[EXP_TERMS]!;
  for (let at = EXP_TERMS - 1; at >= 0; at--) sum = sum * rest + INVERSE_FACTORIALS[at]!;
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
  let sum = 0;
  for (let at = LOG_TERMS; at > 0; at--) sum = (sum + 1 / (2 * at + 1)) * square;
  return power * LN2_HIGH + (2 * ratio * (1 + sum) + power * LN2_LOW);
}

/** x^y for a positive x. */
export const pow = (x: number, y: number): number => exp(y * log(x));
