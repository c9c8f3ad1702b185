// What the verifier decides: an entry filled, a part of a position exited, a signal closed, or prices were lost.
import type { ClosedRecord, ExitPart } from '@tickwire/contract';
import type { MarketSymbol } from '../market/instrument.ts';
import type { EpochMs } from '../market/time.ts';
import type { Evidence } from './evidence.ts';
import type { Exit, Fill } from './order.ts';

export type Verdict = FilledVerdict | ExitedVerdict | ClosedVerdict | GapVerdict | DisconnectVerdict;
/** Only operators void signals: the verifier never does. */
export type CloseReason = ClosedRecord['reason'];

/** Origin of the decisive events, if they were not live. */
export type Recovered = 'tape' | 'backfill';

interface SignalVerdict {
  readonly id: string;
  readonly recovered: Recovered | null;
}

export interface FilledVerdict extends SignalVerdict {
  readonly kind: 'filled';
  readonly fill: Fill;
  /** `seq` of the event that filled it. */
  readonly seq: number;
}

export interface ExitedVerdict extends SignalVerdict {
  readonly kind: 'exited';
  /** Number of the target, starting at 1. */
  readonly target: number;
  readonly exit: Exit;
  /** `seq` of the event that reached the target. */
  readonly seq: number;
}

export interface ClosedVerdict extends SignalVerdict {
  readonly kind: 'closed';
  readonly reason: CloseReason;
  /** `null` if it never filled. */
  readonly fill: Fill | null;
  /** Every exit, the last one included: the fractions add up to the whole position. Empty if it never filled. */
  readonly exits: readonly ExitPart[];
  /** The exits of the best case, if a bar leaves the last exit ambiguous; otherwise `null`. */
  readonly bestExits: readonly ExitPart[] | null;
  readonly closedAt: EpochMs;
  readonly decided: Evidence;
  /** Sources of everything that decided: the accepted quote, the fill, the exits and the closing. */
  readonly sources: readonly string[];
  /** Upper bound: no event with a higher `seq` influenced the decision. */
  readonly decidedSeq: number;
  readonly gap: { readonly from: EpochMs; readonly to: EpochMs } | null;
}

/** Prices of an instrument are lost permanently. Concerns its active signals, and those published before its next quote. */
export interface GapVerdict {
  readonly kind: 'gap';
  /** A fail-over is a gap if the first source was disconnected. */
  readonly cause: 'gap' | 'failover';
  readonly symbol: MarketSymbol;
  readonly seq: number;
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** The source of an instrument with active signals is disconnected from now on. */
export interface DisconnectVerdict {
  readonly kind: 'disconnect';
  readonly symbol: MarketSymbol;
  readonly seq: number;
  readonly time: EpochMs;
}
