// One valid example of each WebSocket message. The numbers agree with the examples of REST.
import type { z } from 'zod';
import { FIRING_EXAMPLE } from '../alerts/examples.ts';
import { NEWS_DETAIL_EXAMPLE, NEWS_REVISION_EXAMPLE } from '../news/examples.ts';
import type * as lockstep from '../replay/lockstep.ts';
import {
  AMENDED_EXAMPLE,
  CLOSED_EXAMPLE,
  EXITED_EXAMPLE,
  FILLED_EXAMPLE,
  PUBLISHED_EXAMPLE,
} from '../signals/examples.ts';
import type * as channelRequests from './channel-requests.ts';
import type * as data from './data-messages.ts';
import type { MessageName } from './messages.ts';
import type * as notices from './notices.ts';
import type * as requests from './requests.ts';

type Schemas = typeof data & typeof notices & typeof requests & typeof channelRequests & typeof lockstep;

const { seq: event_seq, ...firing } = FIRING_EXAMPLE;
const FIRED_EXAMPLE = { ...firing, event_seq };

/** 2026-03-02T11:24:07Z. */
const TIME = 1_772_450_647;

export const MESSAGE_EXAMPLES: { readonly [N in MessageName]: z.output<Schemas[N]> } = {
  SubscribeMessage: { action: 'subscribe', symbols: ['EURUSD', 'XAUUSD'], api_key: '<API_KEY>', id: 1 },
  UnsubscribeMessage: { action: 'unsubscribe', symbols: ['XAUUSD'], id: 2 },
  ListMessage: { action: 'list', id: 3 },
  PingMessage: { action: 'ping', id: 4 },
  ChannelSubscribe: { action: 'subscribe', channel: 'market', symbols: ['EURUSD'], api_key: '<API_KEY>', id: 1 },
  ChannelUnsubscribe: { action: 'unsubscribe', channel: 'market', symbols: ['EURUSD'], id: 2 },
  ChannelList: { action: 'list', channel: 'market', id: 3 },
  NextMessage: { action: 'next' },
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
    message: 'The action must be one of subscribe, unsubscribe, list, ping.',
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
  LockstepNotice: { event: 'waiting', clock: '2026-03-02T11:24:07.000Z' },
  MarketTick: { symbol: 'EURUSD', bid: 1.08412, ask: 1.08424, spread: 0.00012, time: TIME, volume: 2.5 },
  BarMessage: {
    channel: 'bars',
    symbol: 'EURUSD',
    timeframe: '1m',
    time: TIME - 7,
    open: 1.08401,
    high: 1.08424,
    low: 1.08397,
    close: 1.08412,
    volume: 214.5,
    closed: false,
  },
  FootprintMessage: {
    channel: 'footprint',
    symbol: 'BTCUSD',
    timeframe: '1m',
    time: TIME - 7,
    level: 10,
    side_method: 'feed',
    volume: 12.3,
    delta: 1.1,
    poc: 62410,
    levels: [
      { price: 62410, buy: 5.1, sell: 4.2 },
      { price: 62420, buy: 1.6, sell: 1.4 },
    ],
    uncovered_volume: 0,
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
  PerpetualFigures: {
    type: 'figures',
    symbol: 'BTCUSDT.P',
    venue: 'bybit',
    mark_price: 68412.5,
    index_price: 68420.13,
    funding_rate: 0.0001,
    funding_interval_hours: 8,
    next_funding_time: TIME + 16_553,
    open_interest: 57798.137,
    time: TIME,
  },
  PerpetualLiquidation: {
    type: 'liquidation',
    symbol: 'BTCUSDT.P',
    venue: 'bybit',
    side: 'sell',
    price: 68395.1,
    size: 0.254,
    time: TIME - 8,
  },
  SignalPublished: PUBLISHED_EXAMPLE,
  SignalClosed: { ...CLOSED_EXAMPLE, seq: 40_917, prev: 40_902, epoch: 'e7' },
  SignalFilled: FILLED_EXAMPLE,
  SignalExited: EXITED_EXAMPLE,
  SignalAmended: AMENDED_EXAMPLE,
  NewsPublished: NEWS_DETAIL_EXAMPLE,
  NewsRevised: { ...NEWS_REVISION_EXAMPLE, revised: true },
  AlertFired: FIRED_EXAMPLE,
};
