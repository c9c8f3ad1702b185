// The one place that knows the contract, and by type only: its schemas (and Zod) reach no bundle. In the published package
// this file is replaced by types written out in full, so that nothing else has to be installed.
import type * as contract from '@tickwire/contract';

export type {
  Account,
  AccountReport,
  AiBrief,
  AiModel,
  AiModelList,
  AiSentiment,
  AiSentimentRequest,
  BarMessage,
  BriefCitation,
  Channel,
  Coverage,
  ErrorCode,
  IngestAnswer,
  Instrument,
  InstrumentType,
  Invitation,
  IssuedKey,
  KeyInfo,
  KeyRequest,
  LogEntry,
  LogHead,
  LogPage,
  LogRecord,
  MarketTick,
  NewsCalibration,
  NewsCalibrationItem,
  NewsDetail,
  NewsIngestAnswer,
  NewsItem,
  NewsLine,
  NewsPublished,
  NewsRevised,
  NewsSentiment,
  NewsSentimentItem,
  NewsSourceList,
  Notice,
  OhlcvBar,
  OhlcvBarDetail,
  OrderFlowTick,
  Position,
  Problem,
  PublisherDetail,
  PublisherList,
  Quote,
  SessionInfo,
  SessionStatistics,
  Signal,
  SignalDetail,
  SignalProof,
  SignalRequest,
  StreamReport,
  SymbolQuote,
  Timeframe,
  TrackRecord,
  Usage,
  UsageHistory,
} from '@tickwire/contract';

type Of<Schema extends { readonly _zod: { readonly output: unknown } }> = Schema['_zod']['output'];

export type InstrumentList = Of<typeof contract.InstrumentList>;
export type MarketResponse = Of<typeof contract.MarketResponse>;
export type QuoteList = Of<typeof contract.QuoteList>;
export type SignalList = Of<typeof contract.SignalList>;
export type ActiveSignal = Of<typeof contract.ActiveSignal>;
export type ClosedSignal = Of<typeof contract.ClosedSignal>;
export type SignalPublished = Of<typeof contract.SignalPublished>;
export type SignalClosed = Of<typeof contract.SignalClosed>;
export type NewsList = Of<typeof contract.NewsList>;
export type FeedList = Of<typeof contract.FeedList>;
export type IngestLine = Of<typeof contract.IngestLine>;
export type Registration = Of<typeof contract.Registration>;
export type SetupRequest = Of<typeof contract.SetupRequest>;
export type SignUpRequest = Of<typeof contract.SignUpRequest>;
export type SignInRequest = Of<typeof contract.SignInRequest>;
export type PasswordChange = Of<typeof contract.PasswordChange>;
export type AccountDeletion = Of<typeof contract.AccountDeletion>;
export type AccountDeleted = Of<typeof contract.AccountDeleted>;
export type SessionList = Of<typeof contract.SessionList>;
export type SessionsEnded = Of<typeof contract.SessionsEnded>;
export type KeyList = Of<typeof contract.KeyList>;
export type KeyRotation = Of<typeof contract.KeyRotation>;
export type AccountReportList = Of<typeof contract.AccountReportList>;
export type StreamReportList = Of<typeof contract.StreamReportList>;
export type InvitationRequest = Of<typeof contract.InvitationRequest>;
export type InvitationList = Of<typeof contract.InvitationList>;
export type IssuedInvitation = Of<typeof contract.IssuedInvitation>;
export type Health = Of<typeof contract.Health>;
export type Readiness = Of<typeof contract.Readiness>;
export type GapNotice = Of<typeof contract.GapNotice>;
export type ErrorNotice = Of<typeof contract.ErrorNotice>;
export type FinalCloseCode = Extract<(typeof contract.CLOSE_CODES)[number], { reconnect: false }>['code'];
