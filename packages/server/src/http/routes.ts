// Assigns a handler to every endpoint of the contract.
import type {
  CalendarQuery,
  CoverageQuery,
  EndpointName,
  FollowersQuery,
  FootprintQuery,
  HeadsQuery,
  HoursQuery,
  IndicatorsQuery,
  LogQuery,
  MarketQuery,
  NewsQuery,
  NewsSentimentQuery,
  OverviewQuery,
  PositionSizeQuery,
  ProfileQuery,
  PublicRecordsQuery,
  PublisherQuery,
  PublishersQuery,
  QuoteQuery,
  QuotesQuery,
  SignalDetailQuery,
  SignalQuery,
  SymbolsQuery,
  UdfHistoryQuery,
  UdfMarksQuery,
  UdfQuotesQuery,
  UdfSearchQuery,
  UdfSymbolQuery,
  UsageQuery,
  WindowQuery,
} from '@tickwire/contract';
import type { Caller } from '../access/caller.ts';
import type { Keyring } from '../access/keyring.ts';
import type { AccountHandlers } from './account-handlers.ts';
import type { AiHandlers } from './ai-handlers.ts';
import type { AuditHandlers } from './audit-handlers.ts';
import type { CalendarHandlers } from './calendar-handlers.ts';
import type { DataLinkHandlers } from './data-link-handlers.ts';
import type { DocumentHandlers } from './document-handlers.ts';
import type { KeptHeadHandlers } from './evidence-handlers.ts';
import type { EndpointHandler } from './handler.ts';
import type { HistoryHandlers } from './history-handlers.ts';
import type { IngestHandlers } from './ingest-handlers.ts';
import type { KeyHandlers } from './key-handlers.ts';
import type { MarketHandlers } from './market-handlers.ts';
import type { NewsHandlers } from './news-handlers.ts';
import type { OperatorHandlers } from './operator-handlers.ts';
import type { PublicRecordHandlers } from './public-records.ts';
import { type Checks, readiness } from './readiness.ts';
import type { SignalHandlers } from './signal-handlers.ts';
import type { TwoFactorHandlers } from './two-factor-handlers.ts';
import type { UdfHandlers } from './udf-handlers.ts';
import type { UsageHandler } from './usage-handler.ts';

export interface HandlerParts {
  readonly market: MarketHandlers;
  readonly history: HistoryHandlers;
  readonly udf: UdfHandlers;
  readonly signals: SignalHandlers;
  readonly publicRecords: PublicRecordHandlers;
  readonly heads: KeptHeadHandlers;
  readonly news: NewsHandlers;
  readonly calendar: CalendarHandlers;
  readonly ai: AiHandlers;
  /** Handled in this process, or forwarded to the ingest node. */
  readonly ingest: IngestHandlers;
  readonly accounts: AccountHandlers;
  readonly twoFactor: TwoFactorHandlers;
  readonly documents: DocumentHandlers;
  readonly keys: KeyHandlers;
  readonly links: DataLinkHandlers;
  readonly operator: OperatorHandlers;
  readonly audit: AuditHandlers;
  readonly usage: UsageHandler;
  readonly eventStream: EndpointHandler;
  readonly keyring: Keyring;
  /** The state of each part, as `/readyz` reports it. */
  readonly checks: () => Checks;
  readonly stopping: () => boolean;
}

export function createHandlers(parts: HandlerParts): { readonly [K in EndpointName]: EndpointHandler } {
  const {
    market,
    history,
    udf,
    signals,
    publicRecords,
    heads,
    news,
    calendar,
    ai,
    ingest,
    accounts,
    twoFactor,
    documents,
    keys,
    links,
    operator,
    audit,
    usage,
    eventStream,
    keyring,
    checks,
    stopping,
  } = parts;
  /** Adds an AI call to the usage history of the caller. */
  const recording = (caller: Caller) => () => keyring.recordAiCall(caller);
  return {
    ...ingest,
    symbols: ({ query, now }) => market.symbols(query as SymbolsQuery, now),
    market: ({ params, query, now }) => market.market(params.symbol!, query as MarketQuery, now),
    quote: ({ params, query, now }) => market.quote(params.symbol!, query as QuoteQuery, now),
    quotes: ({ query, now }) => market.quotes(query as QuotesQuery, now),
    overview: ({ query, now }) => market.overview(query as OverviewQuery, now),
    signals: ({ query }) => signals.list(query as SignalQuery),
    signal: ({ params, query }) => signals.detail(params.id!, query as SignalDetailQuery),
    signingKey: ({ caller }) => signals.signingKey(caller!),
    signalLog: ({ query }) => signals.log(query as LogQuery),
    signalHeads: ({ query }) => heads.list(query as HeadsQuery),
    publishers: ({ query, now }) => signals.publishers(query as PublishersQuery, now),
    publisher: ({ params, query, now }) => signals.publisher(params.name!, query as PublisherQuery, now),
    publisherSignals: ({ params }) => signals.publisherSignals(params.name!),
    publisherFollowers: ({ params, query }) => signals.publisherFollowers(params.name!, query as FollowersQuery),
    publisherEquity: ({ params }) => signals.publisherEquity(params.name!),
    publicPublisher: ({ params, query, now }) => publicRecords.publisher(params.name!, query as PublisherQuery, now),
    publicRecords: ({ params, query }) => publicRecords.list(params.name!, query as PublicRecordsQuery),
    news: ({ query }) => news.list(query as NewsQuery),
    newsItem: ({ params, now }) => news.item(params.id!, now),
    newsSentiment: ({ query, now }) => news.sentiment(query as NewsSentimentQuery, now),
    newsCalibration: ({ now }) => news.calibration(now),
    calendar: ({ query, now }) => calendar.list(query as CalendarQuery, now),
    eventWindow: ({ params, query, now }) => calendar.window(params.symbol!, query as WindowQuery, now),
    aiSentiment: ({ request, caller, now }) => ai.sentiment(request, caller!, now, recording(caller!)),
    aiBrief: ({ params, caller, now }) => ai.brief(params.symbol!, caller!, now, recording(caller!)),
    aiModels: () => ai.models(),
    registration: () => accounts.registration(),
    setUp: (call) => accounts.setUp(call),
    checkSetup: (call) => accounts.checkSetup(call),
    checkInvitation: (call) => accounts.checkInvitation(call),
    signUp: (call) => accounts.signUp(call),
    signIn: (call) => accounts.signIn(call),
    signOut: (call) => accounts.signOut(call),
    signOutEverywhere: (call) => accounts.signOutEverywhere(call),
    changePassword: (call) => accounts.changePassword(call),
    deleteAccount: (call) => accounts.deleteAccount(call),
    account: (call) => accounts.account(call),
    sessions: (call) => accounts.sessions(call),
    revokeSession: (call) => accounts.revokeSession(call),
    twoFactor: (call) => twoFactor.status(call),
    setUpTwoFactor: (call) => twoFactor.setUp(call),
    confirmTwoFactor: (call) => twoFactor.confirm(call),
    disableTwoFactor: (call) => twoFactor.disable(call),
    documents: (call) => documents.list(call),
    document: (call) => documents.get(call),
    putDocument: (call) => documents.put(call),
    deleteDocument: (call) => documents.remove(call),
    keys: (call) => keys.list(call),
    createKey: (call) => keys.create(call),
    rotateKey: (call) => keys.rotate(call),
    revokeKey: (call) => keys.revoke(call),
    links: (call) => links.list(call),
    createLink: (call) => links.create(call),
    revokeLink: (call) => links.revoke(call),
    usageHistory: (call) => keys.history(call),
    accounts: (call) => operator.accounts(call),
    setAccountTier: (call) => operator.setTier(call),
    disableAccount: (call) => operator.disable(call),
    enableAccount: (call) => operator.enable(call),
    streams: (call) => operator.streams(call),
    invitations: (call) => operator.invitations(call),
    createInvitation: (call) => operator.invite(call),
    revokeInvitation: (call) => operator.revokeInvitation(call),
    auditLog: (call) => audit.list(call),
    eventStream,
    session: ({ now }) => market.session(now),
    usage: ({ caller, query, now }) => usage(caller!, query as UsageQuery, now),
    bars: (call) => history.bars(call),
    severalBars: (call) => history.severalBars(call),
    ticks: (call) => history.ticks(call),
    indicatorList: () => market.indicatorList(),
    indicators: ({ params, query }) => market.indicators(params.symbol!, query as IndicatorsQuery),
    hours: ({ params, query, now }) => market.hours(params.symbol!, query as HoursQuery, now),
    profile: ({ params, query, now }) => market.profile(params.symbol!, query as ProfileQuery, now),
    footprint: ({ params, query }) => market.footprint(params.symbol!, query as FootprintQuery),
    coverage: ({ params, query, now }) => market.coverage(params.symbol!, query as CoverageQuery, now),
    positionSize: ({ query }) => market.positionSize(query as PositionSizeQuery),
    udfConfig: () => udf.config(),
    udfSymbol: ({ query }) => udf.symbol(query as UdfSymbolQuery),
    udfSearch: ({ query }) => udf.search(query as UdfSearchQuery),
    udfHistory: ({ query }) => udf.history(query as UdfHistoryQuery),
    udfMarks: ({ query }) => udf.marks(query as UdfMarksQuery),
    udfQuotes: ({ query }) => udf.quotes(query as UdfQuotesQuery),
    udfTime: ({ now }) => udf.time(now),
    healthz: () => JSON.stringify({ status: stopping() ? 'stopping' : 'ok' }),
    readyz: () => readiness(checks(), stopping()),
  };
}
