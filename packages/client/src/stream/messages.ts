// The kinds of streams and the messages of each.
import type {
  AlertFired,
  BarMessage,
  FootprintMessage,
  MarketTick,
  NewsPublished,
  NewsRevised,
  OrderFlowTick,
  PerpetualFigures,
  PerpetualLiquidation,
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
  /** Figures and liquidations of perpetuals; `type` tells them apart. */
  readonly perpetual: PerpetualFigures | PerpetualLiquidation;
  /** Signals; fills, changes and closings only if the stream was opened with `fills`, `changes` or `closes`. */
  readonly signals: SignalPublished | SignalFilled | SignalExited | SignalAmended | SignalClosed;
  /** Headlines and their revisions. */
  readonly news: NewsPublished | NewsRevised;
  /** Firings of the account's alerts and subscriptions. */
  readonly alerts: AlertFired;
}

/** Kind of a stream: `market`, `bars`, `footprint`, `orderflow`, `perpetual`, `signals`, `news` or `alerts`. */
export type StreamKind = keyof StreamMessages;

/** A message of one kind of stream. */
export type MessageOf<K extends StreamKind> = StreamMessages[K];

/** Kinds of which every message counts: none is dropped. */
export type EventKind = 'perpetual' | 'signals' | 'news' | 'alerts';

export const isEventKind = (kind: StreamKind): kind is EventKind =>
  kind === 'perpetual' || kind === 'signals' || kind === 'news' || kind === 'alerts';

/** Messages of bars and footprints name their channel on every connection. */
export const namesChannel = (kind: StreamKind): boolean => kind === 'bars' || kind === 'footprint';

/** Headlines and firings have several symbols or none, so their messages are numbered per subscription. */
export const isNumberedBySymbol = (kind: StreamKind): boolean => kind !== 'news' && kind !== 'alerts';
