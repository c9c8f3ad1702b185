// How many lots lose a given share of an account if the stop is hit.
import type { InstrumentSpec } from './instrument.ts';
import { toTicks } from './price.ts';

export interface RiskInput {
  readonly entry: number;
  readonly stopLoss: number;
  readonly balance: number;
  /** Percent of the balance. */
  readonly riskPercent: number;
  /** Units of the account's currency for one unit of the instrument's. */
  readonly rate: number;
}

export interface PositionSize {
  readonly lots: number;
  /** Contract units: lots × contract size. */
  readonly units: number;
  /** What is lost if the stop is hit at its price, in the account's currency and in percent of the balance. */
  readonly risk: number;
  readonly riskPercent: number;
  readonly lossPerLot: number;
  /** Which limit of the instrument decided, if one did. */
  readonly limitedBy: 'min_lot' | 'max_lot' | null;
}

/** Rounded down to a multiple of the smallest lot, so that the risk is never exceeded. 0 if even that would exceed it. */
export function positionSize(spec: InstrumentSpec, input: RiskInput): PositionSize {
  const { digits, contractSize, minLot, maxLot } = spec;
  const { entry, stopLoss, balance, riskPercent, rate } = input;
  const distance = Math.abs(toTicks(entry, digits) - toTicks(stopLoss, digits)) / 10 ** digits;
  const lossPerLot = distance * contractSize * rate;
  const affordable = (balance * riskPercent) / 100 / lossPerLot;
  // A hair more than a whole number of steps below it is that number: 0.3 / 0.1 is 2.9999999999999996.
  const steps = Math.floor(affordable / minLot + 1e-9);
  const largest = Math.floor(maxLot / minLot + 1e-9);
  const lots = decimal(Math.min(steps, largest) * minLot);
  const risk = lots * lossPerLot;
  return {
    lots,
    units: decimal(lots * contractSize),
    risk: decimal(risk, 2),
    riskPercent: decimal((100 * risk) / balance, 4),
    lossPerLot: decimal(lossPerLot, 4),
    limitedBy: steps < 1 ? 'min_lot' : steps > largest ? 'max_lot' : null,
  };
}

/** Without the noise of binary fractions: 0.07 × 3 is 0.21. */
const decimal = (value: number, places = 8): number => Number(value.toFixed(places));
