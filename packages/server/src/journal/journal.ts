// The only ordered stream of events. Everything downstream (read models, WebSocket hub, recorder, verifier) reads the
// journal and nothing else. Event i of a batch has seq `firstSeq + i`; seq rises forever, across restarts too. `epoch`
// identifies an unbroken run of it.
import type { ClosedSignal, NewsDetail, SignalMessage } from '@tickwire/contract';
import type { EngineEvent, EpochMs, MarketSymbol } from '@tickwire/engine';

/** A signal was published. */
export interface SignalEvent {
  readonly kind: 'signal';
  /** Number of its record in the signal log. */
  readonly n: number;
  readonly symbol: MarketSymbol;
  /** Public id of the publisher's account. */
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
  /** When the entry filled; `null` if it never did. */
  readonly filledAt: EpochMs | null;
  readonly signal: ClosedSignal;
}

/** An item entered the news feed, or its headline was revised. */
export interface NewsEvent {
  readonly kind: 'news';
  readonly item: NewsDetail;
  readonly revised: boolean;
}

/** Another source reported an item that is already in the feed. */
export interface NewsClusterEvent {
  readonly kind: 'news_cluster';
  readonly id: string;
  readonly cluster: number;
}

/** Nothing happened. Takes the place of an event that is left out, so that the `seq` of the events around it stays. */
export interface NoopEvent {
  readonly kind: 'noop';
}

export type JournalEvent = EngineEvent | SignalEvent | SignalClosedEvent | NewsEvent | NewsClusterEvent | NoopEvent;

export interface Batch {
  readonly firstSeq: number;
  /** Source of the ticks (`sim`, `binance`, `push:pub_…`); '' if there is none, as for the clock and signals. */
  readonly source: string;
  readonly events: readonly JournalEvent[];
}

export type JournalReader = (batch: Batch) => void;

export interface Journal {
  readonly epoch: string;
  /** seq of the newest event. */
  readonly lastSeq: number;
  append(events: readonly JournalEvent[], source?: string): void;
  /** Readers are called in the order of subscription, each with every batch. */
  subscribe(reader: JournalReader): () => void;
}
