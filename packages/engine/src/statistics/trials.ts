// The trials of all publishers of one log: rules K1 and K2 of docs/reference/signals.md, "Track records". A trial has a
// number, so that many accounts raise the bar of those that come soon after them, and of nobody else.
import { DAY_MS, type EpochMs } from '../market/time.ts';

export const MIN_DECISIONS = 30;
export const MIN_DAYS = 20;
const NUMBERED_MS = 90 * DAY_MS;

/** What a trial requires, over the complete decisions that count. */
export interface TrialConditions {
  readonly decisions: number;
  /** UTC days on which they began. */
  readonly days: number;
  /** Sum of their R, each at most 10 R. */
  readonly sumUnits: number;
}

export interface EndedTrial {
  /** Record that ended it, and its `at`. */
  readonly n: number;
  readonly at: EpochMs;
  /** 1 + the number of trials that ended in the 90 days before. */
  readonly number: number;
}

export class Trials {
  /** In simulated markets and replays, days are not required. */
  readonly simulated: boolean;
  /** In the order of the log. */
  readonly #ends: EpochMs[] = [];

  constructor(simulated: boolean) {
    this.simulated = simulated;
  }

  areMet({ decisions, days, sumUnits }: TrialConditions): boolean {
    return decisions >= MIN_DECISIONS && (this.simulated || days >= MIN_DAYS) && sumUnits > 0;
  }

  /** Ends a trial. Call it in the order of the log. */
  end(n: number, at: EpochMs): EndedTrial {
    const number = this.numberAt(at);
    this.#ends.push(at);
    return { n, at, number };
  }

  /** The number of a trial that would end now. */
  numberAt(now: EpochMs): number {
    const before = this.#ends.findLastIndex((at) => at < now - NUMBERED_MS);
    return this.#ends.length - before;
  }
}
