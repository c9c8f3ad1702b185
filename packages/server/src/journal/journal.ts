// The only ordered stream of events. Everything downstream (read models, WebSocket hub, recorder, verifier) reads the
// journal and nothing else. Event i of a batch has seq `firstSeq + i`; seq rises forever, across restarts too. `epoch`
// identifies an unbroken run of it.
import type {
  AlertFiring,
  CalendarEvent,
  ChangedSignal,
  ClosedSignal,
  FilledSignal,
  NewsDetail,
  SignalMessage,
} from '@tickwire/contract';
import type { EngineEvent, InstrumentSpec, MarketSymbol } from '@tickwire/engine';
import type { AddedInstrument } from '../store/market-store.ts';
import type { SignalStream } from '../store/signal-store.ts';
import type { AnyPerpetualEvent } from './perpetual-events.ts';

interface EventOfSignal {
  /** Number of its record in the signal log. */
  readonly n: number;
  readonly symbol: MarketSymbol;
  /** Public id of the publisher's account. */
  readonly publisher: string;
}

/** A signal was published. */
export interface SignalEvent extends EventOfSignal {
  readonly kind: 'signal';
  readonly signal: SignalMessage;
}

/** The entry of a signal was filled. */
export interface SignalFilledEvent extends EventOfSignal {
  readonly kind: 'signal_filled';
  readonly signal: FilledSignal;
}

/** A part of the position exited at a target, or the publisher tightened the stop. */
export interface SignalChangedEvent extends EventOfSignal {
  readonly kind: 'signal_changed';
  readonly signal: ChangedSignal;
}

/** A signal was closed, with its profit and loss; or voided, perhaps after it was closed. */
export interface SignalClosedEvent extends EventOfSignal {
  readonly kind: 'signal_closed';
  readonly signal: ClosedSignal;
}

export type AnySignalEvent = SignalEvent | SignalFilledEvent | SignalChangedEvent | SignalClosedEvent;

export const STREAM_OF_EVENT: Readonly<Record<AnySignalEvent['kind'], SignalStream>> = {
  signal: 'published',
  signal_filled: 'filled',
  signal_changed: 'changed',
  signal_closed: 'closed',
};

export const isSignalEvent = (event: JournalEvent): event is AnySignalEvent => event.kind in STREAM_OF_EVENT;

/** An item entered the news feed, or its headline was revised. */
export interface NewsEvent {
  readonly kind: 'news';
  readonly item: NewsDetail;
  readonly revised: boolean;
}

/** An alert or subscription fired. Stored before it enters the journal. */
export interface AlertEvent {
  readonly kind: 'alert';
  /** Public id of the account: nobody else sees it. */
  readonly account: string;
  readonly firing: AlertFiring;
}

/** Another source reported an item that is already in the feed. */
export interface NewsClusterEvent {
  readonly kind: 'news_cluster';
  readonly id: string;
  readonly cluster: number;
}

/** What happened to a calendar event. `revised`: anything but its time or its status. */
export const CALENDAR_CHANGES = ['added', 'revised', 'moved', 'released', 'cancelled'] as const;
export type CalendarChange = (typeof CALENDAR_CHANGES)[number];

/** An event entered the economic calendar, or has a new revision. */
export interface CalendarChangeEvent {
  readonly kind: 'calendar';
  readonly item: CalendarEvent;
  readonly change: CalendarChange;
}

/** An operator added an instrument from the list of a venue. Stored before it enters the journal. */
export interface InstrumentEvent {
  readonly kind: 'instrument';
  readonly spec: InstrumentSpec;
  readonly added: AddedInstrument;
}

/** Nothing happened. Takes the place of an event that is left out, so that the `seq` of the events around it stays. */
export interface NoopEvent {
  readonly kind: 'noop';
}

export const NOOP: NoopEvent = { kind: 'noop' };

export type JournalEvent =
  | EngineEvent
  | AnyPerpetualEvent
  | AnySignalEvent
  | NewsEvent
  | AlertEvent
  | NewsClusterEvent
  | CalendarChangeEvent
  | InstrumentEvent
  | NoopEvent;

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
  /** `false` while the readers lack events up to `lastSeq`, or may have later ones. Default `true`. */
  readonly isComplete?: boolean;
  append(events: readonly JournalEvent[], source?: string): void;
  /** Readers are called in the order of subscription, each with every batch. */
  subscribe(reader: JournalReader): () => void;
}
