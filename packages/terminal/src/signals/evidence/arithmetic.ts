// Profit and loss by docs/signals.md, exact in whole ticks: a price times 10^digits is an integer, and quotients are rounded
// once, to 4 decimals, halves away from zero.

export interface Trade {
  readonly direction: 'buy' | 'sell';
  readonly entry: number;
  readonly entryPrice: number;
  readonly stopLoss: number;
  readonly exitPrice: number;
  readonly digits: number;
  readonly pipSize: number;
}

export interface Result {
  readonly pnl: number;
  readonly pnl_percent: number;
  readonly pnl_r: number;
}

export const ZERO_RESULT: Result = { pnl: 0, pnl_percent: 0, pnl_r: 0 };

/** Pip sizes and prices in the log have at most this many decimals. */
export const PLACES = 12;
/** Above this a double cannot represent ticks. */
const MOST = 1e15;

/** The decimal number times 10^places. */
export function scaled(value: number, places: number): bigint {
  const [whole = '0', decimals = ''] = value.toFixed(PLACES).split('.');
  const exact = BigInt(whole + decimals);
  const unit = 10n ** BigInt(PLACES - places);
  // Rounded: a price of 15 digits has noise behind them.
  return (exact + unit / 2n) / unit;
}

export const ticksOf = (price: number, digits: number): bigint => scaled(price, digits);

/** Whether a price is a whole number of ticks. */
export function isWhole(price: number, digits: number): boolean {
  if (!(price > 0 && price < MOST) || !(digits >= 0 && digits <= PLACES)) return false;
  return Number(price.toFixed(digits)) === price;
}

export function ratio(numerator: bigint, denominator: bigint): number {
  const negative = numerator < 0n !== denominator < 0n;
  const [n, d] = [size(numerator) * 10_000n, size(denominator)];
  const quotient = n / d;
  const rounded = Number(2n * (n % d) >= d ? quotient + 1n : quotient) / 10_000;
  return negative && rounded !== 0 ? -rounded : rounded;
}

export const size = (value: bigint): bigint => (value < 0n ? -value : value);

/** `null` if it cannot be computed, because the pip size, the risk or the price is 0. */
export function resultOf({ direction, entry, entryPrice, stopLoss, exitPrice, digits, pipSize }: Trade): Result | null {
  const ticks = (price: number): bigint => ticksOf(price, digits);
  const [declared, filled] = [ticks(entry), ticks(entryPrice)];
  const buy = direction === 'buy';
  const base = buy === declared > filled ? declared : filled;
  const gain = buy ? ticks(exitPrice) - base : base - ticks(exitPrice);
  const [pip, risk] = [scaled(pipSize, PLACES), size(base - ticks(stopLoss))];
  if (pip === 0n || risk === 0n || base === 0n) return null;
  return {
    pnl: ratio(gain * 10n ** BigInt(PLACES - digits), pip),
    pnl_percent: ratio(100n * gain, base),
    pnl_r: ratio(gain, risk),
  };
}
