// Profit and loss of a signal, computed exactly with integers, so that every machine gets the same figures. Prices are in
// whole ticks (price × 10^digits); results are in pips, percent and R, rounded to four decimals.
import type { Direction } from './schemas.ts';

const DECIMALS = 4;
/** Maximum number of decimal places of a pip size. */
const PIP_PLACES = 12;

/** numerator / denominator, rounded to four decimals from the exact quotient; halves are rounded away from zero. */
export function roundedRatio(numerator: bigint, denominator: bigint): number {
  const negative = numerator < 0n !== denominator < 0n;
  const [n, d] = [abs(numerator) * 10n ** BigInt(DECIMALS), abs(denominator)];
  const rounded = Number((2n * n + d) / (2n * d)) / 10 ** DECIMALS;
  return negative && rounded !== 0 ? -rounded : rounded;
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);

export interface ProfitInput {
  readonly direction: Direction;
  /** Prices in whole ticks. */
  readonly entry: number;
  readonly entryPrice: number;
  readonly stopLoss: number;
  readonly exitPrice: number;
  readonly digits: number;
  readonly pipSize: number;
}

export interface Profit {
  readonly pnl: number;
  readonly pnl_percent: number;
  readonly pnl_r: number;
}

export const NO_PROFIT: Profit = { pnl: 0, pnl_percent: 0, pnl_r: 0 };

/** Measured from the worse of the declared entry and the fill. */
export function profitOf({ direction, entry, entryPrice, stopLoss, exitPrice, digits, pipSize }: ProfitInput): Profit {
  const buy = direction === 'buy';
  const base = BigInt(buy ? Math.max(entry, entryPrice) : Math.min(entry, entryPrice));
  const gain = (buy ? 1n : -1n) * (BigInt(exitPrice) - base);
  const pip = BigInt(Math.round(pipSize * 10 ** PIP_PLACES));
  return {
    pnl: roundedRatio(gain * 10n ** BigInt(PIP_PLACES - digits), pip),
    pnl_percent: roundedRatio(100n * gain, base),
    pnl_r: roundedRatio(gain, abs(base - BigInt(stopLoss))),
  };
}
