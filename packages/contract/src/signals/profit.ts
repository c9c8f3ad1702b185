// Profit and loss of a signal, computed exactly with integers, so that every machine gets the same figures. Prices are in
// whole ticks (price × 10^digits), fractions of the position in units of 1e-4; results are in pips, percent and R, rounded to
// four decimals.
import type { RulesVersion } from './records.ts';
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

const abs = (value: bigint): bigint => (value < 0n ? -value : value);

/** A part of the position that exits at one price. */
export interface ExitPart {
  /** In units of 1e-4 of the position. */
  readonly fraction: number;
  /** Ticks. */
  readonly price: number;
}

export interface ProfitInput {
  readonly rules: RulesVersion;
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

/** Measured from the worse of the declared entry and the fill, against the risk as published (version 1: from that entry). */
export function profitOf(input: ProfitInput): Profit {
  const { rules, entry, stopLoss, digits, pipSize } = input;
  const { base, gain } = gainOf(input);
  const pip = BigInt(Math.round(pipSize * 10 ** PIP_PLACES));
  const risk = abs((rules === 1 ? base : BigInt(entry)) - BigInt(stopLoss));
  const whole = BigInt(WHOLE);
  return {
    pnl: roundedRatio(gain * 10n ** BigInt(PIP_PLACES - digits), pip * whole),
    pnl_percent: roundedRatio(100n * gain, base * whole),
    pnl_r: roundedRatio(gain, risk * whole),
  };
}

/** R for ranking, under rules version 2: the risk is at least ten spreads of the accepted quote. `spread` is in ticks. */
export function rankingR(input: ProfitInput, spread: number): number {
  const risk = Math.max(Math.abs(input.entry - input.stopLoss), MIN_RISK_SPREADS * spread);
  return roundedRatio(gainOf(input).gain, BigInt(risk) * BigInt(WHOLE));
}

/** The weighted mean of all exits, as a price: exact, with at most four decimals more than the instrument. */
export function meanExitPrice(exits: readonly ExitPart[], digits: number): number {
  const sum = exits.reduce((total, { fraction, price }) => total + BigInt(fraction) * BigInt(price), 0n);
  const places = digits + DECIMALS;
  const text = sum.toString().padStart(places + 1, '0');
  return Number(`${text.slice(0, -places)}.${text.slice(-places)}`);
}

/** Gain in ticks × 1e-4 of the position. */
function gainOf({ direction, entry, entryPrice, exits }: ProfitInput): { base: bigint; gain: bigint } {
  const buy = direction === 'buy';
  const base = BigInt(buy ? Math.max(entry, entryPrice) : Math.min(entry, entryPrice));
  const moved = exits.reduce((sum, { fraction, price }) => sum + BigInt(fraction) * (BigInt(price) - base), 0n);
  return { base, gain: buy ? moved : -moved };
}
