// The outcome of a signal, as a track record counts it.
import type { CLOSE_REASONS } from '@tickwire/contract';
import type { MarketSymbol } from '../market/instrument.ts';
import type { EpochMs } from '../market/time.ts';

export interface SignalOutcome {
  readonly symbol: MarketSymbol;
  readonly publishedAt: EpochMs;
  /** `null` while pending, and if it never filled. */
  readonly filledAt: EpochMs | null;
  /** `null` while active. */
  readonly closedAt: EpochMs | null;
  readonly reason: (typeof CLOSE_REASONS)[number] | null;
  /** Multiples of the initial risk, four decimals. `null` while active. */
  readonly pnlR: number | null;
  /** `false` if it is shown but not ranked: prices are missing for part of its life, or its publisher's own ticks decided it. */
  readonly ranked: boolean;
}

/** R is summed in integer units of 1e-4, because sums of decimals drift. */
export const UNITS_PER_R = 1e4;

/** A result that counts in the statistics. */
export interface RankedResult {
  readonly at: EpochMs;
  readonly units: number;
  readonly heldMs: number;
}

/** How a closed signal counts. Throws if a filled signal has no result, so that no loss can be omitted. */
export function classifyOutcome(outcome: SignalOutcome, at: EpochMs): RankedResult | 'unfilled' | 'unranked' {
  if (outcome.reason === 'unfilled') return 'unfilled';
  const { filledAt, pnlR } = outcome;
  if (outcome.reason === null || filledAt === null || pnlR === null || !Number.isFinite(pnlR))
    throw new RangeError('a closed signal needs a reason and, unless it is unfilled, a fill time and a result');
  if (!outcome.ranked) return 'unranked';
  return { at, units: Math.round(pnlR * UNITS_PER_R), heldMs: Math.max(0, at - filledAt) };
}
