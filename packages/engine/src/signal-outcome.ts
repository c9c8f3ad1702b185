// What became of a signal, as a track record counts it.
import type { CLOSE_REASONS } from '@tickwire/contract';
import type { EpochMs, MarketSymbol } from './brands.ts';

export interface SignalOutcome {
  readonly symbol: MarketSymbol;
  readonly publishedAt: EpochMs;
  /** Null while pending, and where it never filled. */
  readonly filledAt: EpochMs | null;
  /** Null while active. */
  readonly closedAt: EpochMs | null;
  readonly reason: (typeof CLOSE_REASONS)[number] | null;
  /** Multiples of the initial risk, four decimals. Null while active. */
  readonly pnlR: number | null;
  /** False where it is shown but not ranked: no data for a part of its life, or decided by its publisher's own ticks. */
  readonly ranked: boolean;
}

/** R is summed in whole units of 1e-4: sums of decimals would drift. */
export const UNITS_PER_R = 1e4;

/** A result that counts for the statistics. */
export interface RankedResult {
  readonly at: EpochMs;
  readonly units: number;
  readonly heldMs: number;
}

/** How a closed signal counts. A filled one without a result is refused, or a loser could be left out by losing its figure. */
export function settle(outcome: SignalOutcome, at: EpochMs): RankedResult | 'unfilled' | 'unranked' {
  if (outcome.reason === 'unfilled') return 'unfilled';
  const { filledAt, pnlR } = outcome;
  if (outcome.reason === null || filledAt === null || pnlR === null || !Number.isFinite(pnlR))
    throw new RangeError('a closed signal has a reason and, unless it was unfilled, a time of filling and a result');
  if (!outcome.ranked) return 'unranked';
  return { at, units: Math.round(pnlR * UNITS_PER_R), heldMs: Math.max(0, at - filledAt) };
}
