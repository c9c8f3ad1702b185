// The one ordered stream of what happened. Everything downstream (views, gateway, recorder) sees only this.
// Event i of a batch has seq `firstSeq + i`; seq rises for ever, also over restarts. `epoch` names an unbroken run of it.
import type { ClosedSignal, NewsDetail, SignalMessage } from '@tickwire/contract';
import type { EngineEvent, EpochMs, MarketSymbol } from '@tickwire/engine';

/** A signal was published. */
export interface SignalEvent {
  readonly kind: 'signal';
  /** Number of its record in the signal log. */
  readonly n: number;
  readonly symbol: MarketSymbol;
  /** Public id of the account. */
  readonly publisher: string;
  readonly signal: SignalMessage;
}

/** A signal was closed, with its profit and loss. */
export interface SignalClosedEvent {
  readonly kind: 'signal_closed';
  /** Number of its record in the signal log. */
  readonly n: number;
  readonly symbol: MarketSymbol;
  readonly publisher: string;
  /** When it filled; null where it never did. */
  readonly filledAt: EpochMs | null;
  readonly signal: ClosedSignal;
}

/** An item came into the news feed, or its headline was updated. */
export interface NewsEvent {
  readonly kind: 'news';
  readonly item: NewsDetail;
  readonly revised: boolean;
}

/** One more source had an item. */
export interface NewsClusterEvent {
  readonly kind: 'news_cluster';
  readonly id: string;
  readonly cluster: number;
}

export type JournalEvent = EngineEvent | SignalEvent | SignalClosedEvent | NewsEvent | NewsClusterEvent;

export interface Batch {
  readonly firstSeq: number;
  /** Who the ticks in it came from (`sim`, `binance`, `push:pub_…`); '' where nobody sent it, as the clock and signals. */
  readonly source: string;
  readonly events: readonly JournalEvent[];
}

export type JournalReader = (batch: Batch) => void;

export interface Journal {
  readonly epoch: string;
  /** seq of the newest event. */
  readonly lastSeq: number;
  append(events: readonly JournalEvent[], source?: string): void;
  /** Readers are called in the order they came, each with every batch. */
  subscribe(reader: JournalReader): () => void;
}
