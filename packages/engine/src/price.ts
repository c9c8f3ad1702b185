// Prices as integer ticks of the instrument, where they are compared or subtracted; numbers everywhere else.

const POWERS = Array.from({ length: 16 }, (_, digits) => 10 ** digits);

/** Price in whole ticks of 10^-digits. */
export const toTicks = (price: number, digits: number): number => Math.round(price * POWERS[digits]!);

/** The number that prints as a price with at most `digits` decimals: division by a power of ten rounds correctly. */
export const fromTicks = (ticks: number, digits: number): number => ticks / POWERS[digits]!;

export const roundTo = (value: number, digits: number): number => Math.round(value * POWERS[digits]!) / POWERS[digits]!;

/** Whether a price has no more decimals than the instrument. Off by more than float noise means finer. */
export function fitsDigits(price: number, digits: number): boolean {
  const scaled = price * POWERS[digits]!;
  return Math.abs(scaled - Math.round(scaled)) < 1e-6 * Math.max(1, Math.abs(scaled) * 1e-6);
}

/** Sums of sizes gather float noise past the eighth decimal; none leaves the service, and no −0 either. */
export const roundSize = (size: number): number => Math.round(size * 1e8) / 1e8 + 0;
