// The results of judging: a signal was filled, a signal was closed, or prices of an instrument are missing.
import type { CLOSE_REASONS } from '@tickwire/contract';
import type { MarketSymbol } from '../market/instrument.ts';
import type { EpochMs } from '../market/time.ts';
import type { Evidence } from './evidence.ts';
import type { Fill } from './order.ts';

export type Verdict = FilledVerdict | ClosedVerdict | GapVerdict;
export type CloseReason = (typeof CLOSE_REASONS)[number];

/** Origin of the decisive events, if they were not live. */
export type Recovered = 'tape' | 'backfill';

export interface FilledVerdict {
  readonly kind: 'filled';
  readonly id: string;
  readonly fill: Fill;
  /** `seq` of the event that filled it. */
  readonly seq: number;
}

export interface ClosedVerdict {
  readonly kind: 'closed';
  readonly id: string;
  readonly reason: CloseReason;
  /** `null` if it never filled. */
  readonly fill: Fill | null;
  /** Ticks; `null` if it never filled. */
  readonly exitPrice: number | null;
  /** Ticks: the best possible exit, if a bar leaves the exit ambiguous; otherwise `null`. */
  readonly bestExit: number | null;
  readonly closedAt: EpochMs;
  readonly decided: Evidence;
  /** Upper bound: no event with a higher `seq` influenced the decision. */
  readonly decidedSeq: number;
  readonly gap: { readonly from: EpochMs; readonly to: EpochMs } | null;
  readonly recovered: Recovered | null;
}

/** Prices of an instrument are lost permanently. Concerns its active signals, and those published before its next quote. */
export interface GapVerdict {
  readonly kind: 'gap';
  readonly symbol: MarketSymbol;
  readonly seq: number;
  readonly from: EpochMs;
  readonly to: EpochMs;
}
