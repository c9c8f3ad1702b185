// A method for every endpoint of the service, named as in its reference; those of accounts stand in groups of their own.
import type {
  ActiveSignal,
  AiBrief,
  AiModelList,
  AiSentiment,
  AiSentimentRequest,
  ClosedSignal,
  Coverage,
  FeedList,
  Health,
  IngestAnswer,
  IngestLine,
  InstrumentList,
  LogHead,
  LogPage,
  NewsCalibration,
  NewsIngestAnswer,
  NewsLine,
  NewsList,
  NewsSentiment,
  NewsSourceList,
  PublisherDetail,
  PublisherList,
  QuoteList,
  Readiness,
  SessionStatistics,
  SignalDetail,
  SignalList,
  SignalProof,
  SignalRequest,
  SymbolQuote,
  Usage,
  UsageHistory,
} from './contract.ts';
import { asJson, asLines, type CallOptions, get, type PostOptions, post, postOnce, type RestOptions } from './rest.ts';
import type {
  CoverageOptions,
  LogOptions,
  MarketDetailHistory,
  MarketHistory,
  MarketOptions,
  NewsDetailList,
  NewsOptions,
  NewsSentimentOptions,
  SignalOptions,
  TradingViewAlert,
  UsageHistoryOptions,
} from './wire.ts';

const marketPath = (symbol: string): string => `/api/market/${encodeURIComponent(symbol)}`;
const signalPath = (id: string): string => `/api/signals/${encodeURIComponent(id)}`;

export class RestCalls {
  readonly #rest: RestOptions;

  constructor(rest: RestOptions) {
    this.#rest = rest;
  }

  symbols(call?: CallOptions): Promise<InstrumentList> {
    return get(this.#rest, '/api/symbols', {}, call);
  }

  market(
    symbol: string,
    options: MarketOptions & { readonly detail: true },
    call?: CallOptions,
  ): Promise<MarketDetailHistory>;
  market(symbol: string, options?: MarketOptions, call?: CallOptions): Promise<MarketHistory>;
  market(symbol: string, options: MarketOptions = {}, call?: CallOptions): Promise<MarketHistory> {
    return get(this.#rest, marketPath(symbol), { ...options }, call);
  }

  quote(symbol: string, call?: CallOptions): Promise<SymbolQuote> {
    return get(this.#rest, `${marketPath(symbol)}/quote`, {}, call);
  }

  /** Which bars of a stretch are missing, and why. */
  coverage(symbol: string, options: CoverageOptions = {}, call?: CallOptions): Promise<Coverage> {
    return get(this.#rest, `${marketPath(symbol)}/coverage`, { ...options }, call);
  }

  /** All instruments that have a quote, or those named. */
  quotes(symbols?: readonly string[], call?: CallOptions): Promise<QuoteList> {
    return get(this.#rest, '/api/quotes', { symbols }, call);
  }

  signals(options: SignalOptions = {}, call?: CallOptions): Promise<SignalList> {
    return get(this.#rest, '/api/signals', { ...options }, call);
  }

  signal(id: string, call?: CallOptions): Promise<SignalDetail> {
    return get(this.#rest, signalPath(id), {}, call);
  }

  /** The records of the log that prove the signal. */
  signalProof(id: string, call?: CallOptions): Promise<SignalProof> {
    return get(this.#rest, `${signalPath(id)}/proof`, {}, call);
  }

  /** Needs a key with the scope `publish`. Sent again by itself where no answer came: that publishes nothing twice. */
  publishSignal(request: SignalRequest, options?: PostOptions): Promise<ActiveSignal> {
    return post(this.#rest, '/api/signals', asJson(request), options);
  }

  /** Closes a signal of your own at the market; one whose entry is pending is withdrawn. */
  closeSignal(id: string, options?: PostOptions): Promise<ClosedSignal> {
    return post(this.#rest, `${signalPath(id)}/close`, null, options);
  }

  /** Publishes as an alert of TradingView would; the key with the scope `hook` stands in the address. */
  tradingViewHook(token: string, alert: TradingViewAlert, call?: CallOptions): Promise<ActiveSignal> {
    return postOnce(this.#rest, `/hooks/tradingview/${encodeURIComponent(token)}`, asJson(alert), call);
  }

  /** A page of the signal log; `next` of it is the `after` of the following one. */
  signalLog(options: LogOptions = {}, call?: CallOptions): Promise<LogPage> {
    return get(this.#rest, '/api/signals/log', { ...options }, call);
  }

  signalHead(call?: CallOptions): Promise<LogHead> {
    return get(this.#rest, '/api/signals/head', {}, call);
  }

  /** Track records, the best first. */
  publishers(options: { readonly limit?: number } = {}, call?: CallOptions): Promise<PublisherList> {
    return get(this.#rest, '/api/publishers', { ...options }, call);
  }

  /** By display name or id. */
  publisher(name: string, call?: CallOptions): Promise<PublisherDetail> {
    return get(this.#rest, `/api/publishers/${encodeURIComponent(name)}`, {}, call);
  }

  /** Newest first. Page back with `before`: the id of the last item that you have. */
  news(options: NewsOptions & { readonly detail: true }, call?: CallOptions): Promise<NewsDetailList>;
  news(options?: NewsOptions, call?: CallOptions): Promise<NewsList>;
  news(options: NewsOptions = {}, call?: CallOptions): Promise<NewsList> {
    return get(this.#rest, '/api/news', { ...options }, call);
  }

  /** How many items of each label there were over the last day, week or month, and their mean score. */
  newsSentiment(options: NewsSentimentOptions = {}, call?: CallOptions): Promise<NewsSentiment> {
    return get(this.#rest, '/api/news/sentiment', { ...options }, call);
  }

  /** How the market moved after the news, by model, category and label. */
  newsCalibration(call?: CallOptions): Promise<NewsCalibration> {
    return get(this.#rest, '/api/news/calibration', {}, call);
  }

  /** Needs a key with the scope `admin`. */
  newsSources(call?: CallOptions): Promise<NewsSourceList> {
    return get(this.#rest, '/api/news/sources', {}, call);
  }

  /** The sentiment of a text. An answer is an AI call of the account. */
  aiSentiment(request: AiSentimentRequest, call?: CallOptions): Promise<AiSentiment> {
    return postOnce(this.#rest, '/api/ai/sentiment', asJson(request), call);
  }

  /** A short brief on an instrument, every figure of it cited. An answer is an AI call of the account. */
  aiBrief(symbol: string, call?: CallOptions): Promise<AiBrief> {
    return get(this.#rest, `/api/ai/brief/${encodeURIComponent(symbol)}`, {}, call);
  }

  /** Not an AI call. */
  aiModels(call?: CallOptions): Promise<AiModelList> {
    return get(this.#rest, '/api/ai/models', {}, call);
  }

  session(call?: CallOptions): Promise<SessionStatistics> {
    return get(this.#rest, '/api/session', {}, call);
  }

  usage(call?: CallOptions): Promise<Usage> {
    return get(this.#rest, '/api/usage', {}, call);
  }

  /** What the account has used over time, and by key. */
  usageHistory(options: UsageHistoryOptions = {}, call?: CallOptions): Promise<UsageHistory> {
    return get(this.#rest, '/api/usage/history', { ...options }, call);
  }

  /** How the sources of prices are doing. Needs a key with the scope `admin`. */
  feeds(call?: CallOptions): Promise<FeedList> {
    return get(this.#rest, '/api/feeds', {}, call);
  }

  /** Your own quotes and trades. Each is taken or refused for itself. Needs a key with the scope `ingest`. */
  ingestTicks(lines: Iterable<IngestLine>, options?: PostOptions): Promise<IngestAnswer> {
    return post(this.#rest, '/ingest/ticks', asLines(lines), options);
  }

  /** Your own news. Each item is taken or refused for itself. Needs a key with the scope `ingest`. */
  ingestNews(lines: Iterable<NewsLine>, options?: PostOptions): Promise<NewsIngestAnswer> {
    return post(this.#rest, '/ingest/news', asLines(lines), options);
  }

  /** Whether the process lives. */
  healthz(call?: CallOptions): Promise<Health> {
    return get(this.#rest, '/healthz', {}, call);
  }

  /** Whether the service can do its work; a TickwireError with status 503 where it cannot. */
  readyz(call?: CallOptions): Promise<Readiness> {
    return get(this.#rest, '/readyz', {}, call);
  }
}
