// A market event in the form in which it judges signals.
import type { EpochMs } from '../market/time.ts';
import type { Evidence } from './evidence.ts';
import type { Judgement } from './judge.ts';
import type { JudgedSignal } from './judged-signal.ts';

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
