// Anytime-valid evidence for an edge: the wealth of ten gamblers who start with 1 and bet the fractions 0.02, 0.04 … 0.20 on each
// decision when it begins, and its mean. Without an edge, the mean ever reaches 20 with a probability of at most 5 %, whenever one looks
// (Ville's inequality). Rules EV1 to EV3 of docs/reference/signals.md, "Track records".
import { UNITS_PER_R } from './ranking-signal.ts';

/** The fractions are k / 50 for k from 1 to this. */
const FRACTIONS = 10;
const FRACTION_SCALE = 50;
/** A decision counts at most 10 R. */
export const MAX_R = 10;
const MAX_UNITS = MAX_R * UNITS_PER_R;
/** Reserved for each open decision, beyond the highest R that it can reach. */
const RESERVED_R = 2;
/** Greater wealth is reduced to this. The reduced wealth is never above the true one, so the guarantee holds. */
const MAX_WEALTH = 1e300;

/** Units of a decision as it counts, without the limit below. */
export const cappedUnits = (units: number): number => Math.min(units, MAX_UNITS);

/** What the ten gamblers have staked on one decision. */
export interface Bet {
  readonly stakes: Float64Array;
  /** R that are reserved for each stake. */
  readonly reserve: number;
}

/** A bet as it would end now, in units of 1e-4 R. */
export interface OpenLoss {
  readonly bet: Bet;
  readonly units: number;
}

export class EProcess {
  /** Negative if the gambler is ruined: it then counts as 0, and never changes. */
  readonly #wealth = new Float64Array(FRACTIONS).fill(1);
  /** Reserve × stake, summed over the open bets. */
  readonly #reserved = new Float64Array(FRACTIONS);

  /** Bets on a decision that begins now and can reach `maxR`. */
  open(maxR: number): Bet {
    const reserve = maxR + RESERVED_R;
    const stakes = new Float64Array(FRACTIONS);
    for (let index = 0; index < FRACTIONS; index++) {
      const wealth = this.#wealth[index]!;
      const free = (wealth - this.#reserved[index]!) / reserve;
      stakes[index] = Math.max(0, Math.min(((index + 1) / FRACTION_SCALE) * wealth, free));
      this.#reserved[index]! += reserve * stakes[index]!;
    }
    return { stakes, reserve };
  }

  /** Ends a bet with a result in units of 1e-4 R; `null` without a result. */
  settle(bet: Bet, units: number | null): void {
    for (let index = 0; index < FRACTIONS; index++)
      this.#reserved[index] = Math.max(0, this.#reserved[index]! - bet.reserve * bet.stakes[index]!);
    if (units !== null) addResult(this.#wealth, bet, units);
  }

  /** The e-value and the greatest of the ten wealths as of now. `losses` are the open bets that would lose. */
  now(losses: readonly OpenLoss[] = []): { readonly eValue: number; readonly maxWealth: number } {
    let wealth = this.#wealth;
    if (losses.length > 0) {
      wealth = wealth.slice();
      for (const { bet, units } of losses) addResult(wealth, bet, units);
    }
    let [sum, maxWealth] = [0, 0];
    for (let index = 0; index < FRACTIONS; index++) {
      sum += Math.max(0, wealth[index]!);
      maxWealth = Math.max(maxWealth, wealth[index]!);
    }
    return { eValue: sum / FRACTIONS, maxWealth };
  }
}

function addResult(wealth: Float64Array, { stakes }: Bet, units: number): void {
  const r = cappedUnits(units) / UNITS_PER_R;
  for (let index = 0; index < FRACTIONS; index++)
    if (wealth[index]! >= 0) wealth[index] = Math.min(wealth[index]! + stakes[index]! * r, MAX_WEALTH);
}

/** Greatest published e-value. */
const MAX_PUBLISHED = 1e12;

/** Rounded to four significant digits, at most 1e12. */
export const publishedEValue = (value: number): number =>
  value >= MAX_PUBLISHED ? MAX_PUBLISHED : Number(value.toPrecision(4));
