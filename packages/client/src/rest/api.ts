// Generated from the contract by `node packages/server/bin/bun.mjs tools/client/generate.ts`. Do not edit.
// One method for each endpoint of the service.
import type {
  Account,
  AccountDeleted,
  AccountDocument,
  AccountReport,
  AccountReportList,
  AiBrief,
  AiModelList,
  AiSentiment,
  AiSentimentRequest,
  Alert,
  AlertList,
  AlertTest,
  AmendRequest,
  AuditList,
  BarsPage,
  BarsPages,
  CalendarIngestAnswer,
  CalendarLine,
  CalendarPage,
  CalendarSourceList,
  ChatChannel,
  ChatChannelChange,
  ChatChannelList,
  ChatChannelRequest,
  ChatMessageList,
  Confirmation,
  Confirmed,
  Coverage,
  CreatedAlert,
  CreatedChatChannel,
  CreatedDestination,
  CreatedSubscription,
  DataLink,
  DataLinkList,
  Delivery,
  DeliveryList,
  Destination,
  DestinationList,
  DestinationRequest,
  DocumentInfo,
  DocumentKind,
  DocumentList,
  EventWindow,
  FeedList,
  FiringList,
  FollowerResults,
  FootprintPage,
  Health,
  IndicatorList,
  IngestAnswer,
  IngestLine,
  Instrument,
  InstrumentList,
  InstrumentRequest,
  InstrumentSource,
  Invitation,
  InvitationList,
  IssuedDataLink,
  IssuedInvitation,
  IssuedKey,
  KeptHeadPage,
  KeyInfo,
  KeyList,
  KeyRotation,
  LanguageModelReport,
  LinkCheck,
  LinkCheckRequest,
  LogHead,
  LogPage,
  MarketsChange,
  MarketsReport,
  NewsCalibration,
  NewsIngestAnswer,
  NewsItemDetail,
  NewsLine,
  NewsSentiment,
  NewsSourceList,
  Overview,
  PasswordChange,
  PasswordChanged,
  Perpetual,
  PositionSize,
  PracticeRecord,
  Preferences,
  PreferencesChange,
  Profile,
  PublicRecordPage,
  PublishedSignal,
  PublisherDetail,
  PublisherList,
  PushKey,
  Readiness,
  Registration,
  ReplaySession,
  ReplaySessionChange,
  ReplaySessionList,
  ReplaySessionRequest,
  SavedPracticeInfo,
  SavedPracticeList,
  SavePracticeRequest,
  SessionList,
  SessionStatistics,
  SessionsEnded,
  SetupRequest,
  SignalDetail,
  SignalDraftList,
  SignalEditList,
  SignalProof,
  SignalRequest,
  SignalText,
  SignInRequest,
  SigningKey,
  SignUpRequest,
  StreamReportList,
  Subscription,
  SubscriptionList,
  SymbolQuote,
  TicksPage,
  TradingHours,
  TwoFactorConfirmed,
  TwoFactorSecret,
  TwoFactorStatus,
  UdfConfig,
  UdfHistory,
  UdfMarks,
  UdfQuotes,
  UdfSearchResult,
  UdfSymbol,
  Usage,
  UsageHistory,
  VenueInstrumentList,
} from '../common/contract.ts';
import { ApiBase } from './api-base.ts';
import type {
  AlertsOptions,
  AuditOptions,
  BarsOptions,
  CalendarOptions,
  CoverageOptions,
  DeliveriesOptions,
  DocumentListOptions,
  EventWindowOptions,
  FiringsOptions,
  FootprintOptions,
  HoursOptions,
  NewsSentimentOptions,
  OverviewOptions,
  PerpetualOptions,
  PositionSizeOptions,
  ProfileOptions,
  PublicRecordOptions,
  PublisherListOptions,
  PublisherOptions,
  SignalDetailOptions,
  SignalHeadsOptions,
  SignalLogOptions,
  StreamReportOptions,
  SymbolsOptions,
  TicksOptions,
  UdfHistoryOptions,
  UdfRange,
  UdfSearchOptions,
  UsageHistoryOptions,
  UsageOptions,
  VenueSearchOptions,
} from './options.ts';
import {
  type CallOptions,
  get,
  getCsv,
  jsonBody,
  ndjsonBody,
  type PostOptions,
  patchOnce,
  postIdempotent,
  postOnce,
  putOnce,
  remove,
} from './request.ts';
import type {
  DocumentPutOptions,
  NewAlert,
  NewAlertFields,
  NewDataLink,
  NewInvitation,
  NewKey,
  NewSubscription,
  TradingViewAlert,
} from './request-types.ts';
import { SpecialCalls } from './special-calls.ts';

/**
 * The REST methods of {@link TickwireClient}, named as in the API reference. Each rejects with a {@link TickwireError}
 * if the call fails.
 */
export class RestApi extends SpecialCalls {
  /**
   * Returns every instrument with its contract specification.
   * @example const { items } = await client.symbols();
   */
  symbols({ detail, ...call }: SymbolsOptions & CallOptions = {}): Promise<InstrumentList> {
    return get(this.rest, '/api/symbols', { detail }, call);
  }

  /**
   * Returns the current bid and ask of one instrument. A stale quote has its age in the header `Quote-Age`, and no
   * signal can be published against it.
   * @example const { symbol, bid } = await client.quote('EURUSD');
   */
  quote(symbol: string, call?: CallOptions): Promise<SymbolQuote> {
    return get(this.rest, `/api/market/${encodeURIComponent(symbol)}/quote`, {}, call);
  }

  /**
   * Returns bars of any number of minutes, days, weeks or months, page by page: the newest, then older ones; with
   * `from`, the oldest from there on, then newer ones. The last interval of a day is shorter if it does not divide the
   * day. Weeks start on Monday (`ny`: on Sunday at 17:00).
   * @example const { items, next } = await client.bars('EURUSD', { interval: '1d', align: 'ny', limit: 2 });
   */
  bars(symbol: string, options: BarsOptions = {}, call?: CallOptions): Promise<BarsPage> {
    return get(this.rest, `/api/bars/${encodeURIComponent(symbol)}`, { ...options }, call);
  }

  /**
   * Returns a page of bars for each instrument, as `bars` does; `limit` applies to each.
   * @example const { items } = await client.severalBars(['EURUSD', 'XAUUSD'], { interval: '1d', limit: 1 });
   */
  severalBars(
    symbols: readonly string[],
    options: Omit<BarsOptions, 'cursor'> = {},
    call?: CallOptions,
  ): Promise<BarsPages> {
    return get(this.rest, '/api/bars', { ...options, symbols }, call);
  }

  /**
   * Returns recorded quotes or trades, page by page: the newest, then older ones; with `from`, the oldest from there
   * on, then newer ones. Ticks are kept for the days in the header `Tape-Retention-Days`, imported days for good.
   * @example const { items, next } = await client.ticks('EURUSD', { kind: 'trades', from: '2026-03-02T11:00:00Z', limit: 2 });
   */
  ticks(symbol: string, options: TicksOptions = {}, call?: CallOptions): Promise<TicksPage> {
    return get(this.rest, `/api/ticks/${encodeURIComponent(symbol)}`, { ...options }, call);
  }

  /**
   * Returns how much was bought and sold at each price level of a range of up to 31 days, by default the current UTC
   * day. A response has up to 5,000 levels.
   * @example const { symbol, level } = await client.profile('EURUSD', { from: '2026-03-02T11:00:00Z', to: '2026-03-02T11:29:59Z' });
   */
  profile(symbol: string, options: ProfileOptions = {}, call?: CallOptions): Promise<Profile> {
    return get(this.rest, `/api/profile/${encodeURIComponent(symbol)}`, { ...options }, call);
  }

  /**
   * Returns how much was bought and sold at each price level of each bar, page by page as in `bars`. The levels of a
   * bar and its `uncovered_volume` add up to its volume.
   * @example const { items, next } = await client.footprint('EURUSD', { interval: '5m', limit: 1 });
   */
  footprint(symbol: string, options: FootprintOptions = {}, call?: CallOptions): Promise<FootprintPage> {
    return get(this.rest, `/api/footprint/${encodeURIComponent(symbol)}`, { ...options }, call);
  }

  /**
   * Returns every indicator with its inputs, their defaults and ranges, its lines and its formula.
   * @example const { items } = await client.indicatorList();
   */
  indicatorList(call?: CallOptions): Promise<IndicatorList> {
    return get(this.rest, '/api/indicators', {}, call);
  }

  /**
   * Lists the bars that are missing in a range of up to 50,000 bars, with the reason.
   * @example const { symbol, timeframe } = await client.coverage('EURUSD', { timeframe: '1m' });
   */
  coverage(symbol: string, options: CoverageOptions = {}, call?: CallOptions): Promise<Coverage> {
    return get(this.rest, `/api/market/${encodeURIComponent(symbol)}/coverage`, { ...options }, call);
  }

  /**
   * Returns the sessions and holidays of one instrument in a range of up to 366 days, by its trading calendar.
   * Simulated markets can trade outside it.
   * @example const { symbol, timezone } = await client.hours('US500', { from: '2026-11-25', to: '2026-11-28' });
   */
  hours(symbol: string, options: HoursOptions = {}, call?: CallOptions): Promise<TradingHours> {
    return get(this.rest, `/api/market/${encodeURIComponent(symbol)}/hours`, { ...options }, call);
  }

  /**
   * Returns what the venue publishes beside prices, and the newest liquidations. Figures are `null` until the venue
   * sends them, also after a restart.
   * @example const { symbol, venue } = await client.perpetual('BTCUSDT.P', { limit: 1 });
   */
  perpetual(symbol: string, options: PerpetualOptions = {}, call?: CallOptions): Promise<Perpetual> {
    return get(this.rest, `/api/market/${encodeURIComponent(symbol)}/perpetual`, { ...options }, call);
  }

  /**
   * Returns the feed that delivers one instrument now, and why another venue does not.
   * @example const { symbol, feed } = await client.priceSource('BTCUSD');
   */
  priceSource(symbol: string, call?: CallOptions): Promise<InstrumentSource> {
    return get(this.rest, `/api/market/${encodeURIComponent(symbol)}/source`, {}, call);
  }

  /**
   * Returns the lots that lose at most `risk_percent` of `balance` if the market goes from `entry` to `stop_loss`,
   * without slippage and fees. Currencies are converted at the middle of current quotes.
   * @example
   * const { symbol, lots } = await client.positionSize({
   *   symbol: 'EURUSD',
   *   entry: 1.084,
   *   stop_loss: 1.081,
   *   balance: 10000,
   *   currency: 'USD',
   *   risk_percent: 1,
   * });
   */
  positionSize(options: PositionSizeOptions, call?: CallOptions): Promise<PositionSize> {
    return get(this.rest, '/api/position-size', { ...options }, call);
  }

  /**
   * Returns open, high, low and change of the UTC day, and the closing prices of the last 24 hours, from 15-minute
   * bars. Unknown symbols are omitted; if none exists: 404.
   * @example const { items } = await client.overview({ symbols: ['EURUSD', 'XAUUSD'] });
   */
  overview({ symbols, ...call }: OverviewOptions & CallOptions = {}): Promise<Overview> {
    return get(this.rest, '/api/overview', { symbols }, call);
  }

  /**
   * Returns up to 20 listed instruments of a venue, or of each (`all`).
   * @example const { items } = await client.venueInstruments('all', { q: 'atom' });
   */
  venueInstruments(venue: string, options: VenueSearchOptions = {}, call?: CallOptions): Promise<VenueInstrumentList> {
    return get(this.rest, `/api/venues/${encodeURIComponent(venue)}/instruments`, { ...options }, call);
  }

  /**
   * Adds a listed instrument, which streams within seconds. A key needs the scope `admin`.
   * @example await client.addInstrument({ venue: 'binance', symbol: 'ATOMUSDT' });
   */
  addInstrument(request: InstrumentRequest, call?: CallOptions): Promise<Instrument> {
    return postOnce(this.rest, '/api/instruments', jsonBody(request), call);
  }

  /**
   * Returns the connection state and counters of each feed, and the last prices rejected as implausible. A key needs
   * the scope `admin`.
   * @example const { items } = await client.feeds();
   */
  feeds(call?: CallOptions): Promise<FeedList> {
    return get(this.rest, '/api/feeds', {}, call);
  }

  /**
   * Accepts quotes and trades from your own sources. Each line is accepted or rejected separately. The rate limit
   * counts lines, not requests. A key needs the scope `ingest`. Safe to repeat: a lost response has no second effect.
   * @example
   * await client.ingestTicks([
   *   { symbol: 'EURUSD', time: 1772450647318, bid: 1.08412, ask: 1.08424 },
   *   {
   *     symbol: 'BTCUSD',
   *     time: '2026-03-02T11:24:07.402Z',
   *     price: 67120.5,
   *     size: 0.02,
   *     side: 'buy',
   *   },
   *   { symbol: 'XAUUSD', time: 1772450647500, bid: 2412.7, ask: 2412.61 },
   * ]);
   */
  ingestTicks(lines: Iterable<IngestLine>, options?: PostOptions): Promise<IngestAnswer> {
    return postIdempotent(this.rest, '/ingest/ticks', ndjsonBody(lines), options);
  }

  /**
   * Publish a signal. The signal is checked against the newest quote. A market order, or an `entry` near the market, is
   * filled by the next quote; any other is pending as a limit or stop order. Only the stop can be tightened later. When
   * the response arrives, the publication is in the log. Instead of fields, a `text` with one signal can be sent. The
   * tier limits the signals per UTC day and the active signals per instrument. A key needs the scope `publish`. Safe to
   * repeat: a lost response has no second effect.
   * @example
   * await client.publishSignal({
   *   symbol: 'EURUSD',
   *   direction: 'buy',
   *   entry: 1.084,
   *   stop_loss: 1.081,
   *   take_profit: 1.09,
   *   expires_at: '2026-03-06T21:00:00Z',
   *   note: 'Back above the morning range; out before the weekend.',
   * });
   */
  publishSignal(request: SignalRequest | SignalText, options?: PostOptions): Promise<PublishedSignal> {
    return postIdempotent(this.rest, '/api/signals', jsonBody(request), options);
  }

  /**
   * Returns the signals of a message as drafts that can be published. Nothing is guessed: an unclear message is refused
   * with the reason. Publishes nothing. A key needs the scope `publish`.
   * @example const { items } = await client.parseSignal('Gold sell now SL 3343 TP 3320');
   */
  parseSignal(text: string, call?: CallOptions): Promise<SignalDraftList> {
    return postOnce(this.rest, '/api/signals/parse', jsonBody({ text }), call);
  }

  /**
   * Returns one signal in detail.
   * @example await client.signal('sig_7k2m9q4x');
   */
  signal(id: string, { windows, ...call }: SignalDetailOptions & CallOptions = {}): Promise<SignalDetail> {
    return get(this.rest, `/api/signals/${encodeURIComponent(id)}`, { windows }, call);
  }

  /**
   * Returns the log records of one signal.
   * @example const { published, closed } = await client.signalProof('sig_3f8t1w6c');
   */
  signalProof(id: string, call?: CallOptions): Promise<SignalProof> {
    return get(this.rest, `/api/signals/${encodeURIComponent(id)}/proof`, {}, call);
  }

  /**
   * Moves the stop of one of your signals closer to the market, in force from the next quote on. `stop_loss` stays as
   * published; `current_stop_loss` is the stop in force. A key needs the scope `publish`. Safe to repeat: a lost
   * response has no second effect.
   * @example await client.amendSignal('sig_7k2m9q4x', { stop_loss: 1.0825 });
   */
  amendSignal(id: string, request: AmendRequest, options?: PostOptions): Promise<SignalDetail> {
    return postIdempotent(this.rest, `/api/signals/${encodeURIComponent(id)}/amend`, jsonBody(request), options);
  }

  /**
   * Returns the append-only log of signals. Compare it with a kept head to detect a rewritten log.
   * @example const { items, next } = await client.signalLog({ after: 40, limit: 2 });
   */
  signalLog(options: SignalLogOptions = {}, call?: CallOptions): Promise<LogPage> {
    return get(this.rest, '/api/signals/log', { ...options }, call);
  }

  /**
   * Returns number and hash of the last record, signed. Keep it to prove later that the log was not rewritten.
   * @example const { log, n } = await client.signalHead();
   */
  signalHead(call?: CallOptions): Promise<LogHead> {
    return get(this.rest, '/api/signals/head', {}, call);
  }

  /**
   * Returns publishers with their track records, ranked ones first. `symbol` and `period` select the signals of the
   * figures from `signals` on.
   * @example const { items, next } = await client.publishers({ limit: 1 });
   */
  publishers(options: PublisherListOptions = {}, call?: CallOptions): Promise<PublisherList> {
    return get(this.rest, '/api/publishers', { ...options }, call);
  }

  /**
   * Returns the track record of one publisher.
   * @example const { name, publisher } = await client.publisher('goldsmith');
   */
  publisher(name: string, { risk, windows, ...call }: PublisherOptions & CallOptions = {}): Promise<PublisherDetail> {
    return get(this.rest, `/api/publishers/${encodeURIComponent(name)}`, { risk, windows }, call);
  }

  /**
   * Returns all signals of one publisher as CSV (RFC 4180), newest first.
   * @example const csv = await client.publisherSignals('goldsmith');
   */
  publisherSignals(name: string, call?: CallOptions): Promise<string> {
    return getCsv(this.rest, `/api/publishers/${encodeURIComponent(name)}/signals.csv`, call);
  }

  /**
   * Returns the complete equity curve of one publisher as CSV (RFC 4180), in order of closing.
   * @example const csv = await client.publisherEquity('goldsmith');
   */
  publisherEquity(name: string, call?: CallOptions): Promise<string> {
    return getCsv(this.rest, `/api/publishers/${encodeURIComponent(name)}/equity.csv`, call);
  }

  /**
   * Works like `publishSignal`. The token in the path replaces the API key, so keep the address secret; `id` in the
   * body replaces `Idempotency-Key`.
   * @example
   * await client.tradingViewHook('<TOKEN>', {
   *   id: '2026-03-02T10:58:00Z breakout',
   *   symbol: 'OANDA:EURUSD',
   *   direction: 'long',
   *   entry: '1.084',
   *   stop_loss: '1.081',
   *   take_profit: '1.09',
   *   expires_at: '2026-03-06T21:00:00Z',
   *   note: 'Back above the morning range; out before the weekend.',
   * });
   */
  tradingViewHook(token: string, alert: TradingViewAlert, call?: CallOptions): Promise<PublishedSignal> {
    return postOnce(this.rest, `/hooks/tradingview/${encodeURIComponent(token)}`, jsonBody(alert), call);
  }

  /**
   * Returns the kept heads, one per hour by default, with their time stamps by RFC 3161 authorities.
   * @example const { items, next } = await client.signalHeads({ after: 40, limit: 1 });
   */
  signalHeads(options: SignalHeadsOptions = {}, call?: CallOptions): Promise<KeptHeadPage> {
    return get(this.rest, '/api/signals/heads', { ...options }, call);
  }

  /**
   * Returns the same as `signalHead`.
   * @example const { log, n } = await client.publicSignalHead();
   */
  publicSignalHead(call?: CallOptions): Promise<LogHead> {
    return get(this.rest, '/public/signals/head', {}, call);
  }

  /**
   * Returns the same as `signalHeads`.
   * @example const { items, next } = await client.publicSignalHeads({ after: 44 });
   */
  publicSignalHeads(options: SignalHeadsOptions = {}, call?: CallOptions): Promise<KeptHeadPage> {
    return get(this.rest, '/public/signals/heads', { ...options }, call);
  }

  /**
   * Returns the results of entering and exiting 1, 5 or 30 seconds after each fill and exit, at the first quote from
   * then on, without fees.
   * @example const { items } = await client.publisherFollowers('goldsmith', { limit: 1 });
   */
  publisherFollowers(
    name: string,
    { limit, ...call }: { readonly limit?: number } & CallOptions = {},
  ): Promise<FollowerResults> {
    return get(this.rest, `/api/publishers/${encodeURIComponent(name)}/followers`, { limit }, call);
  }

  /**
   * Returns the same as `publisher`, without a key. 404 `not_found` unless `TICKWIRE_PUBLIC_RECORDS` is on.
   * @example const { name, publisher } = await client.publicPublisher('goldsmith');
   */
  publicPublisher(
    name: string,
    { risk, windows, ...call }: PublisherOptions & CallOptions = {},
  ): Promise<PublisherDetail> {
    return get(this.rest, `/public/publishers/${encodeURIComponent(name)}`, { risk, windows }, call);
  }

  /**
   * Returns the log records of all signals of one publisher, without a key. To page back, set `before` to `next`. 404
   * `not_found` if public records are off.
   * @example const { items, next } = await client.publicRecords('goldsmith', { limit: 1 });
   */
  publicRecords(name: string, options: PublicRecordOptions = {}, call?: CallOptions): Promise<PublicRecordPage> {
    return get(this.rest, `/public/publishers/${encodeURIComponent(name)}/records`, { ...options }, call);
  }

  /**
   * Returns one item with all fields, and the prices of the instruments it mentions at its publication and 5, 30, 60
   * and 240 minutes later.
   * @example const { title, category } = await client.newsItem('news_4d9s2v7b');
   */
  newsItem(id: string, call?: CallOptions): Promise<NewsItemDetail> {
    return get(this.rest, `/api/news/${encodeURIComponent(id)}`, {}, call);
  }

  /**
   * Returns the number of items per label and their average score, by interval and category, over the last day, week or
   * month.
   * @example const { items } = await client.newsSentiment({ category: ['gold', 'macro'] });
   */
  newsSentiment(options: NewsSentimentOptions = {}, call?: CallOptions): Promise<NewsSentiment> {
    return get(this.rest, '/api/news/sentiment', { ...options }, call);
  }

  /**
   * Returns how often the market moved as predicted within 15, 60 and 240 minutes, by model, category and label, with
   * 95 % confidence intervals.
   * @example const { items } = await client.newsCalibration();
   */
  newsCalibration(call?: CallOptions): Promise<NewsCalibration> {
    return get(this.rest, '/api/news/calibration', {}, call);
  }

  /**
   * Returns the state and counters of each source, and how many items curation dropped, by reason. A key needs the
   * scope `admin`.
   * @example const { items } = await client.newsSources();
   */
  newsSources(call?: CallOptions): Promise<NewsSourceList> {
    return get(this.rest, '/api/news/sources', {}, call);
  }

  /**
   * Accepts news from your own sources. Each line is accepted or rejected separately. Duplicates are merged and
   * off-topic items are dropped. An account revises only its own items. The rate limit counts lines, not requests. A
   * key needs the scope `ingest`. Safe to repeat: a lost response has no second effect.
   * @example
   * await client.ingestNews([
   *   {
   *     title: 'Gold holds near its high as real yields ease',
   *     url: 'https://news.example.com/gold-holds-near-its-high',
   *     source: 'example-wire',
   *     category: 'gold',
   *     time: '2026-03-02T11:10:00Z',
   *   },
   *   {
   *     title: 'Euro-area inflation prints in line with expectations',
   *     id: 'hicp-2026-02',
   *     time: 1772445600000,
   *   },
   * ]);
   */
  ingestNews(lines: Iterable<NewsLine>, options?: PostOptions): Promise<NewsIngestAnswer> {
    return postIdempotent(this.rest, '/ingest/news', ndjsonBody(lines), options);
  }

  /**
   * Returns the events of the economic calendar in a range of up to 366 days, by ascending time. A revision keeps the
   * `id` of its event.
   * @example const { items, next } = await client.calendar({ from: '2026-03-02', to: '2026-03-09', impact: ['high'], symbol: 'EURUSD' });
   */
  calendar(options: CalendarOptions = {}, call?: CallOptions): Promise<CalendarPage> {
    return get(this.rest, '/api/calendar', { ...options }, call);
  }

  /**
   * Returns whether a time is inside the window of an event that affects the instrument, which events these are, and
   * the next one. The window of an event starts `before` minutes before its time (inclusive) and ends `after` minutes
   * after it (exclusive). All-day and cancelled events open no window.
   * @example const { symbol, at } = await client.eventWindow('EURUSD', { before: 2, after: 2, at: '2026-03-03T09:58:30Z' });
   */
  eventWindow(symbol: string, options: EventWindowOptions = {}, call?: CallOptions): Promise<EventWindow> {
    return get(this.rest, `/api/market/${encodeURIComponent(symbol)}/window`, { ...options }, call);
  }

  /**
   * Returns the state and counters of each source. A key needs the scope `admin`.
   * @example const { items } = await client.calendarSources();
   */
  calendarSources(call?: CallOptions): Promise<CalendarSourceList> {
    return get(this.rest, '/api/calendar/sources', {}, call);
  }

  /**
   * Accepts calendar events from your own sources. Each line is accepted or rejected separately. All accepted events
   * are stored when the response is sent. An account revises only its own events. The rate limit counts lines, not
   * requests. A key needs the scope `ingest`. Safe to repeat: a lost response has no second effect.
   * @example
   * await client.ingestCalendar([
   *   {
   *     id: 'cpi-2026-02',
   *     title: 'Consumer price index, flash estimate',
   *     country: 'EU',
   *     impact: 'high',
   *     time: '2026-03-03T10:00:00Z',
   *     forecast: '2.1%',
   *     previous: '2.0%',
   *   },
   *   { title: 'Bank holiday', country: 'JP', impact: 'low', time: '2026-03-20' },
   * ]);
   */
  ingestCalendar(lines: Iterable<CalendarLine>, options?: PostOptions): Promise<CalendarIngestAnswer> {
    return postIdempotent(this.rest, '/ingest/calendar', ndjsonBody(lines), options);
  }

  /**
   * Scores a text like a headline of the news feed. If `model` is omitted and the default model is slow or fails, the
   * local model is used instead; `model` in the response names the one that was used. A request that succeeds, or that
   * the client aborts after a model was asked, counts as one AI call.
   * @example await client.aiSentiment({ text: 'Gold holds near its high as real yields ease', symbol: 'XAUUSD' });
   */
  aiSentiment(request: AiSentimentRequest, call?: CallOptions): Promise<AiSentiment> {
    return postOnce(this.rest, '/api/ai/sentiment', jsonBody(request), call);
  }

  /**
   * Returns a short text on price, order flow, active signals and news of one instrument. It is written by a language
   * model if one is configured, otherwise composed by rules. Every figure comes from the data; `citations` lists the
   * sources. A request that succeeds, or that the client aborts after a model was asked, counts as one AI call.
   * @example const { symbol, text } = await client.aiBrief('EURUSD');
   */
  aiBrief(symbol: string, call?: CallOptions): Promise<AiBrief> {
    return get(this.rest, `/api/ai/brief/${encodeURIComponent(symbol)}`, {}, call);
  }

  /**
   * Returns all models with their tasks and whether they are currently available. This does not count as an AI call.
   * @example const { items } = await client.aiModels();
   */
  aiModels(call?: CallOptions): Promise<AiModelList> {
    return get(this.rest, '/api/ai/models', {}, call);
  }

  /**
   * Returns the alerts of the account, newest first.
   * @example const { items } = await client.alerts({ symbol: 'EURUSD' });
   */
  alerts(options: AlertsOptions = {}, call?: CallOptions): Promise<AlertList> {
    return get(this.rest, '/api/alerts', { ...options }, call);
  }

  /**
   * Create an alert. The alert is checked on every event from now on. A level that the price is already beyond does not
   * fire until it is crossed. The tier limits the active alerts. A key needs the scope `alerts`. Safe to repeat: a lost
   * response has no second effect.
   * @example
   * await client.createAlert({
   *   symbol: 'EURUSD',
   *   condition: { type: 'price', cross: 'above', level: 1.2, side: 'bid' },
   *   repeat: 'once',
   *   deliver: [{ channel: 'webhook', url: 'https://hooks.example.com/tickwire' }],
   *   note: 'Sell half',
   * });
   */
  createAlert(request: NewAlert, options?: PostOptions): Promise<CreatedAlert> {
    return postIdempotent(this.rest, '/api/alerts', jsonBody(request), options);
  }

  /**
   * Returns one alert.
   * @example const { id, symbol } = await client.alert('alr_5d7e8f603f9c2a1b');
   */
  alert(id: string, call?: CallOptions): Promise<Alert> {
    return get(this.rest, `/api/alerts/${encodeURIComponent(id)}`, {}, call);
  }

  /**
   * Changes the given fields. A new condition starts from the current state; an alert that is done or expired becomes
   * active. A key needs the scope `alerts`. The request is never repeated.
   * @example await client.changeAlert('alr_5d7e8f603f9c2a1b', { note: 'Sell half' });
   */
  changeAlert(id: string, change: NewAlertFields, call?: CallOptions): Promise<CreatedAlert> {
    return patchOnce(this.rest, `/api/alerts/${encodeURIComponent(id)}`, jsonBody(change), call);
  }

  /**
   * Deletes the alert. Messages that were written before are still delivered; its firings stay in the list. A key needs
   * the scope `alerts`.
   * @example await client.deleteAlert('alr_5d7e8f603f9c2a1b');
   */
  deleteAlert(id: string, call?: CallOptions): Promise<Alert> {
    return remove(this.rest, `/api/alerts/${encodeURIComponent(id)}`, call);
  }

  /**
   * Pause an alert. The alert does not fire until it is resumed. A key needs the scope `alerts`.
   * @example await client.pauseAlert('alr_5d7e8f603f9c2a1b');
   */
  pauseAlert(id: string, call?: CallOptions): Promise<Alert> {
    return postOnce(this.rest, `/api/alerts/${encodeURIComponent(id)}/pause`, null, call);
  }

  /**
   * Resume an alert. What happened during the pause does not fire the alert. A key needs the scope `alerts`.
   * @example await client.resumeAlert('alr_5d7e8f603f9c2a1b');
   */
  resumeAlert(id: string, call?: CallOptions): Promise<Alert> {
    return postOnce(this.rest, `/api/alerts/${encodeURIComponent(id)}/resume`, null, call);
  }

  /**
   * Sends a test message to each destination of the alert, at most 10 per minute and account. A key needs the scope
   * `alerts`.
   * @example await client.testAlert('alr_5d7e8f603f9c2a1b');
   */
  testAlert(id: string, call?: CallOptions): Promise<AlertTest> {
    return postOnce(this.rest, `/api/alerts/${encodeURIComponent(id)}/test`, null, call);
  }

  /**
   * Returns firings of the last 90 days, newest first.
   * @example const { items } = await client.firings({ limit: 1 });
   */
  firings(options: FiringsOptions = {}, call?: CallOptions): Promise<FiringList> {
    return get(this.rest, '/api/alerts/firings', { ...options }, call);
  }

  /**
   * Returns the subscriptions of the account, newest first.
   * @example const { items } = await client.subscriptions();
   */
  subscriptions(call?: CallOptions): Promise<SubscriptionList> {
    return get(this.rest, '/api/subscriptions', {}, call);
  }

  /**
   * Delivers every message, in order. A mirror posts every publication, fill and closing of a publisher to a community
   * and never edits or deletes. The tier may delay the messages. A key needs the scope `alerts`. Safe to repeat: a lost
   * response has no second effect.
   * @example await client.createSubscription({ publisher: 'goldsmith', deliver: [{ destination: 'dst_2a1b5d7e8f603f9c' }] });
   */
  createSubscription(request: NewSubscription, options?: PostOptions): Promise<CreatedSubscription> {
    return postIdempotent(this.rest, '/api/subscriptions', jsonBody(request), options);
  }

  /**
   * Ends the subscription. Messages that were written before are still delivered. A key needs the scope `alerts`.
   * @example await client.deleteSubscription('sub_3f9c2a1b5d7e8f60');
   */
  deleteSubscription(id: string, call?: CallOptions): Promise<Subscription> {
    return remove(this.rest, `/api/subscriptions/${encodeURIComponent(id)}`, call);
  }

  /**
   * Returns where messages of the account can be delivered.
   * @example const { items } = await client.destinations();
   */
  destinations(call?: CallOptions): Promise<DestinationList> {
    return get(this.rest, '/api/destinations', {}, call);
  }

  /**
   * Create a destination. The signing secret of a webhook is only in this response. Discord, Slack, e-mail and push
   * destinations receive a code that verifies them; to link a Telegram chat, send the code of the response to the bot.
   * A key needs the scope `alerts`. Safe to repeat: a lost response has no second effect.
   * @example const { link, secret } = await client.createDestination({ channel: 'webhook', url: 'https://hooks.example.com/tickwire' });
   */
  createDestination(request: DestinationRequest, options?: PostOptions): Promise<CreatedDestination> {
    return postIdempotent(this.rest, '/api/destinations', jsonBody(request), options);
  }

  /**
   * Takes the code that the destination received. Verifying again changes nothing. A key needs the scope `alerts`.
   * @example await client.verifyDestination('dst_2a1b5d7e8f603f9c', '482913');
   */
  verifyDestination(id: string, code: string, call?: CallOptions): Promise<Destination> {
    return postOnce(this.rest, `/api/destinations/${encodeURIComponent(id)}/verify`, jsonBody({ code }), call);
  }

  /**
   * Sends a test message to the destination, at most 10 per minute and account. A key needs the scope `alerts`.
   * @example await client.testDestination('dst_2a1b5d7e8f603f9c');
   */
  testDestination(id: string, call?: CallOptions): Promise<AlertTest> {
    return postOnce(this.rest, `/api/destinations/${encodeURIComponent(id)}/test`, null, call);
  }

  /**
   * Deletes the destination and its waiting messages, and removes it from all alerts and subscriptions. A key needs the
   * scope `alerts`.
   * @example await client.deleteDestination('dst_2a1b5d7e8f603f9c');
   */
  deleteDestination(id: string, call?: CallOptions): Promise<Destination> {
    return remove(this.rest, `/api/destinations/${encodeURIComponent(id)}`, call);
  }

  /**
   * Returns the key with which a browser subscribes to push messages.
   * @example const { public_key } = await client.pushKey();
   */
  pushKey(call?: CallOptions): Promise<PushKey> {
    return get(this.rest, '/api/destinations/push-key', {}, call);
  }

  /**
   * Returns the messages of the account with their state, newest first. They are kept for 30 days.
   * @example const { items } = await client.deliveries({ limit: 1 });
   */
  deliveries(options: DeliveriesOptions = {}, call?: CallOptions): Promise<DeliveryList> {
    return get(this.rest, '/api/deliveries', { ...options }, call);
  }

  /**
   * Replay a message that was given up. The message is tried again for up to 24 hours, with the same id. A key needs
   * the scope `alerts`.
   * @example await client.replayDelivery('msg_1b5d7e8f603f9c2a');
   */
  replayDelivery(id: string, call?: CallOptions): Promise<Delivery> {
    return postOnce(this.rest, `/api/deliveries/${encodeURIComponent(id)}/replay`, null, call);
  }

  /**
   * Returns how messages of the account write times and numbers. Default: UTC and `en`.
   * @example const { time_zone, number_format } = await client.preferences();
   */
  preferences(call?: CallOptions): Promise<Preferences> {
    return get(this.rest, '/api/preferences', {}, call);
  }

  /**
   * Changes the given fields, for new messages. Webhooks ignore preferences. A key needs the scope `alerts`. The
   * request is never repeated.
   * @example await client.setPreferences({ time_zone: 'Europe/Berlin', number_format: 'de' });
   */
  setPreferences(change: PreferencesChange, call?: CallOptions): Promise<Preferences> {
    return patchOnce(this.rest, '/api/preferences', jsonBody(change), call);
  }

  /**
   * Returns the chats from which the account publishes. A key needs the scope `publish`.
   * @example const { items } = await client.chatChannels();
   */
  chatChannels(call?: CallOptions): Promise<ChatChannelList> {
    return get(this.rest, '/api/chat-channels', {}, call);
  }

  /**
   * Returns a code that links a channel, or a chat with the bot. A key needs the scope `publish`. Safe to repeat: a
   * lost response has no second effect.
   * @example const { link } = await client.createChatChannel({ platform: 'telegram', mode: 'review' });
   */
  createChatChannel(request: ChatChannelRequest, options?: PostOptions): Promise<CreatedChatChannel> {
    return postIdempotent(this.rest, '/api/chat-channels', jsonBody(request), options);
  }

  /**
   * Changes the given fields, for messages from now on. A key needs the scope `publish`. The request is never repeated.
   * @example await client.changeChatChannel('chn_2a1b5d7e8f603f9c', { mode: 'automatic' });
   */
  changeChatChannel(id: string, change: ChatChannelChange, call?: CallOptions): Promise<ChatChannel> {
    return patchOnce(this.rest, `/api/chat-channels/${encodeURIComponent(id)}`, jsonBody(change), call);
  }

  /**
   * Remove a chat channel. Published signals and edits of their messages stay. A key needs the scope `publish`.
   * @example await client.deleteChatChannel('chn_2a1b5d7e8f603f9c');
   */
  deleteChatChannel(id: string, call?: CallOptions): Promise<ChatChannel> {
    return remove(this.rest, `/api/chat-channels/${encodeURIComponent(id)}`, call);
  }

  /**
   * Returns messages of the last 30 days with their outcome. A key needs the scope `publish`.
   * @example const { items } = await client.chatMessages('chn_2a1b5d7e8f603f9c', { limit: 1 });
   */
  chatMessages(id: string, options: { readonly limit?: number } = {}, call?: CallOptions): Promise<ChatMessageList> {
    return get(this.rest, `/api/chat-channels/${encodeURIComponent(id)}/messages`, { ...options }, call);
  }

  /**
   * Returns later edits, and the deletion, of the message that published it. They change no signal.
   * @example const { items } = await client.signalEdits('sig_9f2c1a7be04d5e63');
   */
  signalEdits(id: string, call?: CallOptions): Promise<SignalEditList> {
    return get(this.rest, `/api/signals/${encodeURIComponent(id)}/edits`, {}, call);
  }

  /**
   * Returns the usage of the account over the last hour, day or month, in total and by key.
   * @example const { period, step_seconds } = await client.usageHistory({ period: 'hour', detail: true });
   */
  usageHistory(options: UsageHistoryOptions = {}, call?: CallOptions): Promise<UsageHistory> {
    return get(this.rest, '/api/usage/history', { ...options }, call);
  }

  /**
   * Returns the tier of the account and what remains of its limits.
   * @example const { account, key } = await client.usage({ detail: true });
   */
  usage({ detail, ...call }: UsageOptions & CallOptions = {}): Promise<Usage> {
    return get(this.rest, '/api/usage', { detail }, call);
  }

  /**
   * Returns the sessions of the account, oldest first.
   * @example const { items } = await client.replaySessions();
   */
  replaySessions(call?: CallOptions): Promise<ReplaySessionList> {
    return get(this.rest, '/api/replays', {}, call);
  }

  /**
   * Create a replay session. Then send its id in the header `Replay`, or in the parameter `replay`, to read as of its
   * clock. The tier limits sessions, instruments and events per minute.
   * @example
   * await client.createReplay({
   *   symbols: ['EURUSD'],
   *   from: '2026-03-02T08:00:00.000Z',
   *   to: '2026-03-02T17:00:00.000Z',
   *   speed: 60,
   * });
   */
  createReplay(request: ReplaySessionRequest, call?: CallOptions): Promise<ReplaySession> {
    return postOnce(this.rest, '/api/replays', jsonBody(request), call);
  }

  /**
   * Returns the session with the time of its clock.
   * @example const { id, state } = await client.replaySession('rpl_7c1f0e6b52a94d38');
   */
  replaySession(id: string, call?: CallOptions): Promise<ReplaySession> {
    return get(this.rest, `/api/replays/${encodeURIComponent(id)}`, {}, call);
  }

  /**
   * Changes the clock: first `seek`, then `step`, then `speed` and `state`. The request is never repeated.
   * @example await client.changeReplay('rpl_7c1f0e6b52a94d38', { state: 'playing' });
   */
  changeReplay(id: string, change: ReplaySessionChange, call?: CallOptions): Promise<ReplaySession> {
    return patchOnce(this.rest, `/api/replays/${encodeURIComponent(id)}`, jsonBody(change), call);
  }

  /**
   * Ends the session and returns it as it was.
   * @example await client.deleteReplay('rpl_7c1f0e6b52a94d38');
   */
  deleteReplay(id: string, call?: CallOptions): Promise<ReplaySession> {
    return remove(this.rest, `/api/replays/${encodeURIComponent(id)}`, call);
  }

  /**
   * Returns the results of the signals that were published in the session, as of its clock.
   * @example const { session, symbols } = await client.practiceRecord('rpl_7c1f0e6b52a94d38');
   */
  practiceRecord(id: string, call?: CallOptions): Promise<PracticeRecord> {
    return get(this.rest, `/api/replays/${encodeURIComponent(id)}/record`, {}, call);
  }

  /**
   * Saves the record as of the clock. It remains when the session ends. The tier limits how many an account keeps. A
   * key needs the scope `publish`.
   * @example await client.savePractice('rpl_7c1f0e6b52a94d38', { name: 'Breakouts, 2 March' });
   */
  savePractice(id: string, request: SavePracticeRequest, call?: CallOptions): Promise<SavedPracticeInfo> {
    return postOnce(this.rest, `/api/replays/${encodeURIComponent(id)}/save`, jsonBody(request), call);
  }

  /**
   * Returns the saved records of the account, oldest first.
   * @example const { items } = await client.savedPractice();
   */
  savedPractice(call?: CallOptions): Promise<SavedPracticeList> {
    return get(this.rest, '/api/practice-records', {}, call);
  }

  /**
   * Deletes a saved record of practice signals and returns which it was. A key needs the scope `publish`.
   * @example await client.deleteSavedPractice('rec_52a94d387c1f0e6b');
   */
  deleteSavedPractice(id: string, call?: CallOptions): Promise<SavedPracticeInfo> {
    return remove(this.rest, `/api/practice-records/${encodeURIComponent(id)}`, call);
  }

  /**
   * Returns statistics of the current trading session.
   * @example const { instruments_active, clients_connected } = await client.session();
   */
  session(call?: CallOptions): Promise<SessionStatistics> {
    return get(this.rest, '/api/session', {}, call);
  }

  /**
   * Returns 200 while the process is running.
   * @example const { status } = await client.healthz();
   */
  healthz(call?: CallOptions): Promise<Health> {
    return get(this.rest, '/healthz', {}, call);
  }

  /**
   * Returns 200 if the service is ready and 503 if it is not, with the result of each check.
   * @example const { status, checks } = await client.readyz();
   */
  readyz(call?: CallOptions): Promise<Readiness> {
    return get(this.rest, '/readyz', {}, call);
  }
}

/** Documents of the account, available as `client.account.documents`. They need a session, not a key. */
export class DocumentsApi extends ApiBase {
  /**
   * Returns stored documents, such as layouts and drawings. With `kind` or `values=true`, items have their values.
   * @example const { items } = await client.account.documents.list({ kind: 'layout' });
   */
  list({ kind, values, ...call }: DocumentListOptions & CallOptions = {}): Promise<DocumentList> {
    return get(this.rest, '/api/account/documents', { kind, values }, call);
  }

  /**
   * Returns one document with its value.
   * @example const { kind, name } = await client.account.documents.get('layout', 'scalper');
   */
  get(kind: DocumentKind, document: string, call?: CallOptions): Promise<AccountDocument> {
    return get(
      this.rest,
      `/api/account/documents/${encodeURIComponent(kind)}/${encodeURIComponent(document)}`,
      {},
      call,
    );
  }

  /**
   * Stores a JSON object of up to 64 KiB, if `revision` is still the current one; otherwise the response is
   * `document_conflict`. An account may have 500 documents with 4 MiB together. The request is never repeated.
   * @example await client.account.documents.put('layout', 'scalper', { value: { charts: [{ symbol: 'EURUSD', interval: '5m' }] }, revision: 3 });
   */
  put(kind: DocumentKind, document: string, change: DocumentPutOptions, call?: CallOptions): Promise<DocumentInfo> {
    return putOnce(
      this.rest,
      `/api/account/documents/${encodeURIComponent(kind)}/${encodeURIComponent(document)}`,
      jsonBody(change),
      call,
    );
  }

  /**
   * Deletes a document, whatever its revision, and returns its last state without its value.
   * @example await client.account.documents.remove('layout', 'scalper');
   */
  remove(kind: DocumentKind, document: string, call?: CallOptions): Promise<DocumentInfo> {
    return remove(
      this.rest,
      `/api/account/documents/${encodeURIComponent(kind)}/${encodeURIComponent(document)}`,
      call,
    );
  }
}

/**
 * Account and session calls, available as `client.account`. In a page of the service the browser keeps the session
 * cookie.
 */
export class AccountApi extends ApiBase {
  /** What pages store for the account: layouts, drawings, watchlists, settings. */
  readonly documents: DocumentsApi = new DocumentsApi(this.rest);

  /**
   * Returns the public key with which the account signs its requests about signals.
   * @example const { public_key, n } = await client.account.signingKey();
   */
  signingKey(call?: CallOptions): Promise<SigningKey> {
    return get(this.rest, '/api/account/signing-key', {}, call);
  }

  /**
   * Register or remove a signing key. Registers, replaces or removes the Ed25519 key with which signals, amendments and
   * requests to close must then be signed.
   * @example await client.account.setSigningKey('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
   */
  setSigningKey(publicKey: string | null, call?: CallOptions): Promise<SigningKey> {
    return postOnce(this.rest, '/api/account/signing-key', jsonBody({ public_key: publicKey }), call);
  }

  /**
   * Returns who can sign up, and whether the service still needs its owner account.
   * @example const { registration, setup_needed } = await client.account.registration();
   */
  registration(call?: CallOptions): Promise<Registration> {
    return get(this.rest, '/api/account/registration', {}, call);
  }

  /**
   * Creates the owner account with the token of the setup link that the service printed, and signs in. Sets the session
   * cookie.
   * @example await client.account.setUp({ token: '<TOKEN>', name: 'goldsmith', password: '<PASSWORD>' });
   */
  setUp(request: SetupRequest, call?: CallOptions): Promise<Account> {
    return postOnce(this.rest, '/api/account/setup', jsonBody(request), call);
  }

  /**
   * Returns whether the token can still create the owner account. An invalid token counts as an attempt to sign up.
   * @example await client.account.checkSetup({ token: '<TOKEN>' });
   */
  checkSetup(request: LinkCheckRequest, call?: CallOptions): Promise<LinkCheck> {
    return postOnce(this.rest, '/api/account/setup/check', jsonBody(request), call);
  }

  /**
   * Returns whether the token can still create an account. An invalid token counts as an attempt to sign up.
   * @example await client.account.checkInvitation({ token: '<TOKEN>' });
   */
  checkInvitation(request: LinkCheckRequest, call?: CallOptions): Promise<LinkCheck> {
    return postOnce(this.rest, '/api/account/invitation/check', jsonBody(request), call);
  }

  /**
   * Creates an account and signs in. Sets the session cookie.
   * @example await client.account.signUp({ name: 'goldsmith', password: '<PASSWORD>', invitation: '<TOKEN>' });
   */
  signUp(request: SignUpRequest, call?: CallOptions): Promise<Account> {
    return postOnce(this.rest, '/api/account/sign-up', jsonBody(request), call);
  }

  /**
   * Signs in with name and password, and with `code` if two-factor sign-in is enabled. Without it, the response is
   * `two_factor_required`. Sets the session cookie. By default the session ends after 30 days, or 12 hours without use.
   * It has the scopes `read`, `alerts` and `publish`; the owner also has `admin`.
   * @example await client.account.signIn({ name: 'goldsmith', password: '<PASSWORD>' });
   */
  signIn(request: SignInRequest, call?: CallOptions): Promise<Account> {
    return postOnce(this.rest, '/api/account/sign-in', jsonBody(request), call);
  }

  /**
   * Ends the current session and removes its cookie.
   * @example await client.account.signOut();
   */
  signOut(call?: CallOptions): Promise<SessionsEnded> {
    return postOnce(this.rest, '/api/account/sign-out', null, call);
  }

  /**
   * Ends all sessions of the account, including the current one.
   * @example await client.account.signOutEverywhere();
   */
  signOutEverywhere(call?: CallOptions): Promise<SessionsEnded> {
    return postOnce(this.rest, '/api/account/sign-out-everywhere', null, call);
  }

  /**
   * Changes the password, ends all other sessions of the account and, unless `revoke_keys` is false, revokes its API
   * keys and data links.
   * @example await client.account.changePassword({ password: '<PASSWORD>', new_password: '<NEW PASSWORD>' });
   */
  changePassword(request: PasswordChange, call?: CallOptions): Promise<PasswordChanged> {
    return postOnce(this.rest, '/api/account/password', jsonBody(request), call);
  }

  /**
   * Takes the password again, and the code with two-factor sign-in. For 5 minutes, the session gets no
   * `confirmation_required`.
   * @example await client.account.confirm({ password: '<PASSWORD>' });
   */
  confirm(request: Confirmation, call?: CallOptions): Promise<Confirmed> {
    return postOnce(this.rest, '/api/account/confirm', jsonBody(request), call);
  }

  /**
   * Deletes the account and ends its keys and sessions. Its signals remain in the log under its id. Its name is not
   * given to another account.
   * @example await client.account.delete({ password: '<PASSWORD>' });
   */
  delete(request: Confirmation, call?: CallOptions): Promise<AccountDeleted> {
    return postOnce(this.rest, '/api/account/delete', jsonBody(request), call);
  }

  /**
   * Returns the account of the key or session, and its scopes. For a session, the response renews the cookie.
   * @example const { id, name } = await client.account.get();
   */
  get(call?: CallOptions): Promise<Account> {
    return get(this.rest, '/api/account', {}, call);
  }

  /**
   * Returns the signed-in sessions of the account.
   * @example const { items } = await client.account.sessions();
   */
  sessions(call?: CallOptions): Promise<SessionList> {
    return get(this.rest, '/api/account/sessions', {}, call);
  }

  /**
   * Ends one session of the account.
   * @example await client.account.revokeSession('ses_4t9x2k7p');
   */
  revokeSession(session: string, call?: CallOptions): Promise<SessionsEnded> {
    return postOnce(this.rest, `/api/account/sessions/${encodeURIComponent(session)}/revoke`, null, call);
  }

  /**
   * Returns whether sign-in asks for a code, and how many recovery codes are left.
   * @example const { enabled, enabled_at } = await client.account.twoFactor();
   */
  twoFactor(call?: CallOptions): Promise<TwoFactorStatus> {
    return get(this.rest, '/api/account/two-factor', {}, call);
  }

  /**
   * Creates a secret for an authenticator app (TOTP: SHA-1, 6 digits, 30 seconds), to be confirmed. A second call
   * replaces it.
   * @example const { secret } = await client.account.setUpTwoFactor('<PASSWORD>');
   */
  setUpTwoFactor(password: string, call?: CallOptions): Promise<TwoFactorSecret> {
    return postOnce(this.rest, '/api/account/two-factor/set-up', jsonBody({ password }), call);
  }

  /**
   * Enables two-factor sign-in with a code of the app, and returns ten recovery codes. They are shown only once.
   * @example await client.account.confirmTwoFactor('492039');
   */
  confirmTwoFactor(code: string, call?: CallOptions): Promise<TwoFactorConfirmed> {
    return postOnce(this.rest, '/api/account/two-factor/confirm', jsonBody({ code }), call);
  }

  /**
   * Disables two-factor sign-in and deletes its secret and recovery codes.
   * @example await client.account.disableTwoFactor({ password: '<PASSWORD>', code: '492039' });
   */
  disableTwoFactor(request: Confirmation, call?: CallOptions): Promise<TwoFactorStatus> {
    return postOnce(this.rest, '/api/account/two-factor/disable', jsonBody(request), call);
  }
}

/** API keys of the calling account, available as `client.keys`. Needs a session, or a key with the scope `admin`. */
export class KeysApi extends ApiBase {
  /**
   * Returns the API keys of the account, without their secrets. A key needs the scope `admin`.
   * @example const { items } = await client.keys.list();
   */
  list(call?: CallOptions): Promise<KeyList> {
    return get(this.rest, '/api/keys', {}, call);
  }

  /**
   * Creates an API key. The complete key is shown only once, in this response. A key needs the scope `admin`. Safe to
   * repeat: a lost response has no second effect.
   * @example const { key } = await client.keys.create({ name: 'night bot', scopes: ['read', 'publish'], expires_days: 90 });
   */
  create(request: NewKey, options?: PostOptions): Promise<IssuedKey> {
    return postIdempotent(this.rest, '/api/keys', jsonBody(request), options);
  }

  /**
   * Creates a new key that replaces an old one. The old key remains valid for the given overlap. A key needs the scope
   * `admin`. Safe to repeat: a lost response has no second effect.
   * @example const { key } = await client.keys.rotate('8fk2m4q9tz', { overlap_hours: 24 });
   */
  rotate(key: string, request: KeyRotation, options?: PostOptions): Promise<IssuedKey> {
    return postIdempotent(this.rest, `/api/keys/${encodeURIComponent(key)}/rotate`, jsonBody(request), options);
  }

  /**
   * Revokes a key immediately. Its streams close within a second. A key needs the scope `admin`.
   * @example await client.keys.revoke('8fk2m4q9tz');
   */
  revoke(key: string, call?: CallOptions): Promise<KeyInfo> {
    return postOnce(this.rest, `/api/keys/${encodeURIComponent(key)}/revoke`, null, call);
  }
}

/** Data links of the calling account, available as `client.links`. Needs a session, or a key with the scope `admin`. */
export class LinksApi extends ApiBase {
  /**
   * Returns the data links of the account, without their addresses. A key needs the scope `admin`.
   * @example const { items } = await client.links.list();
   */
  list(call?: CallOptions): Promise<DataLinkList> {
    return get(this.rest, '/api/links', {}, call);
  }

  /**
   * Creates an address that reads one path and its query without a key, for clients that cannot send a header. Its
   * requests count against the limits of the account. The address is shown only once, in this response. A key needs the
   * scope `admin`. Safe to repeat: a lost response has no second effect.
   * @example
   * const { url } = await client.links.create({
   *   name: 'Portfolio sheet',
   *   path: '/api/bars/EURUSD?interval=1d&limit=250&format=csv',
   *   expires_days: 90,
   * });
   */
  create(request: NewDataLink, options?: PostOptions): Promise<IssuedDataLink> {
    return postIdempotent(this.rest, '/api/links', jsonBody(request), options);
  }

  /**
   * Revokes a link immediately. A key needs the scope `admin`.
   * @example await client.links.revoke('3rd9k0w7xe');
   */
  revoke(link: string, call?: CallOptions): Promise<DataLink> {
    return postOnce(this.rest, `/api/links/${encodeURIComponent(link)}/revoke`, null, call);
  }
}

/**
 * The data feed of TradingView charts, for charts of your own, available as `client.udf`. Times are Unix time in
 * seconds.
 */
export class UdfApi extends ApiBase {
  /**
   * Get what the data feed supports. Part of the data feed for TradingView.
   * @example const { supports_search, supports_group_request } = await client.udf.config();
   */
  config(call?: CallOptions): Promise<UdfConfig> {
    return get(this.rest, '/udf/config', {}, call);
  }

  /**
   * Get an instrument for a chart. Part of the data feed for TradingView.
   * @example const { name, ticker } = await client.udf.symbol({ symbol: 'TICKWIRE:EURUSD' });
   */
  symbol(options: Pick<UdfRange, 'symbol'>, call?: CallOptions): Promise<UdfSymbol> {
    return get(this.rest, '/udf/symbols', { ...options }, call);
  }

  /**
   * Search instruments for a chart. Part of the data feed for TradingView.
   * @example await client.udf.search({ query: 'eur', limit: 30 });
   */
  search(options: UdfSearchOptions = {}, call?: CallOptions): Promise<UdfSearchResult> {
    return get(this.rest, '/udf/search', { ...options }, call);
  }

  /**
   * Returns the bars of the range, or the `countback` bars before `to`: at most the newest 10,000. Part of the data
   * feed for TradingView.
   * @example
   * await client.udf.history({
   *   symbol: 'EURUSD',
   *   resolution: '60',
   *   from: 1772442000,
   *   to: 1772449200,
   *   countback: 2,
   * });
   */
  history(options: UdfHistoryOptions, call?: CallOptions): Promise<UdfHistory> {
    return get(this.rest, '/udf/history', { ...options }, call);
  }

  /**
   * Returns at most 10 marks for each bar, signals first. Part of the data feed for TradingView.
   * @example const { id, time } = await client.udf.marks({ symbol: 'EURUSD', resolution: '60', from: 1772442000, to: 1772449200 });
   */
  marks(options: UdfRange, call?: CallOptions): Promise<UdfMarks> {
    return get(this.rest, '/udf/marks', { ...options }, call);
  }

  /**
   * Get quotes for a chart. Part of the data feed for TradingView.
   * @example const { s, d } = await client.udf.quotes({ symbols: ['EURUSD'] });
   */
  quotes(options: { readonly symbols: readonly string[] }, call?: CallOptions): Promise<UdfQuotes> {
    return get(this.rest, '/udf/quotes', { ...options }, call);
  }

  /**
   * Get the time of the service. Part of the data feed for TradingView.
   * @example await client.udf.time();
   */
  time(call?: CallOptions): Promise<number> {
    return get(this.rest, '/udf/time', {}, call);
  }
}

/** Operator calls, available as `client.admin`. They need the owner's session, or a key with the scope `admin`. */
export class AdminApi extends ApiBase {
  /**
   * Voids a signal, for example after a bad tick: it no longer counts. The reason is public, and its records stay in
   * the log. A key needs the scope `admin`.
   * @example await client.admin.voidSignal('sig_7k2m9q4x', 'The feed delivered a bad tick at 11:03:12 UTC.');
   */
  voidSignal(id: string, reason: string, call?: CallOptions): Promise<SignalDetail> {
    return postOnce(this.rest, `/api/admin/signals/${encodeURIComponent(id)}/void`, jsonBody({ reason }), call);
  }

  /**
   * Returns all accounts with their tier, last use and activity of the last 24 hours. A key needs the scope `admin`.
   * @example const { items } = await client.admin.accounts();
   */
  accounts(call?: CallOptions): Promise<AccountReportList> {
    return get(this.rest, '/api/admin/accounts', {}, call);
  }

  /**
   * Assigns another tier to an account. A key needs the scope `admin`.
   * @example await client.admin.setTier('pub_4c9e1f7a20b3d586', 'pro');
   */
  setTier(account: string, tier: string, call?: CallOptions): Promise<AccountReport> {
    return postOnce(this.rest, `/api/admin/accounts/${encodeURIComponent(account)}/tier`, jsonBody({ tier }), call);
  }

  /**
   * Ends the sessions of an account and rejects its keys until it is enabled again. A key needs the scope `admin`.
   * @example await client.admin.disable('pub_4c9e1f7a20b3d586');
   */
  disable(account: string, call?: CallOptions): Promise<AccountReport> {
    return postOnce(this.rest, `/api/admin/accounts/${encodeURIComponent(account)}/disable`, null, call);
  }

  /**
   * Enables a disabled account and its keys. A key needs the scope `admin`.
   * @example await client.admin.enable('pub_4c9e1f7a20b3d586');
   */
  enable(account: string, call?: CallOptions): Promise<AccountReport> {
    return postOnce(this.rest, `/api/admin/accounts/${encodeURIComponent(account)}/enable`, null, call);
  }

  /**
   * Returns the open streams, oldest first. A key needs the scope `admin`.
   * @example const { items } = await client.admin.streams({ limit: 100 });
   */
  streams(options: StreamReportOptions = {}, call?: CallOptions): Promise<StreamReportList> {
    return get(this.rest, '/api/admin/streams', { ...options }, call);
  }

  /**
   * Returns the invitations of the last year, newest first. A key needs the scope `admin`.
   * @example const { items } = await client.admin.invitations();
   */
  invitations(call?: CallOptions): Promise<InvitationList> {
    return get(this.rest, '/api/admin/invitations', {}, call);
  }

  /**
   * Creates an invitation for one person, with a link that works once. The token is shown only in this response. A key
   * needs the scope `admin`. Safe to repeat: a lost response has no second effect.
   * @example const { link } = await client.admin.createInvitation({ tier: 'free', expires_days: 7 });
   */
  createInvitation(request: NewInvitation, options?: PostOptions): Promise<IssuedInvitation> {
    return postIdempotent(this.rest, '/api/admin/invitations', jsonBody(request), options);
  }

  /**
   * Revokes an invitation that has not been used. A key needs the scope `admin`.
   * @example await client.admin.revokeInvitation('inv_7k3m9p2x');
   */
  revokeInvitation(invitation: string, call?: CallOptions): Promise<Invitation> {
    return postOnce(this.rest, `/api/admin/invitations/${encodeURIComponent(invitation)}/revoke`, null, call);
  }

  /**
   * Returns sign-ins and changes to accounts, keys and sessions, newest first. The settings `audit_days` and
   * `audit_entries` limit the log. A key needs the scope `admin`.
   * @example const { items } = await client.admin.auditLog({ action: 'key created', limit: 1 });
   */
  auditLog(options: AuditOptions = {}, call?: CallOptions): Promise<AuditList> {
    return get(this.rest, '/api/admin/audit', { ...options }, call);
  }

  /**
   * Returns the requests of the day. In a cluster, those of the node that scores the news. A key needs the scope
   * `admin`.
   * @example const { model, available } = await client.admin.languageModel();
   */
  languageModel(call?: CallOptions): Promise<LanguageModelReport> {
    return get(this.rest, '/api/admin/language-model', {}, call);
  }

  /**
   * Returns whether the markets are simulated or live, and can be changed here. A key needs the scope `admin`.
   * @example const { markets, changing_to } = await client.admin.markets();
   */
  markets(call?: CallOptions): Promise<MarketsReport> {
    return get(this.rest, '/api/admin/markets', {}, call);
  }

  /**
   * Stores the choice, answers 202, and starts the service again. Streams close with 1012. Returns 200 if these markets
   * run already. A key needs the scope `admin`. The request is never repeated.
   * @example await client.admin.changeMarkets({ markets: 'live' });
   */
  changeMarkets(change: MarketsChange, call?: CallOptions): Promise<MarketsReport> {
    return putOnce(this.rest, '/api/admin/markets', jsonBody(change), call);
  }
}
