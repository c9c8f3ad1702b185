// One method for each endpoint of the service, named as in its API reference. Account, key and operator endpoints have
// classes of their own.
import type {
  AiBrief,
  AiModelList,
  AiSentiment,
  AiSentimentRequest,
  AmendRequest,
  BarsPage,
  ClosedSignal,
  ClosingSignal,
  Coverage,
  EvidenceLine,
  FeedList,
  FollowerResults,
  Health,
  IndicatorList,
  IndicatorPage,
  IndicatorSet,
  IndicatorText,
  IngestAnswer,
  IngestLine,
  InstrumentList,
  KeptHeadPage,
  LogHead,
  LogPage,
  NewsCalibration,
  NewsIngestAnswer,
  NewsLine,
  NewsList,
  NewsSentiment,
  NewsSourceList,
  PositionSize,
  PublicRecordPage,
  PublishedSignal,
  PublisherDetail,
  PublisherList,
  QuoteList,
  Readiness,
  SessionStatistics,
  SignalDetail,
  SignalProof,
  SignalRequest,
  SymbolQuote,
  TradingHours,
  Usage,
  UsageHistory,
} from '../common/contract.ts';
import type { IndicatorsOptions } from './indicator-options.ts';
import type {
  BarsOptions,
  CoverageOptions,
  EvidenceDay,
  EvidenceOptions,
  HoursOptions,
  MarketDetailHistory,
  MarketHistory,
  MarketOptions,
  NewsDetailList,
  NewsOptions,
  NewsSentimentOptions,
  PositionSizeOptions,
  PublicRecordOptions,
  PublisherListOptions,
  PublisherOptions,
  SignalDetailList,
  SignalHeadsOptions,
  SignalLogOptions,
  SignalOptions,
  SignalPage,
  SymbolsOptions,
  TradingViewAlert,
  UsageHistoryOptions,
} from './options.ts';
import {
  type CallOptions,
  type CloseOptions,
  get,
  getCsv,
  getLines,
  jsonBody,
  ndjsonBody,
  type PostOptions,
  postIdempotent,
  postOnce,
  type RestConfig,
} from './request.ts';

const marketPath = (symbol: string): string => `/api/market/${encodeURIComponent(symbol)}`;
const signalPath = (id: string): string => `/api/signals/${encodeURIComponent(id)}`;

/** The REST methods of {@link TickwireClient}. Each rejects with a {@link TickwireError} if the call fails. */
export class RestApi {
  readonly #rest: RestConfig;

  /** Created by {@link TickwireClient}. */
  constructor(rest: RestConfig) {
    this.#rest = rest;
  }

  /**
   * All instruments with their contract specification. With `detail: true`, also digits, currencies, the source of the terms and
   * trading hours.
   * @example const { items } = await client.symbols();
   */
  symbols({ detail, ...call }: SymbolsOptions & CallOptions = {}): Promise<InstrumentList> {
    return get(this.#rest, '/api/symbols', detail === undefined ? {} : { detail }, call);
  }

  /**
   * Bars of one instrument in ascending order, and its current quote. An interval without data has no bar.
   * With `detail: true`, each bar has the volumes at the bid and at the ask.
   * @example const { ohlcv } = await client.market('XAUUSD', { timeframe: '5m', detail: true });
   */
  market(
    symbol: string,
    options: MarketOptions & { readonly detail: true },
    call?: CallOptions,
  ): Promise<MarketDetailHistory>;
  /**
   * Bars of one instrument in ascending order, and its current quote. An interval without data has no bar.
   * @example const { ohlcv, quote } = await client.market('XAUUSD', { timeframe: '1h', bars: 100 });
   */
  market(symbol: string, options?: MarketOptions, call?: CallOptions): Promise<MarketHistory>;
  market(symbol: string, options: MarketOptions = {}, call?: CallOptions): Promise<MarketHistory> {
    return get(this.#rest, marketPath(symbol), { ...options }, call);
  }

  /**
   * The current bid and ask of one instrument.
   * @example const { bid, ask } = await client.quote('EURUSD');
   */
  quote(symbol: string, call?: CallOptions): Promise<SymbolQuote> {
    return get(this.#rest, `${marketPath(symbol)}/quote`, {}, call);
  }

  /**
   * Bars of any interval, one page: the newest, or from a time on.
   * @example const { items, next } = await client.bars('EURUSD', { interval: '1d', align: 'ny' });
   */
  bars(symbol: string, options: BarsOptions = {}, call?: CallOptions): Promise<BarsPage> {
    return get(this.#rest, `/api/bars/${encodeURIComponent(symbol)}`, { ...options }, call);
  }

  /**
   * Every indicator of the service with its inputs, lines and formula.
   * @example const { items } = await client.indicatorList();
   */
  indicatorList(call?: CallOptions): Promise<IndicatorList> {
    return get(this.#rest, '/api/indicators', {}, call);
  }

  /**
   * Values of one indicator, one page: on the newest bars, or from a time on. Inputs that are left out have their defaults.
   * @example const { items } = await client.indicators('EURUSD', 'rsi(14)', { interval: '5m' });
   */
  indicators(
    symbol: string,
    indicator: IndicatorText,
    options?: IndicatorsOptions,
    call?: CallOptions,
  ): Promise<IndicatorPage>;
  /**
   * Values of several indicators on the same bars, one page.
   * @example const { indicators } = await client.indicators('EURUSD', ['rsi(14)', 'macd(12,26,9)'], { interval: '1h' });
   */
  indicators(
    symbol: string,
    indicators: readonly IndicatorText[],
    options?: IndicatorsOptions,
    call?: CallOptions,
  ): Promise<IndicatorSet>;
  indicators(
    symbol: string,
    indicator: IndicatorText | readonly IndicatorText[],
    options: IndicatorsOptions = {},
    call?: CallOptions,
  ): Promise<IndicatorPage | IndicatorSet> {
    const which = typeof indicator === 'string' ? { name: indicator } : { indicators: indicator.join(',') };
    return get(this.#rest, `/api/indicators/${encodeURIComponent(symbol)}`, { ...which, ...options }, call);
  }

  /**
   * Which bars of a range are absent, and why: market closed, no trades, or missing.
   * @example const { absent } = await client.coverage('EURUSD', { timeframe: '1m' });
   */
  coverage(symbol: string, options: CoverageOptions = {}, call?: CallOptions): Promise<Coverage> {
    return get(this.#rest, `${marketPath(symbol)}/coverage`, { ...options }, call);
  }

  /**
   * Trading sessions and holidays of one instrument, from its calendar.
   * @example const { sessions, closed } = await client.hours('UK100', { from: '2026-12-20', to: '2027-01-05' });
   */
  hours(symbol: string, options: HoursOptions = {}, call?: CallOptions): Promise<TradingHours> {
    return get(this.#rest, `${marketPath(symbol)}/hours`, { ...options }, call);
  }

  /**
   * The lots that lose a given share of an account if the stop is hit.
   * @example
   * const { lots } = await client.positionSize({ symbol: 'EURUSD', entry: 1.084, stop_loss: 1.081, balance: 10_000 });
   */
  positionSize(options: PositionSizeOptions, call?: CallOptions): Promise<PositionSize> {
    return get(this.#rest, '/api/position-size', { ...options }, call);
  }

  /**
   * The current bid and ask of up to 200 named instruments, or of all. Instruments without a quote are left out. `rejected`
   * lists named symbols that do not exist; if none of them exists, the call fails with `symbol_not_found`.
   * @example const { items, rejected } = await client.quotes(['EURUSD', 'XAUUSD']);
   */
  quotes(symbols?: readonly string[], call?: CallOptions): Promise<QuoteList> {
    return get(this.#rest, '/api/quotes', { symbols, detail: symbols && true }, call);
  }

  /**
   * Published signals, newest first. With `detail: true`, each has its order type, state, fill, exits and stop in force.
   * @example const { items } = await client.signals({ status: 'active', detail: true });
   */
  signals(options: SignalOptions & { readonly detail: true }, call?: CallOptions): Promise<SignalDetailList>;
  /**
   * Published signals, newest first.
   * @example const { items } = await client.signals({ status: 'closed', limit: 20 });
   */
  signals(options?: SignalOptions, call?: CallOptions): Promise<SignalPage>;
  signals(options: SignalOptions = {}, call?: CallOptions): Promise<SignalPage | SignalDetailList> {
    return get(this.#rest, '/api/signals', { ...options }, call);
  }

  /**
   * One signal with its order type, its deadline and its records in the log.
   * @example const { status, expires_at } = await client.signal('sig_1');
   */
  signal(id: string, call?: CallOptions): Promise<SignalDetail> {
    return get(this.#rest, signalPath(id), {}, call);
  }

  /**
   * The log records that prove a signal.
   * @example const { published, closed, head } = await client.signalProof('sig_1');
   */
  signalProof(id: string, call?: CallOptions): Promise<SignalProof> {
    return get(this.#rest, `${signalPath(id)}/proof`, {}, call);
  }

  /**
   * Publishes a signal. Afterwards only its stop can be tightened. Needs the scope `publish`. Safe to repeat: a lost response
   * publishes no second signal.
   * @example await client.publishSignal({ symbol: 'EURUSD', direction: 'buy', entry: 1.084, stop_loss: 1.081, take_profit: 1.09 });
   */
  publishSignal(request: SignalRequest, options?: PostOptions): Promise<PublishedSignal> {
    return postIdempotent(this.#rest, '/api/signals', jsonBody(request), options);
  }

  /**
   * Requests to close one of your own signals, or to withdraw it if its entry is still pending. The next quote of its
   * instrument does it. If none comes within 5 seconds, the result is the active signal, with `close_requested_at`.
   * @example const result = await client.closeSignal('sig_1'); // result.status === 'closed' && result.pnl, in pips
   */
  closeSignal(id: string, options: CloseOptions = {}): Promise<ClosedSignal | ClosingSignal> {
    const { signed, ...rest } = options;
    return postIdempotent(this.#rest, `${signalPath(id)}/close`, signed ? jsonBody({ signed }) : null, rest);
  }

  /**
   * Tightens the stop of one of your own signals: raises it for a buy, lowers it for a sell. Nothing else can be changed.
   * @example const { current_stop_loss } = await client.amendSignal('sig_1', { stop_loss: 1.0825 });
   */
  amendSignal(id: string, request: AmendRequest, options?: PostOptions): Promise<SignalDetail> {
    return postIdempotent(this.#rest, `${signalPath(id)}/amend`, jsonBody(request), options);
  }

  /**
   * Publishes a signal the way a TradingView alert does. The token is a key with the scope `hook`.
   * @example await client.tradingViewHook('tw_…', { symbol: 'FX:EURUSD', direction: 'long', entry: '1.084', stop_loss: '1.081', take_profit: '1.09' });
   */
  tradingViewHook(token: string, alert: TradingViewAlert, call?: CallOptions): Promise<PublishedSignal> {
    return postOnce(this.#rest, `/hooks/tradingview/${encodeURIComponent(token)}`, jsonBody(alert), call);
  }

  /**
   * A page of the signal log. Pass its `next` as `after` to get the following page.
   * @example const { items, next } = await client.signalLog({ after: -1, limit: 500 });
   */
  signalLog(options: SignalLogOptions = {}, call?: CallOptions): Promise<LogPage> {
    return get(this.#rest, '/api/signals/log', { ...options }, call);
  }

  /**
   * Number and hash of the last log record, signed.
   * @example const { n, hash, signature } = await client.signalHead();
   */
  signalHead(call?: CallOptions): Promise<LogHead> {
    return get(this.#rest, '/api/signals/head', {}, call);
  }

  /**
   * A page of the heads that the service keeps, with the time stamps of outside authorities.
   * @example const { items, next } = await client.signalHeads({ after: -1 });
   */
  signalHeads(options: SignalHeadsOptions = {}, call?: CallOptions): Promise<KeptHeadPage> {
    return get(this.#rest, '/api/signals/heads', { ...options }, call);
  }

  /**
   * The ticks of one instrument on one UTC day, as they arrive. The timeout of the call is that of the first byte.
   * @example
   * const { sealed, lines } = await client.evidence('2026-03-02', 'XAUUSD');
   * for await (const line of lines) if ('bid' in line) console.log(line.seq, line.bid);
   */
  async evidence(day: string, symbol: string, options: EvidenceOptions = {}, call?: CallOptions): Promise<EvidenceDay> {
    const path = `/api/evidence/${encodeURIComponent(day)}/${encodeURIComponent(symbol)}`;
    const { headers, lines } = await getLines<EvidenceLine>(this.#rest, path, { ...options }, call);
    const sha256 = headers.get('Evidence-SHA256');
    return { sealed: sha256 !== null, sha256, lines };
  }

  /**
   * Publishers with their track records, the best first.
   * @example const { items } = await client.publishers({ limit: 10 });
   */
  publishers(options: PublisherListOptions = {}, call?: CallOptions): Promise<PublisherList> {
    return get(this.#rest, '/api/publishers', { ...options }, call);
  }

  /**
   * The track record of one publisher, by display name or id.
   * @example const { total_r, equity } = await client.publisher('House Trend');
   */
  publisher(name: string, { risk, ...call }: PublisherOptions & CallOptions = {}): Promise<PublisherDetail> {
    return get(this.#rest, publisherPath(name), { risk }, call);
  }

  /**
   * All signals of a publisher as CSV, newest first.
   * @example const csv = await client.publisherSignals('House Trend');
   */
  publisherSignals(name: string, call?: CallOptions): Promise<string> {
    return getCsv(this.#rest, `${publisherPath(name)}/signals.csv`, call);
  }

  /**
   * What followers of a publisher would have had 1, 5 and 30 seconds later, over the newest closed signals.
   * @example const { delays } = await client.publisherFollowers('House Trend', { limit: 100 });
   */
  publisherFollowers(
    name: string,
    { limit, ...call }: { readonly limit?: number } & CallOptions = {},
  ): Promise<FollowerResults> {
    return get(this.#rest, `${publisherPath(name)}/followers`, { limit }, call);
  }

  /**
   * The complete equity curve of a publisher as CSV, in order of closing.
   * @example const csv = await client.publisherEquity('House Trend');
   */
  publisherEquity(name: string, call?: CallOptions): Promise<string> {
    return getCsv(this.#rest, `${publisherPath(name)}/equity.csv`, call);
  }

  /**
   * The track record of one publisher without a key. Available if the operator has turned on public records.
   * @example const { status, e_value } = await client.publicPublisher('House Trend');
   */
  publicPublisher(name: string, { risk, ...call }: PublisherOptions & CallOptions = {}): Promise<PublisherDetail> {
    return get(this.#rest, publicPath(name), { risk }, call);
  }

  /**
   * The log records of a publisher's signals without a key, newest signal first. To page back, pass `next` as `before`.
   * @example const { items, next } = await client.publicRecords('House Trend', { limit: 50 });
   */
  publicRecords(name: string, options: PublicRecordOptions = {}, call?: CallOptions): Promise<PublicRecordPage> {
    return get(this.#rest, `${publicPath(name)}/records`, { ...options }, call);
  }

  /**
   * Headlines with sentiment, newest first. To page back, pass the id of the last item as `before`.
   * With `detail: true`, each headline has its id, source, symbols and revision.
   * @example const { items } = await client.news({ symbol: 'XAUUSD', detail: true });
   */
  news(options: NewsOptions & { readonly detail: true }, call?: CallOptions): Promise<NewsDetailList>;
  /**
   * Headlines with sentiment, newest first. To page back, pass the id of the last item as `before`.
   * @example const { items } = await client.news({ category: 'gold', limit: 50 });
   */
  news(options?: NewsOptions, call?: CallOptions): Promise<NewsList>;
  news(options: NewsOptions = {}, call?: CallOptions): Promise<NewsList> {
    return get(this.#rest, '/api/news', { ...options }, call);
  }

  /**
   * Headlines of the last day, week or month counted by label, with their average score from −1 to 1.
   * @example const { items } = await client.newsSentiment({ period: 'week' });
   */
  newsSentiment(options: NewsSentimentOptions = {}, call?: CallOptions): Promise<NewsSentiment> {
    return get(this.#rest, '/api/news/sentiment', { ...options }, call);
  }

  /**
   * How the market moved after headlines, by model, category and label.
   * @example const { items } = await client.newsCalibration();
   */
  newsCalibration(call?: CallOptions): Promise<NewsCalibration> {
    return get(this.#rest, '/api/news/calibration', {}, call);
  }

  /**
   * State of the news sources. Needs the scope `admin`.
   * @example const { items } = await client.newsSources();
   */
  newsSources(call?: CallOptions): Promise<NewsSourceList> {
    return get(this.#rest, '/api/news/sources', {}, call);
  }

  /**
   * Scores the sentiment of a text. A success counts as one AI call of the account; the request is never repeated.
   * @example const { sentiment, sentiment_score } = await client.aiSentiment({ text: 'Gold rises to a record', symbol: 'XAUUSD' });
   */
  aiSentiment(request: AiSentimentRequest, call?: CallOptions): Promise<AiSentiment> {
    return postOnce(this.#rest, '/api/ai/sentiment', jsonBody(request), call);
  }

  /**
   * A short brief on one instrument, with a citation for each figure. A success counts as one AI call of the account.
   * @example const { text, citations } = await client.aiBrief('EURUSD');
   */
  aiBrief(symbol: string, call?: CallOptions): Promise<AiBrief> {
    return get(this.#rest, `/api/ai/brief/${encodeURIComponent(symbol)}`, {}, call);
  }

  /**
   * The models, their tasks and whether they are available. Does not count as an AI call.
   * @example const { items } = await client.aiModels();
   */
  aiModels(call?: CallOptions): Promise<AiModelList> {
    return get(this.#rest, '/api/ai/models', {}, call);
  }

  /**
   * Statistics of the running service: active instruments, connected clients, uptime.
   * @example const { instruments_active, uptime_seconds } = await client.session();
   */
  session(call?: CallOptions): Promise<SessionStatistics> {
    return get(this.#rest, '/api/session', {}, call);
  }

  /**
   * The tier of the account and what is left of its allowances.
   * @example const { requests, streams, ai_calls } = await client.usage();
   */
  usage(call?: CallOptions): Promise<Usage> {
    return get(this.#rest, '/api/usage', {}, call);
  }

  /**
   * What the account used over time, and by key.
   * @example const { points, keys } = await client.usageHistory({ period: 'month' });
   */
  usageHistory(options: UsageHistoryOptions = {}, call?: CallOptions): Promise<UsageHistory> {
    return get(this.#rest, '/api/usage/history', { ...options }, call);
  }

  /**
   * State of the price feeds. Needs the scope `admin`.
   * @example const { items, quarantine } = await client.feeds();
   */
  feeds(call?: CallOptions): Promise<FeedList> {
    return get(this.#rest, '/api/feeds', {}, call);
  }

  /**
   * Pushes your own quotes and trades. Each line is accepted or rejected on its own. Needs the scope `ingest`.
   * @example const { accepted } = await client.ingestTicks([{ symbol: 'EURUSD', time: Date.now(), bid: 1.084, ask: 1.0841 }]);
   */
  ingestTicks(lines: Iterable<IngestLine>, options?: PostOptions): Promise<IngestAnswer> {
    return postIdempotent(this.#rest, '/ingest/ticks', ndjsonBody(lines), options);
  }

  /**
   * Pushes your own headlines. Each line is accepted or rejected on its own. Needs the scope `ingest`.
   * @example const { accepted } = await client.ingestNews([{ title: 'Gold rises to a record', category: 'gold' }]);
   */
  ingestNews(lines: Iterable<NewsLine>, options?: PostOptions): Promise<NewsIngestAnswer> {
    return postIdempotent(this.#rest, '/ingest/news', ndjsonBody(lines), options);
  }

  /**
   * Whether the process is alive. Needs no key.
   * @example const { status } = await client.healthz();
   */
  healthz(call?: CallOptions): Promise<Health> {
    return get(this.#rest, '/healthz', {}, call);
  }

  /**
   * Whether the service is ready. Rejects with a {@link TickwireError} of status 503 if it is not. Needs no key.
   * @example const { checks } = await client.readyz();
   */
  readyz(call?: CallOptions): Promise<Readiness> {
    return get(this.#rest, '/readyz', {}, call);
  }
}

const publisherPath = (name: string): string => `/api/publishers/${encodeURIComponent(name)}`;
const publicPath = (name: string): string => `/public/publishers/${encodeURIComponent(name)}`;
