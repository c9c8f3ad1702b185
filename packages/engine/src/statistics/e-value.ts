// Anytime-valid evidence against "the mean R of a decision is at most 0": the wealth of ten gamblers who start with 1 and bet
// the fractions 0.02, 0.04 … 0.20 on each decision when it begins, and its mean. If the hypothesis holds, the mean ever reaches 20 with a
// probability of at most 5 %, whenever one looks (Ville's inequality). Rules EV1 to EV3 of docs/signals.md, "Track records".
import { UNITS_PER_R } from './ranking-signal.ts';

/** The fractions are k / 50 for k from 1 to this. */
const FRACTIONS = 10;
const FRACTION_SCALE = 50;
/** A decision counts at most 10 R. */
const MAX_UNITS = 100_000;
/** A decision below −5 R ends the evidence: the factor of the greatest fraction would be negative. */
const MIN_UNITS = -50_000;
/** The worst result of an open decision, as a multiple of its stake. */
const RESERVED_RISKS = 5;
/** Greater wealth is reduced to this. The reduced wealth is never above the true one, so the guarantee holds. */
const MAX_WEALTH = 1e300;

/** Units of a decision as it counts, without the limit below. */
export const cappedUnits = (units: number): number => Math.min(units, MAX_UNITS);

/** The stakes of the ten gamblers on one decision. */
export type Stakes = Float64Array;
/** Of a decision that has ended. */
export const NO_STAKES: Stakes = new Float64Array(FRACTIONS);

export class EProcess {
  readonly #wealth = new Float64Array(FRACTIONS).fill(1);
  /** A decision has ended below −5 R. */
  #ruined = false;
  /** Sum of the stakes on open decisions. */
  readonly #staked = new Float64Array(FRACTIONS);

  /** Bets on a decision that begins now: a fraction of the wealth that is not reserved for the worst result of open ones. */
  open(): Stakes {
    const stakes = new Float64Array(FRACTIONS);
    for (let index = 0; index < FRACTIONS; index++) {
      const free = this.#wealth[index]! - RESERVED_RISKS * this.#staked[index]!;
      stakes[index] = Math.max(0, ((index + 1) / FRACTION_SCALE) * free);
      this.#staked[index]! += stakes[index]!;
    }
    return stakes;
  }

  /** Ends a bet with a result in units of 1e-4 R; `null` without a result. */
  settle(stakes: Stakes, units: number | null): void {
    for (let index = 0; index < FRACTIONS; index++)
      this.#staked[index] = Math.max(0, this.#staked[index]! - stakes[index]!);
    if (units === null) return;
    this.#ruined ||= units < MIN_UNITS;
    addResult(this.#wealth, stakes, units);
  }

  /** The e-value as of now. `losses` are the open bets that would lose. */
  value(losses: readonly { readonly stakes: Stakes; readonly units: number }[] = []): number {
    if (this.#ruined || losses.some(({ units }) => units < MIN_UNITS)) return 0;
    let wealth = this.#wealth;
    if (losses.length > 0) {
      wealth = wealth.slice();
      for (const { stakes, units } of losses) addResult(wealth, stakes, units);
    }
    let sum = 0;
    for (let index = 0; index < FRACTIONS; index++) sum += wealth[index]!;
    return sum / FRACTIONS;
  }
}

function addResult(wealth: Float64Array, stakes: Stakes, units: number): void {
  const r = cappedUnits(units) / UNITS_PER_R;
  for (let index = 0; index < FRACTIONS; index++)
    wealth[index] = Math.min(Math.max(0, wealth[index]! + stakes[index]! * r), MAX_WEALTH);
}

/** Greatest published e-value. */
const MAX_PUBLISHED = 1e12;

/** Rounded to four significant digits, at most 1e12. */
export const publishedEValue = (value: number): number =>
  value >= MAX_PUBLISHED ? MAX_PUBLISHED : Number(value.toPrecision(4));
