// A signal in the form the verifier judges: prices in whole ticks, and deadlines. The rules are in docs/signals.md.
import type { Direction, ORDER_KINDS } from '@tickwire/contract';
import type { MarketSymbol } from '../market/instrument.ts';
import type { EpochMs } from '../market/time.ts';
import type { Evidence, QuoteEvidence } from './evidence.ts';

export type OrderKind = (typeof ORDER_KINDS)[number];

export interface Order {
  readonly id: string;
  readonly symbol: MarketSymbol;
  readonly direction: Direction;
  readonly kind: OrderKind;
  /** Ticks. */
  readonly entry: number;
  readonly stopLoss: number;
  readonly takeProfit: number;
  /** The quote that the signal was accepted against. Only events with a higher `seq` judge it. */
  readonly accepted: QuoteEvidence;
  readonly entryDeadline: EpochMs;
  readonly deadline: EpochMs;
  /** `null` while the entry is pending. */
  readonly fill: Fill | null;
}

export interface Fill {
  /** Ticks. */
  readonly price: number;
  readonly at: EpochMs;
  /** `null` for a market entry, which fills at the quote it was accepted against. */
  readonly evidence: Evidence | null;
}
