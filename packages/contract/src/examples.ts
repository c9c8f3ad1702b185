// One valid example of each request, response, error and message, for the documents and the reference.
// The numbers agree with each other: spread is ask − bid, pips follow from the prices.
import type { z } from 'zod';
import { ACCOUNT_BODIES, ACCOUNT_REQUESTS, ACCOUNT_RESPONSES } from './account-examples.ts';
import { BRIEF_EXAMPLE, MODELS_EXAMPLE, SENTIMENT_EXAMPLE, SENTIMENT_REQUEST_EXAMPLE } from './ai-examples.ts';
import type { ENDPOINTS, EndpointName } from './endpoints.ts';
import { ERRORS, type ErrorCode, type Problem } from './errors.ts';
import type { MessageName } from './messages.ts';
import {
  CALIBRATION_EXAMPLE,
  NEWS_DETAIL_EXAMPLE,
  NEWS_EXAMPLES,
  NEWS_LINES_EXAMPLE,
  NEWS_REVISION_EXAMPLE,
  NEWS_SENTIMENT_EXAMPLE,
  NEWS_SOURCES_EXAMPLE,
} from './news-examples.ts';
import { PUBLISHER_EXAMPLE, TRACK_RECORD_EXAMPLES } from './publisher-examples.ts';
import {
  ACTIVE_EXAMPLE,
  ALERT_EXAMPLE,
  CLOSED_BY_HAND_EXAMPLE,
  CLOSED_EXAMPLE,
  DETAIL_EXAMPLE,
  HEAD_EXAMPLE,
  LOG_EXAMPLE,
  PROOF_EXAMPLE,
  PUBLISHED_EXAMPLE,
  REQUEST_EXAMPLE,
} from './signal-examples.ts';
import type * as stream from './stream.ts';

/** What is called, path and query. */
export const REQUEST_EXAMPLES: Readonly<Record<EndpointName, string>> = {
  symbols: '/api/symbols',
  market: '/api/market/EURUSD?timeframe=1h&bars=3',
  quote: '/api/market/EURUSD/quote',
  quotes: '/api/quotes?symbols=EURUSD,XAUUSD',
  signals: '/api/signals?status=all&limit=2',
  publishSignal: '/api/signals',
  signal: '/api/signals/sig_7k2m9q4x',
  signalProof: '/api/signals/sig_3f8t1w6c/proof',
  closeSignal: '/api/signals/sig_7k2m9q4x/close',
  signalLog: '/api/signals/log?after=40&limit=2',
  signalHead: '/api/signals/head',
  publishers: '/api/publishers?limit=2',
  publisher: '/api/publishers/goldsmith',
  tradingViewHook: '/hooks/tradingview/<TOKEN>',
  news: '/api/news?category=gold,macro&limit=2',
  newsSentiment: '/api/news/sentiment?category=gold,macro',
  newsCalibration: '/api/news/calibration',
  newsSources: '/api/news/sources',
  ingestNews: '/ingest/news',
  aiSentiment: '/api/ai/sentiment',
  aiBrief: '/api/ai/brief/EURUSD',
  aiModels: '/api/ai/models',
  ...ACCOUNT_REQUESTS,
  session: '/api/session',
  usage: '/api/usage',
  coverage: '/api/market/EURUSD/coverage?timeframe=1h',
  feeds: '/api/feeds',
  ingestTicks: '/ingest/ticks',
  healthz: '/healthz',
  readyz: '/readyz',
};

const euro = { bid: 1.08412, ask: 1.08424, spread: 0.00012, timestamp: '2026-03-02T11:24:07.318Z' };
const gold = { bid: 2412.35, ask: 2412.61, spread: 0.26, timestamp: '2026-03-02T11:24:06.902Z' };

/** Bodies of the endpoints that take lines. */
export const BODY_EXAMPLES: { readonly [N in EndpointName]?: readonly string[] } = {
  ingestTicks: [
    '{"symbol":"EURUSD","time":1772450647318,"bid":1.08412,"ask":1.08424}',
    '{"symbol":"BTCUSD","time":"2026-03-02T11:24:07.402Z","price":67120.5,"size":0.02,"side":"buy"}',
    '{"symbol":"XAUUSD","time":1772450647500,"bid":2412.7,"ask":2412.61}',
  ],
  ingestNews: NEWS_LINES_EXAMPLE,
};

/** Bodies of the endpoints that take one document. */
export const JSON_BODY_EXAMPLES: { readonly [N in EndpointName]?: unknown } = {
  publishSignal: REQUEST_EXAMPLE,
  tradingViewHook: ALERT_EXAMPLE,
  aiSentiment: SENTIMENT_REQUEST_EXAMPLE,
  ...ACCOUNT_BODIES,
};

type Responses = { readonly [N in EndpointName]: z.output<(typeof ENDPOINTS)[N]['response']> };

export const RESPONSE_EXAMPLES: Responses = {
  symbols: {
    items: [
      {
        symbol: 'EURUSD',
        name: 'Euro / US Dollar',
        type: 'forex',
        pip_size: 0.0001,
        contract_size: 100000,
        margin_rate: 0.0333,
        min_lot: 0.01,
        max_lot: 100,
      },
      {
        symbol: 'XAUUSD',
        name: 'Gold / US Dollar',
        type: 'metal',
        pip_size: 0.1,
        contract_size: 100,
        margin_rate: 0.05,
        min_lot: 0.01,
        max_lot: 50,
      },
    ],
    count: 2,
  },
  market: {
    symbol: 'EURUSD',
    timeframe: '1h',
    ohlcv: [
      { time: '2026-03-02T09:00:00.000Z', open: 1.08301, high: 1.08377, low: 1.08262, close: 1.08359, volume: 4182 },
      { time: '2026-03-02T10:00:00.000Z', open: 1.08359, high: 1.08441, low: 1.08348, close: 1.08397, volume: 3907 },
      { time: '2026-03-02T11:00:00.000Z', open: 1.08397, high: 1.08426, low: 1.08371, close: 1.08412, volume: 1546 },
    ],
    quote: euro,
  },
  quote: { symbol: 'EURUSD', ...euro },
  quotes: {
    items: [
      { symbol: 'EURUSD', ...euro },
      { symbol: 'XAUUSD', ...gold },
    ],
    count: 2,
  },
  signals: { items: [ACTIVE_EXAMPLE, CLOSED_EXAMPLE], count: 2 },
  publishSignal: ACTIVE_EXAMPLE,
  signal: DETAIL_EXAMPLE,
  signalProof: PROOF_EXAMPLE,
  closeSignal: CLOSED_BY_HAND_EXAMPLE,
  signalLog: { items: [LOG_EXAMPLE.published, LOG_EXAMPLE.sealed], count: 2, next: LOG_EXAMPLE.sealed.record.n },
  signalHead: HEAD_EXAMPLE,
  publishers: { items: [...TRACK_RECORD_EXAMPLES], count: TRACK_RECORD_EXAMPLES.length },
  publisher: PUBLISHER_EXAMPLE,
  tradingViewHook: ACTIVE_EXAMPLE,
  news: { items: [...NEWS_EXAMPLES] },
  newsSentiment: NEWS_SENTIMENT_EXAMPLE,
  newsCalibration: CALIBRATION_EXAMPLE,
  newsSources: NEWS_SOURCES_EXAMPLE,
  ingestNews: {
    accepted: 2,
    rejected: [
      { line: 3, code: 'malformed_line', detail: 'title must be a text of 1 to 1000 characters that is not blank' },
    ],
    rejected_count: 1,
  },
  aiSentiment: SENTIMENT_EXAMPLE,
  aiBrief: BRIEF_EXAMPLE,
  aiModels: MODELS_EXAMPLE,
  session: {
    instruments_active: 24,
    clients_connected: 311,
    signals_active: 87,
    ai_models_available: ['news-sentiment'],
    server_time: '2026-03-02T11:24:07.402Z',
    uptime_seconds: 864_213,
  },
  usage: {
    account: 'north-desk',
    key: '9h4kq2',
    scopes: ['read'],
    tier: 'free',
    requests: { limit: 60, window_seconds: 60, remaining: 57, reset_seconds: 42 },
    streams: { limit: 2, open: 1 },
    ai_calls: { limit: 5, used: 2, remaining: 3, resets_at: '2026-03-03T00:00:00.000Z' },
  },
  coverage: {
    symbol: 'EURUSD',
    timeframe: '1m',
    from: '2026-03-01T21:00:00.000Z',
    to: '2026-03-02T00:00:00.000Z',
    bars: 118,
    absent: [
      { from: '2026-03-01T21:00:00.000Z', to: '2026-03-01T22:00:00.000Z', bars: 60, reason: 'market_closed' },
      { from: '2026-03-01T22:31:00.000Z', to: '2026-03-01T22:33:00.000Z', bars: 2, reason: 'missing' },
    ],
  },
  feeds: {
    items: [
      {
        name: 'binance',
        state: 'live',
        symbols: ['BTCUSDT', 'ETHUSDT'],
        last_event_at: '2026-03-02T11:24:07.318Z',
        connects: 2,
        disconnects: 1,
        duplicates: 0,
        backfilled: 412,
        gaps: 0,
        complaints: 0,
        last_error: 'closed by the venue (1006)',
      },
    ],
    count: 1,
    quarantine: [{ symbol: 'BTCUSDT', time: '2026-03-02T11:20:44.001Z', price: 6712.05, last: 67120.5 }],
  },
  ingestTicks: {
    accepted: 2,
    rejected: [{ line: 3, code: 'crossed_quote', detail: 'the bid is above the ask' }],
    rejected_count: 1,
  },
  ...ACCOUNT_RESPONSES,
  healthz: { status: 'ok' },
  readyz: { status: 'ok', checks: { store: 'ok', feed: 'ok' } },
};

/** What `/readyz` answers with 503. */
export const UNREADY_EXAMPLE: z.output<(typeof ENDPOINTS)['readyz']['response']> = {
  status: 'degraded',
  checks: { store: 'ok', feed: 'no tick for 94 s' },
};

const DETAILS: Partial<Record<ErrorCode, string>> = {
  invalid_parameter: 'bars must be an integer from 1 to 500.',
  symbol_not_found: 'There is no instrument EURUSDX.',
  signal_not_found: 'There is no signal sig_7k2m9q4y.',
  ai_calls_exhausted: 'The 5 AI calls of the free tier are used up; the next day begins in 45353 s.',
  model_not_found: 'There is no model news-sentimant.',
  model_unavailable: 'The model example-llm-8b does not answer.',
  publisher_not_found: 'There is no publisher goldsmyth.',
  no_quote: 'EURUSD has had no quote yet.',
  finer_than_digits: 'stop_loss is 1.081005, and EURUSD has 5 digits.',
  levels_out_of_order: 'A buy needs stop_loss < entry < take_profit; these are 1.085, 1.084 and 1.09.',
};

/** The body of a REST error; only for codes that have a status. */
export function problemExample(code: ErrorCode): Problem {
  const entry: { title: string; status?: number; when: string } = ERRORS[code];
  if (entry.status === undefined) throw new Error(`${code} is not answered over REST`);
  return {
    type: `/docs#error-${code}`,
    title: entry.title,
    status: entry.status,
    detail: DETAILS[code] ?? entry.when,
    code,
    request_id: 'req_5n8v2c7p',
    ...(code === 'invalid_parameter'
      ? { errors: [{ parameter: 'bars', value: '900', allowed: 'an integer from 1 to 500' }] }
      : {}),
  };
}

type Messages = { readonly [N in MessageName]: z.output<(typeof stream)[N]> };

/** 2026-03-02T11:24:07Z. */
const TIME = 1_772_450_647;

export const MESSAGE_EXAMPLES: Messages = {
  SubscribeMessage: { action: 'subscribe', symbols: ['EURUSD', 'XAUUSD'], api_key: '<API_KEY>', id: 1 },
  UnsubscribeMessage: { action: 'unsubscribe', symbols: ['XAUUSD'], id: 2 },
  ListMessage: { action: 'list', id: 3 },
  PingMessage: { action: 'ping', id: 4 },
  SubscriptionNotice: {
    event: 'subscribed',
    symbols: ['EURUSD', 'XAUUSD'],
    rejected: [{ symbol: 'EURUSDX', code: 'symbol_not_found' }],
    id: 1,
  },
  PongNotice: { event: 'pong', id: 4 },
  ErrorNotice: {
    event: 'error',
    code: 'unknown_action',
    message: 'The action is not one of subscribe, unsubscribe, list, ping.',
    fatal: false,
    retryable: false,
  },
  SlowNotice: { event: 'slow', buffered_bytes: 1_048_576, delivery: 'latest' },
  GapNotice: { event: 'gap', reason: 'slow', symbols: ['EURUSD'], dropped: 214 },
  HeartbeatNotice: {
    event: 'heartbeat',
    server_time: '2026-06-18T12:30:00.214Z',
    seq: 40_917,
    epoch: 'e7',
    ages: { EURUSD: 0.214, XAUUSD: 1.8 },
  },
  FeedNotice: { event: 'feed', state: 'backfilled', symbols: ['BTCUSDT'], trades: 412 },
  ShutdownNotice: { event: 'shutdown' },
  MarketTick: { symbol: 'EURUSD', bid: 1.08412, ask: 1.08424, spread: 0.00012, time: TIME, volume: 2.5 },
  BarMessage: {
    channel: 'bars',
    symbol: 'EURUSD',
    timeframe: '1m',
    time: TIME,
    open: 1.08401,
    high: 1.08424,
    low: 1.08397,
    close: 1.08412,
    volume: 214.5,
    closed: false,
  },
  OrderFlowTick: {
    symbol: 'BTCUSD',
    bid_volume: 1.8,
    ask_volume: 3.1,
    delta: 1.3,
    cumulative_delta: 214.6,
    price: 62418.5,
    time: TIME,
    imbalance: 0.27,
    absorption: null,
  },
  SignalPublished: PUBLISHED_EXAMPLE,
  SignalClosed: { ...CLOSED_EXAMPLE, seq: 40_917, prev: 40_902, epoch: 'e7' },
  NewsPublished: NEWS_DETAIL_EXAMPLE,
  NewsRevised: { ...NEWS_REVISION_EXAMPLE, revised: true },
};
