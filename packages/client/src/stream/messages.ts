// The kinds of streams and the messages of each.
import type {
  BarMessage,
  FootprintMessage,
  MarketTick,
  NewsPublished,
  NewsRevised,
  OrderFlowTick,
  SignalAmended,
  SignalClosed,
  SignalExited,
  SignalFilled,
  SignalPublished,
} from '../common/contract.ts';

/** The messages of each kind of stream. */
export interface StreamMessages {
  /** Changes of bid and ask. */
  readonly market: MarketTick;
  /** Bars that changed or closed. */
  readonly bars: BarMessage;
  /** Volume at price of bars that changed or closed. */
  readonly footprint: FootprintMessage;
  /** Volume at the bid and at the ask. */
  readonly orderflow: OrderFlowTick;
  /** Signals; fills, changes and closings only if the stream was opened with `fills`, `changes` or `closes`. */
  readonly signals: SignalPublished | SignalFilled | SignalExited | SignalAmended | SignalClosed;
  /** Headlines and their revisions. */
  readonly news: NewsPublished | NewsRevised;
}

/** Kind of a stream: `market`, `bars`, `footprint`, `orderflow`, `signals` or `news`. */
export type StreamKind = keyof StreamMessages;

/** A message of one kind of stream. */
export type MessageOf<K extends StreamKind> = StreamMessages[K];
