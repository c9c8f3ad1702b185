// A signal as the verifier judges it: levels in whole ticks, deadlines, and where it stands. docs/signals.md has the rules.
import type { CLOSE_REASONS, Direction, ORDER_KINDS } from '@tickwire/contract';
import type { EpochMs, MarketSymbol } from '../brands.ts';
import type { Side } from '../events.ts';

export type OrderKind = (typeof ORDER_KINDS)[number];
export type CloseReason = (typeof CLOSE_REASONS)[number];

/** What decided something, with the number it has in the journal and where it came from. */
export type Evidence = QuoteEvidence | TradeEvidence | BarEvidence;

interface Decided {
  readonly seq: number;
  readonly time: EpochMs;
  readonly source: string;
}

export interface QuoteEvidence extends Decided {
  readonly kind: 'quote';
  readonly bid: number;
  readonly ask: number;
}

/** A missed trade that was fetched: a sell stands for the bid, a buy for the ask. */
export interface TradeEvidence extends Decided {
  readonly kind: 'trade';
  readonly price: number;
  readonly side: Side;
  /** Of the last quote before: the side that it did not take keeps this distance. */
  readonly spread: number;
}

/** A minute that could be had only as a bar; its prices stand for the bid. */
export interface BarEvidence extends Decided {
  readonly kind: 'bar';
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Of the last quote before: the ask is the bid plus this. */
  readonly spread: number;
}

export interface Fill {
  /** Ticks. */
  readonly price: number;
  readonly at: EpochMs;
  /** Null for a market entry: the quote it was accepted against filled it. */
  readonly evidence: Evidence | null;
}

export interface Order {
  readonly id: string;
  readonly symbol: MarketSymbol;
  readonly direction: Direction;
  readonly kind: OrderKind;
  /** Ticks. */
  readonly entry: number;
  readonly stopLoss: number;
  readonly takeProfit: number;
  /** The quote it was accepted against: exactly the later ones judge it. */
  readonly accepted: QuoteEvidence;
  readonly entryDeadline: EpochMs;
  readonly deadline: EpochMs;
  /** Null while the entry is pending. */
  readonly fill: Fill | null;
}

/** How a closing was found, where it was not live. */
export type Recovered = 'tape' | 'backfill';

export interface FilledVerdict {
  readonly kind: 'filled';
  readonly id: string;
  readonly fill: Fill;
  /** Number of the event that filled it. */
  readonly seq: number;
}

export interface ClosedVerdict {
  readonly kind: 'closed';
  readonly id: string;
  readonly reason: CloseReason;
  /** Null where it never filled. */
  readonly fill: Fill | null;
  /** Ticks; null where it never filled. */
  readonly exitPrice: number | null;
  /** Ticks; where only a bar could decide: the exit in the best case. */
  readonly bestExit: number | null;
  readonly closedAt: EpochMs;
  readonly decided: Evidence;
  /** A bound: nothing after it had its say. */
  readonly decidedSeq: number;
  readonly gap: { readonly from: EpochMs; readonly to: EpochMs } | null;
  readonly recovered: Recovered | null;
}

/** Prices of an instrument are missing for good, for those who have signals in it and for those who publish before the next quote. */
export interface GapVerdict {
  readonly kind: 'gap';
  readonly symbol: MarketSymbol;
  readonly seq: number;
  readonly from: EpochMs;
  readonly to: EpochMs;
}

export type Verdict = FilledVerdict | ClosedVerdict | GapVerdict;
