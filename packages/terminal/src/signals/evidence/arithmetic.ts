// Profit and loss by docs/signals.md, exact in whole ticks: a price times 10^digits is an integer, and quotients are rounded
// once, to 4 decimals, halves away from zero.

/** A part of the position, and the price at which it exited. */
export interface TradeExit {
  /** Up to 1, with at most 4 decimals. */
  readonly fraction: number;
  readonly price: number;
}

export interface Trade {
  /** Version of the rules. */
  readonly rules: number;
  readonly direction: 'buy' | 'sell';
  readonly entry: number;
  readonly entryPrice: number;
  readonly stopLoss: number;
  /** The fractions add up to 1. */
  readonly exits: readonly TradeExit[];
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
const PLACES = 12;
/** Above this a double cannot represent ticks. */
const MOST = 1e15;

/** The decimal number times 10^places. */
function scaled(value: number, places: number): bigint {
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

function ratio(numerator: bigint, denominator: bigint): number {
  const negative = numerator < 0n !== denominator < 0n;
  const [n, d] = [size(numerator) * 10_000n, size(denominator)];
  const quotient = n / d;
  const rounded = Number(2n * (n % d) >= d ? quotient + 1n : quotient) / 10_000;
  return negative && rounded !== 0 ? -rounded : rounded;
}

const size = (value: bigint): bigint => (value < 0n ? -value : value);

/** Fractions in units of 1e-4 of the position. */
const WHOLE = 10_000n;
const shareOf = (fraction: number): bigint => scaled(fraction, 4);

/** `null` if it cannot be computed, because the pip size, the risk or the price is 0. */
export function resultOf(trade: Trade): Result | null {
  const { rules, direction, entry, entryPrice, stopLoss, exits, digits, pipSize } = trade;
  const ticks = (price: number): bigint => ticksOf(price, digits);
  const [declared, filled] = [ticks(entry), ticks(entryPrice)];
  const buy = direction === 'buy';
  const base = buy === declared > filled ? declared : filled;
  const moved = exits.reduce((sum, { fraction, price }) => sum + shareOf(fraction) * (ticks(price) - base), 0n);
  const gain = buy ? moved : -moved;
  // Version 2 measures the risk as published, whatever the fill.
  const risk = size((rules === 1 ? base : declared) - ticks(stopLoss));
  const pip = scaled(pipSize, PLACES);
  if (pip === 0n || risk === 0n || base === 0n) return null;
  return {
    pnl: ratio(gain * 10n ** BigInt(PLACES - digits), pip * WHOLE),
    pnl_percent: ratio(100n * gain, base * WHOLE),
    pnl_r: ratio(gain, risk * WHOLE),
  };
}

/** The weighted mean of the exits: exact, with at most 4 decimals more than the instrument. */
export function meanPrice(exits: readonly TradeExit[], digits: number): number {
  const sum = exits.reduce((total, { fraction, price }) => total + shareOf(fraction) * ticksOf(price, digits), 0n);
  const places = digits + 4;
  const text = sum.toString().padStart(places + 1, '0');
  return Number(`${text.slice(0, -places)}.${text.slice(-places)}`);
}
