// Profit and loss of a signal, computed exactly with integers, so that every machine gets the same figures. Prices are in
// whole ticks (price × 10^digits), fractions of the position in units of 1e-4; results are in pips, percent and R, rounded to
// four decimals.
import type { Direction } from './schemas.ts';

const DECIMALS = 4;
/** Maximum number of decimal places of a pip size. */
const PIP_PLACES = 12;
/** A whole position, in units of its fractions. */
export const WHOLE = 10_000;
/** For ranking, the risk is at least this many spreads of the accepted quote. */
const MIN_RISK_SPREADS = 10;

/** numerator / denominator, rounded to four decimals from the exact quotient; halves are rounded away from zero. */
export function roundedRatio(numerator: bigint, denominator: bigint): number {
  const negative = numerator < 0n !== denominator < 0n;
  const [n, d] = [abs(numerator) * 10n ** BigInt(DECIMALS), abs(denominator)];
  const rounded = Number((2n * n + d) / (2n * d)) / 10 ** DECIMALS;
  return negative && rounded !== 0 ? -rounded : rounded;
}

/**
 * The same of numerator / (denominator × the whole position), for safe integers. Nearly all are small enough to be exact without
 * `bigint`, which takes twenty times as long.
 */
function ratioOf(numerator: number, denominator: number): number {
  const [n, d] = [Math.abs(numerator) * 10 ** DECIMALS, Math.abs(denominator) * WHOLE];
  const [dividend, divisor] = [2 * n + d, 2 * d];
  if (d === 0 || dividend > Number.MAX_SAFE_INTEGER || divisor > Number.MAX_SAFE_INTEGER)
    return roundedRatio(BigInt(numerator), BigInt(denominator) * BigInt(WHOLE));
  const rounded = (dividend - (dividend % divisor)) / divisor / 10 ** DECIMALS;
  return numerator < 0 !== denominator < 0 && rounded !== 0 ? -rounded : rounded;
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);

/** A part of the position that exits at one price. */
export interface ExitPart {
  /** In units of 1e-4 of the position. */
  readonly fraction: number;
  /** Ticks. */
  readonly price: number;
}

export interface ProfitInput {
  readonly direction: Direction;
  /** Prices in whole ticks. */
  readonly entry: number;
  readonly entryPrice: number;
  readonly stopLoss: number;
  /** All exits: their fractions add up to the whole position. */
  readonly exits: readonly ExitPart[];
  readonly digits: number;
  readonly pipSize: number;
}

export interface Profit {
  readonly pnl: number;
  readonly pnl_percent: number;
  readonly pnl_r: number;
}

export const NO_PROFIT: Profit = { pnl: 0, pnl_percent: 0, pnl_r: 0 };

/** Measured from the worse of the declared entry and the fill, against the risk as published. */
export function profitOf(input: ProfitInput): Profit {
  const { digits, pipSize } = input;
  const { base, gain } = gainOf(input);
  const pip = Math.round(pipSize * 10 ** PIP_PLACES);
  const unit = 10 ** (PIP_PLACES - digits);
  const pnl =
    pip % unit === 0 && Number.isSafeInteger(gain)
      ? ratioOf(gain, pip / unit)
      : roundedRatio(exactGain(input) * BigInt(unit), BigInt(pip) * BigInt(WHOLE));
  const percent = Number.isSafeInteger(100 * gain)
    ? ratioOf(100 * gain, base)
    : roundedRatio(100n * exactGain(input), BigInt(base) * BigInt(WHOLE));
  return { pnl, pnl_percent: percent, pnl_r: resultIn(input, gain, riskOf(input)) };
}

/** Profit in R alone. */
export function profitInR(input: ProfitInput): number {
  return resultIn(input, gainOf(input).gain, riskOf(input));
}

/** R for ranking: the risk is at least ten spreads of the accepted quote. `spread` is in ticks. */
export function rankingR(input: ProfitInput, spread: number): number {
  const risk = Math.max(riskOf(input), MIN_RISK_SPREADS * spread);
  return resultIn(input, gainOf(input).gain, risk);
}

const riskOf = ({ entry, stopLoss }: ProfitInput): number => Math.abs(entry - stopLoss);

/** The gain in units of the risk. */
const resultIn = (input: ProfitInput, gain: number, risk: number): number =>
  Number.isSafeInteger(gain) ? ratioOf(gain, risk) : roundedRatio(exactGain(input), BigInt(risk) * BigInt(WHOLE));

/** The weighted mean of all exits, as a price: exact, with at most four decimals more than the instrument. */
export function meanExitPrice(exits: readonly ExitPart[], digits: number): number {
  const sum = exits.reduce((total, { fraction, price }) => total + BigInt(fraction) * BigInt(price), 0n);
  const places = digits + DECIMALS;
  const text = sum.toString().padStart(places + 1, '0');
  return Number(`${text.slice(0, -places)}.${text.slice(-places)}`);
}

/** Price from which the gain is measured, and the gain in ticks × 1e-4 of the position. One that is no safe integer is not exact. */
function gainOf({ direction, entry, entryPrice, stopLoss, exits }: ProfitInput): { base: number; gain: number } {
  const buy = direction === 'buy';
  for (const price of [entry, entryPrice, stopLoss]) requireWhole(price);
  const base = buy ? Math.max(entry, entryPrice) : Math.min(entry, entryPrice);
  let moved = 0;
  let largest = 0;
  for (const { fraction, price } of exits) {
    requireWhole(price);
    moved += fraction * (price - base);
    largest = Math.max(largest, Math.abs(fraction * (price - base)), Math.abs(moved));
  }
  return { base, gain: largest > Number.MAX_SAFE_INTEGER ? Number.POSITIVE_INFINITY : buy ? moved : -moved };
}

function requireWhole(ticks: number): void {
  if (!Number.isInteger(ticks)) throw new RangeError(`${ticks} is not a whole number of ticks`);
}

function exactGain(input: ProfitInput): bigint {
  const base = BigInt(gainOf(input).base);
  const moved = input.exits.reduce((sum, { fraction, price }) => sum + BigInt(fraction) * (BigInt(price) - base), 0n);
  return input.direction === 'buy' ? moved : -moved;
}
