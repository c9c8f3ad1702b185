export type {
  AiBrief,
  AiModel,
  AiModelList,
  AiSentiment,
  AiSentimentRequest,
  BriefCitation,
  Channel,
  ErrorCode,
  Instrument,
  InstrumentType,
  LogEntry,
  LogHead,
  LogPage,
  LogRecord,
  MarketTick,
  NewsCalibration,
  NewsCalibrationItem,
  NewsDetail,
  NewsItem,
  NewsPublished,
  NewsRevised,
  Notice,
  OhlcvBar,
  OrderFlowTick,
  Problem,
  PublisherDetail,
  PublisherList,
  Quote,
  SessionStatistics,
  Signal,
  SignalDetail,
  SignalProof,
  SignalRequest,
  SymbolQuote,
  Timeframe,
  TrackRecord,
  Usage,
} from '@tickwire/contract';
export type { Allowance, AnswerInfo } from './answer-info.ts';
export { type ClientOptions, TickwireClient } from './client.ts';
export type { ConnectionEnd, SocketConstructor, SocketLike } from './connection.ts';
export type { CallOptions, Fetch, PostOptions } from './rest.ts';
export type { StateDetail, Stream, StreamHandlers, StreamOptions, StreamState } from './stream.ts';
export { type FailureCode, TickwireError } from './tickwire-error.ts';
export type { Timing } from './timing.ts';
export type * from './wire.ts';
