// Price arithmetic. Prices are converted to integer ticks to be compared or subtracted and are plain numbers everywhere else.

const POWERS = Array.from({ length: 16 }, (_, digits) => 10 ** digits);

/** Price in whole ticks of 10^-digits. */
export const toTicks = (price: number, digits: number): number => Math.round(price * POWERS[digits]!);

/** Price of a number of ticks. Prints with at most `digits` decimals, because division by a power of ten rounds correctly. */
export const fromTicks = (ticks: number, digits: number): number => ticks / POWERS[digits]!;

export const roundTo = (value: number, digits: number): number => Math.round(value * POWERS[digits]!) / POWERS[digits]!;

/** Whether a price has no more decimals than the instrument, allowing for floating-point noise. */
export function fitsDigits(price: number, digits: number): boolean {
  const scaled = price * POWERS[digits]!;
  return Math.abs(scaled - Math.round(scaled)) < 1e-6 * Math.max(1, Math.abs(scaled) * 1e-6);
}

/** Removes the floating-point noise of summed sizes (beyond the eighth decimal), and −0. */
export const roundSize = (size: number): number => Math.round(size * 1e8) / 1e8 + 0;
