// Evidence: the quote, trade or bar that decided something, with its `seq` in the journal and its source.
import type { Side } from '../market/events.ts';
import { asEpochMs, type EpochMs, MINUTE_MS } from '../market/time.ts';

export type Evidence = QuoteEvidence | TradeEvidence | BarEvidence;

interface EvidenceOrigin {
  readonly seq: number;
  readonly time: EpochMs;
  readonly source: string;
}

export interface QuoteEvidence extends EvidenceOrigin {
  readonly kind: 'quote';
  readonly bid: number;
  readonly ask: number;
}

/** A backfilled trade: the price of a sell counts as the bid, that of a buy as the ask. */
export interface TradeEvidence extends EvidenceOrigin {
  readonly kind: 'trade';
  readonly price: number;
  readonly side: Side;
  /** Spread of the last quote before the trade. Gives the price of the other side. */
  readonly spread: number;
}

/** A backfilled minute bar: its prices count as the bid. */
export interface BarEvidence extends EvidenceOrigin {
  readonly kind: 'bar';
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Spread of the last quote before the bar: the ask is the bid plus this. */
  readonly spread: number;
}

/** End of a minute bar that begins at `time`. */
export const barEnd = (time: EpochMs): EpochMs => asEpochMs(time + MINUTE_MS);
