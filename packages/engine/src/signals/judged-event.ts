// A market event in the form in which it judges signals.
import type { ExitPart } from '@tickwire/contract';
import type { EpochMs } from '../market/time.ts';
import type { Evidence } from './evidence.ts';
import type { JudgedSignal } from './judged-signal.ts';
import type { CloseReason } from './verdict.ts';

export interface JudgedEvent {
  readonly evidence: Evidence;
  readonly seq: number;
  /** Compared with deadlines: the begin of a bar. */
  readonly time: EpochMs;
  /** Time of what the event decides: the end of a bar. */
  readonly end: EpochMs;
  /** Range of the prices in ticks. An unknown side is `NaN`. */
  readonly range: PriceRange;
  readonly judge: (signal: JudgedSignal, event: JudgedEvent) => Judgement;
}

export interface PriceRange {
  readonly bidLow: number;
  readonly bidHigh: number;
  readonly askLow: number;
  readonly askHigh: number;
}

/** What an event does to a signal. */
export interface Judgement {
  /** Signed price at which a pending entry filled; `null` if it did not. */
  readonly filledAt: number | null;
  /** Number of targets that have been reached, those of earlier events included. */
  readonly targetsReached: number;
  readonly closing: Closing | null;
}

export interface Closing {
  readonly reason: CloseReason;
  /** Signed price of the last exit. */
  readonly exit: number;
  /** Signed exits of the open parts in the best case, if a bar leaves the exit ambiguous. */
  readonly best: readonly ExitPart[] | null;
}
