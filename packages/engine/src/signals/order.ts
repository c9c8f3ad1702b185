// A signal in the form the verifier judges: prices in whole ticks, fractions in units of 1e-4, and deadlines. The rules are in
// docs/reference/signals.md.
import type { Direction, ExitPart, OrderKind } from '@tickwire/contract';
import type { InstrumentSpec, MarketSymbol } from '../market/instrument.ts';
import type { EpochMs } from '../market/time.ts';
import type { Evidence, QuoteEvidence } from './evidence.ts';

/** What judging needs to know of an instrument. */
export type JudgedInstrument = Pick<InstrumentSpec, 'symbol' | 'digits'>;

/** A signal as published. Never changes. */
export interface Order {
  readonly id: string;
  readonly symbol: MarketSymbol;
  readonly direction: Direction;
  readonly kind: OrderKind;
  /** Ticks. */
  readonly entry: number;
  /** Ticks: how much worse than the accepted quote a market order may fill; `null` without a limit. */
  readonly maxSlippage: number | null;
  readonly stopLoss: number;
  /** Nearest first; the fractions add up to the whole position. */
  readonly targets: readonly ExitPart[];
  /** Number of targets after which the stop moves to the entry; `null` if it never does. */
  readonly breakevenAfter: number | null;
  /** The quote that the signal was accepted against. Only events with a higher `seq` judge it. */
  readonly accepted: QuoteEvidence;
  /** `at` of the publication. Only events with a later time judge it. */
  readonly publishedAt: EpochMs;
  readonly entryDeadline: EpochMs;
  readonly deadline: EpochMs;
}

/** What has happened to a signal since it was published. */
export interface Progress {
  /** `null` while the entry is pending. */
  readonly fill: Fill | null;
  /** Exits at targets so far, in order. The last exit closes the signal and is not among them. */
  readonly exits: readonly Exit[];
  /** In order of their records. */
  readonly amendments: readonly Amendment[];
  readonly closeRequest: CloseRequest | null;
}

export const NO_PROGRESS: Progress = { fill: null, exits: [], amendments: [], closeRequest: null };

export interface Fill {
  /** Ticks. */
  readonly price: number;
  readonly at: EpochMs;
  readonly evidence: Evidence;
}

/** A part of the position that exited at a target. */
export interface Exit extends ExitPart {
  readonly at: EpochMs;
  readonly evidence: Evidence;
}

/** A tighter stop, in force for events after `quote` whose time is later than `at`. */
export interface Amendment {
  /** Ticks. */
  readonly stopLoss: number;
  readonly at: EpochMs;
  readonly quote: QuoteEvidence;
}

/** A request to close or withdraw, executed by the first quote after `quote` whose time is later than `at`. */
export interface CloseRequest {
  readonly at: EpochMs;
  readonly quote: QuoteEvidence;
}
