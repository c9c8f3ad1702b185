// Running statistics of a set of signals: all signals of a publisher, or those on one instrument. The cost of adding a signal and
// of reading the summary does not depend on the number of signals. Formulas: docs/reference/signals.md, "Track records".
import { roundedRatio } from '@tickwire/contract';
import type { EpochMs } from '../market/time.ts';
import { Drawdown } from './equity-curve.ts';
import { UNITS_PER_R } from './ranking-signal.ts';
import { minimumTrackRecord, probabilisticSharpe, SampleMoments, type SharpeSample } from './sharpe-ratio.ts';
import { wilsonInterval } from './wilson-interval.ts';

/** Fewer ranked signals have no usable skewness and kurtosis. */
const MIN_SHAPE_SIGNALS = 3;

/** The result of a signal that the statistics include. */
export interface SignalResult {
  /** 1e-4 R. */
  readonly units: number;
  readonly heldMs: number;
}

/** How a closed signal counts: with its result, never filled, or displayed only. */
export type ClosedOutcome = SignalResult | 'unfilled' | 'unranked';

/** Ratios and means have four decimals and are `null` if undefined. R: multiples of the initial risk. */
export interface TrackSummary {
  /** All published signals: active + closed. */
  readonly signals: number;
  readonly active: number;
  /** rankedSignals + unfilled + unranked. */
  readonly closed: number;
  /** wins + losses + breakeven. */
  readonly rankedSignals: number;
  readonly wins: number;
  readonly losses: number;
  readonly breakeven: number;
  readonly unfilled: number;
  readonly unranked: number;
  readonly winRate: number | null;
  readonly winRateLow: number | null;
  readonly winRateHigh: number | null;
  readonly averageR: number | null;
  readonly totalR: number;
  readonly expectancyR: number | null;
  /** `null` without a loss. */
  readonly profitFactor: number | null;
  /** ≥ 0. */
  readonly maxDrawdownR: number;
  /** Whole seconds. */
  readonly averageHoldingSeconds: number | null;
  /** Per signal, not annualised. */
  readonly sharpe: number | null;
  /** Assumes independent results, as does `signalsNeeded`. The ranking uses neither. */
  readonly probabilisticSharpe: number | null;
  /** `null` if the Sharpe ratio is unknown or not above 0: no number of such signals would be enough. */
  readonly signalsNeeded: number | null;
  /** First and last publication. */
  readonly firstAt: EpochMs | null;
  readonly lastAt: EpochMs | null;
}

export class SignalStatistics {
  #signals = 0;
  #active = 0;
  #unfilled = 0;
  #unranked = 0;
  #wins = 0;
  #losses = 0;
  #breakeven = 0;
  /** Units of 1e-4 R; losses are a positive number. */
  #won = 0;
  #lost = 0;
  #heldMs = 0;
  #firstAt: EpochMs | null = null;
  #lastAt: EpochMs | null = null;
  readonly #moments = new SampleMoments();
  readonly #drawdown = new Drawdown();

  publish(at: EpochMs): void {
    this.#signals++;
    this.#active++;
    if (this.#firstAt === null || at < this.#firstAt) this.#firstAt = at;
    if (this.#lastAt === null || at > this.#lastAt) this.#lastAt = at;
  }

  close(result: ClosedOutcome): void {
    this.#active--;
    if (result === 'unfilled') this.#unfilled++;
    else if (result === 'unranked') this.#unranked++;
    else this.#rank(result);
  }

  /** Highest total so far, at least 0, in units of 1e-4 R. */
  get peakUnits(): number {
    return this.#drawdown.high;
  }

  get totalUnits(): number {
    return this.#won - this.#lost;
  }

  summary(): TrackSummary {
    const n = this.#wins + this.#losses + this.#breakeven;
    const total = this.#won - this.#lost;
    const [low, high] = n > 0 ? wilsonInterval(this.#wins, n) : [null, null];
    const averageR = ratio(total, n * UNITS_PER_R);
    return {
      signals: this.#signals,
      active: this.#active,
      closed: this.#signals - this.#active,
      rankedSignals: n,
      wins: this.#wins,
      losses: this.#losses,
      breakeven: this.#breakeven,
      unfilled: this.#unfilled,
      unranked: this.#unranked,
      winRate: ratio(this.#wins, n),
      winRateLow: rounded(low),
      winRateHigh: rounded(high),
      averageR,
      totalR: total / UNITS_PER_R,
      // Win rate × average win − loss rate × average loss equals the mean.
      expectancyR: averageR,
      profitFactor: ratio(this.#won, this.#lost),
      maxDrawdownR: this.#drawdown.depth / UNITS_PER_R,
      averageHoldingSeconds: n > 0 ? Math.round(this.#heldMs / n / 1000) : null,
      ...confidence(this.#moments.sample(), n),
      firstAt: this.#firstAt,
      lastAt: this.#lastAt,
    };
  }

  #rank({ units, heldMs }: SignalResult): void {
    if (units > 0) {
      this.#wins++;
      this.#won += units;
    } else if (units < 0) {
      this.#losses++;
      this.#lost -= units;
    } else this.#breakeven++;
    this.#heldMs += heldMs;
    this.#moments.add(units);
    this.#drawdown.add({ total: this.#won - this.#lost });
  }
}

function confidence(sample: SharpeSample | null, n: number) {
  const shape = sample && n >= MIN_SHAPE_SIGNALS ? sample : null;
  const signalsNeeded =
    shape && shape.sharpe > 0
      ? // A Sharpe ratio close to 0 can need more signals than an integer holds.
        Math.min(Math.ceil(minimumTrackRecord(shape)), Number.MAX_SAFE_INTEGER)
      : null;
  return {
    sharpe: rounded(sample?.sharpe ?? null),
    probabilisticSharpe: rounded(shape && probabilisticSharpe(shape, n)),
    signalsNeeded,
  };
}

/** Quotient of two integers, rounded from its exact value. */
const ratio = (numerator: number, denominator: number): number | null =>
  denominator === 0 ? null : roundedRatio(BigInt(numerator), BigInt(denominator));

/** Rounds to four decimals, halves away from zero, without −0. */
const rounded = (value: number | null): number | null =>
  value === null ? null : (Math.sign(value) * Math.round(Math.abs(value) * 1e4)) / 1e4 + 0;
