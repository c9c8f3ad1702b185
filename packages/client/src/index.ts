export type {
  Channel,
  ErrorCode,
  Instrument,
  InstrumentType,
  MarketTick,
  NewsItem,
  Notice,
  OhlcvBar,
  OrderFlowTick,
  Problem,
  Quote,
  SessionStatistics,
  Signal,
  SymbolQuote,
  Timeframe,
  Usage,
} from '@tickwire/contract';
export type { Allowance, AnswerInfo } from './answer-info.ts';
export { type ClientOptions, TickwireClient } from './client.ts';
export type { ConnectionEnd, SocketConstructor, SocketLike } from './connection.ts';
export type { CallOptions, Fetch } from './rest.ts';
export type { StateDetail, Stream, StreamHandlers, StreamOptions, StreamState } from './stream.ts';
export { type FailureCode, TickwireError } from './tickwire-error.ts';
export type { Timing } from './timing.ts';
export type * from './wire.ts';
