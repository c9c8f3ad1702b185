// WebSocket messages in both directions. Data messages never have `event`; responses and notices always do.
import { z } from 'zod';
import { AlertFiring } from '../alerts/schemas.ts';
import {
  choice,
  flag,
  integer,
  integerBetween,
  namedObject,
  nullable,
  number,
  SymbolCode,
  text,
  UnixSeconds,
} from '../common/values.ts';
import { MAX_INDICATOR_TEXT } from '../market/indicator-spec.ts';
import { IndicatorItem, MAX_STREAM_INDICATORS } from '../market/indicators.ts';
import { barPrices, quotePrices, TimeframeCode } from '../market/schemas.ts';
import { FOOTPRINT_TIMEFRAMES, TIMEFRAMES } from '../market/timeframes.ts';
import { PriceLevel, SIDE_METHODS } from '../market/volume.ts';
import { NewsDetail } from '../news/schemas.ts';
import { AmendedSignal, ClosedSignal, ExitedSignal, FilledSignal, SignalMessage } from '../signals/schemas.ts';
import { ERROR_CODES } from './error-catalogue.ts';

export const CHANNELS = ['market', 'orderflow', 'signals', 'news', 'alerts'] as const;
export type Channel = (typeof CHANNELS)[number];
/** Channels of `/ws` and `/sse`, where bars and footprints have separate names. */
export const STREAM_CHANNELS = ['market', 'bars', 'orderflow', 'footprint', 'signals', 'news', 'alerts'] as const;
export type StreamChannel = (typeof STREAM_CHANNELS)[number];

export const MAX_MESSAGE_BYTES = 65_536;
export const MAX_SYMBOLS_PER_MESSAGE = 1_000;

const CHANNEL_NAME = 'Name of the channel; present on /ws and /sse only';
/** Names the channel of a data message. */
const of = <const C extends StreamChannel>(channel: C) => ({
  channel: z.literal(channel).optional().meta({ description: CHANNEL_NAME }),
});
/** Names the channel that a reply or notice is about. */
const ofChannel = { channel: z.enum(STREAM_CHANNELS).optional().meta({ description: CHANNEL_NAME }) };

/** Present if the subscription has `"seq":true`. */
const continuity = {
  seq: integer('Sequence number, increasing over the whole channel').optional(),
  prev: integer('`seq` of the previous message of this symbol; 0 before the first').optional(),
  epoch: text('Identifies an unbroken sequence; changes only when continuity is lost').optional(),
};

/** Present if the subscription has `"ms":true`. */
const milliseconds = {
  time_ms: integer('`time` with its milliseconds; present if the subscription has `"ms":true`').optional(),
};

export const MarketTick = namedObject('MarketTick', 'A quote update', {
  ...of('market'),
  symbol: SymbolCode,
  ...quotePrices,
  time: UnixSeconds,
  volume: z.number().nonnegative().meta({
    description:
      'Size traded since the previous tick of the instrument; for feeds without trades the size of the quote, or 1',
  }),
  ...milliseconds,
  ...continuity,
});
export type MarketTick = z.infer<typeof MarketTick>;

export const OrderFlowTick = namedObject('OrderFlowTick', 'An order-flow update', {
  ...of('orderflow'),
  symbol: SymbolCode,
  bid_volume: z.number().nonnegative().meta({ description: 'Volume sold at the bid since the previous message' }),
  ask_volume: z.number().nonnegative().meta({ description: 'Volume bought at the ask since the previous message' }),
  delta: number('ask_volume − bid_volume'),
  cumulative_delta: number('Sum of `delta` since 00:00 UTC'),
  price: number('Price of the last trade'),
  time: UnixSeconds,
  imbalance: z
    .number()
    .min(-1)
    .max(1)
    .meta({ description: '(ask volume − bid volume) / (ask volume + bid volume) of the last 60 seconds, −1 to 1' }),
  absorption: z.enum(['buy', 'sell']).nullable().meta({
    description: 'Passive side that holds the price against one-sided aggression; `null` if there is none',
  }),
  side_method: text('How the side of the trades was inferred; absent if the feed reports it').optional(),
  ...milliseconds,
  ...continuity,
});
export type OrderFlowTick = z.infer<typeof OrderFlowTick>;

const IndicatorValue = IndicatorItem.pick({ value: true, values: true, settled: true }).meta({
  description: 'Values of an indicator at the bar of the message',
});

const barClosed = z
  .boolean()
  .meta({ description: '`false` while the bar is forming. A closed bar may be sent again, corrected' });

export const BarMessage = namedObject('BarMessage', 'A bar update', {
  channel: z.literal('bars').meta({ description: 'Identifies the message as a bar' }),
  symbol: SymbolCode,
  timeframe: TimeframeCode,
  time: UnixSeconds.meta({ description: 'Start of the bar, Unix time in seconds' }),
  ...barPrices,
  closed: barClosed,
  indicators: z.record(z.string(), IndicatorValue).optional().meta({
    description:
      'Values of the subscribed indicators by their full text, such as `rsi(14)`: if the forming bar closed now, or those of the closed bar. Present if the subscription has `indicators`',
  }),
  ...milliseconds,
  ...continuity,
});
export type BarMessage = z.infer<typeof BarMessage>;

export const FootprintMessage = namedObject('FootprintMessage', 'Volume at price of a bar', {
  channel: z.literal('footprint').meta({ description: 'Identifies the message as a footprint' }),
  symbol: SymbolCode,
  timeframe: z.enum(FOOTPRINT_TIMEFRAMES).meta({ description: 'Length of the bar' }),
  time: UnixSeconds.meta({ description: 'Start of the bar, Unix time in seconds' }),
  level: number('Height of a level. Higher than that of the instrument if the bar has more than 500 levels'),
  side_method: nullable(z.enum(SIDE_METHODS), 'How the sides of the trades are known. `null` without trades'),
  volume: z.number().nonnegative().meta({ description: 'Traded volume of the bar: the sum of all levels' }),
  delta: number('Bought minus sold volume of the bar: the sum of all levels'),
  poc: nullable(z.number(), 'Lowest price of the level with the most volume; `null` without trades'),
  levels: z.array(PriceLevel).meta({ description: 'Levels with trades, ascending' }),
  uncovered_volume: z.number().nonnegative().meta({
    description: 'Traded volume that is not in `levels`, because only bars of it are known',
  }),
  closed: barClosed,
  ...continuity,
});
export type FootprintMessage = z.infer<typeof FootprintMessage>;

const ofSignals = <Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, id: string, description: string) =>
  schema.extend({ ...of('signals'), ...continuity }).meta({ id, description });

export const SignalPublished = ofSignals(SignalMessage, 'SignalPublished', 'A newly published signal');
export type SignalPublished = z.infer<typeof SignalPublished>;
export const SignalClosed = ofSignals(
  ClosedSignal,
  'SignalClosed',
  'A closed signal; sent to subscriptions with `"closes":true`',
);
export type SignalClosed = z.infer<typeof SignalClosed>;
export const SignalFilled = ofSignals(
  FilledSignal,
  'SignalFilled',
  'A signal whose entry was filled; sent to subscriptions with `"fills":true`',
);
export type SignalFilled = z.infer<typeof SignalFilled>;
export const SignalExited = ofSignals(
  ExitedSignal,
  'SignalExited',
  'A part of the position exited at a target; sent to subscriptions with `"changes":true`',
);
export type SignalExited = z.infer<typeof SignalExited>;
export const SignalAmended = ofSignals(
  AmendedSignal,
  'SignalAmended',
  'The publisher tightened the stop of a signal; sent to subscriptions with `"changes":true`',
);
export type SignalAmended = z.infer<typeof SignalAmended>;

/** A news item or a firing has several symbols or none, so continuity is per subscription instead of per symbol. */
const newsContinuity = {
  ...continuity,
  prev: continuity.prev.meta({ description: '`seq` of the previous message of this subscription; 0 before the first' }),
};

export const NewsPublished = NewsDetail.extend({ ...of('news'), ...newsContinuity }).meta({
  id: 'NewsPublished',
  description: 'A new news item',
});
export type NewsPublished = z.infer<typeof NewsPublished>;
export const NewsRevised = NewsDetail.extend({
  revised: z.literal(true).meta({ description: 'Identifies the message as a revision' }),
  ...of('news'),
  ...newsContinuity,
}).meta({
  id: 'NewsRevised',
  description: 'The complete updated item, with the `id` of its publication',
});
export type NewsRevised = z.infer<typeof NewsRevised>;

export const AlertFired = AlertFiring.omit({ seq: true })
  .extend({
    event_seq: AlertFiring.shape.seq,
    ...of('alerts'),
    ...newsContinuity,
  })
  .meta({ id: 'AlertFired', description: 'An alert or subscription of the account fired' });
export type AlertFired = z.infer<typeof AlertFired>;

const RequestId = z.union([z.string().max(128), z.number()]).meta({
  description: 'Id of the request, echoed in the response',
  allowed: 'a text of up to 128 characters, or a number',
});
const ApiKey = z.string().max(256).meta({
  description: 'API key; required until the connection is authenticated',
  allowed: 'a text of up to 256 characters',
});
const SYMBOLS_ALLOWED = `a list of 1 to ${MAX_SYMBOLS_PER_MESSAGE} instrument codes`;
const SymbolSet = z.array(z.string().max(64)).min(1).max(MAX_SYMBOLS_PER_MESSAGE).optional();
const action = <const A extends string>(name: A) => z.literal(name).meta({ description: 'Type of the request' });
const event = <const E extends string>(name: E) => z.literal(name).meta({ description: 'Type of the event' });

/** Position of a consumer in a stream: it has received everything of the epoch up to `seq`. */
const StreamPosition = z.object({
  epoch: z.string().max(64).meta({ description: '`epoch` of the last message' }),
  seq: z.int().nonnegative().meta({ description: '`seq` of the last message' }),
});
export type StreamPosition = z.infer<typeof StreamPosition>;

/** Bounds of `max_rate` in messages per second and symbol, and of `heartbeat` in seconds. */
export const MAX_RATE = { least: 0.1, most: 1_000 } as const;
const HEARTBEAT_SECONDS = { least: 1, most: 60 } as const;

const BarsChannel = z.enum(['bars', 'footprint']).optional().meta({
  description:
    '`bars` on /ws/market: bars instead of ticks. `footprint` on /ws/orderflow: volume at price instead of order flow. Both require `timeframe`',
  allowed: 'bars or footprint',
});

const option = (description: string) => flag(description).optional();

export const SubscribeMessage = namedObject('SubscribeMessage', 'Subscribes to symbols', {
  action: action('subscribe'),
  channel: BarsChannel,
  timeframe: choice(TIMEFRAMES, 'Length of a bar').optional(),
  indicators: z
    .array(z.string().max(MAX_INDICATOR_TEXT))
    .min(1)
    .max(MAX_STREAM_INDICATORS)
    .optional()
    .meta({
      description:
        'With `"channel":"bars"`: add the values of these indicators to each bar, such as `["rsi(14)","macd(12,26,9)"]`',
      allowed: `a list of 1 to ${MAX_STREAM_INDICATORS} indicators, such as "rsi(14)"`,
    }),
  symbols: SymbolSet.meta({
    description: 'Instrument codes; "*" means all. Optional on /ws/signals, /ws/news and /ws/alerts',
    allowed: SYMBOLS_ALLOWED,
  }),
  api_key: ApiKey.optional(),
  id: RequestId.optional(),
  seq: option('Add `seq`, `prev` and `epoch` to every message. Default `false`'),
  ms: option(
    'On /ws/market and /ws/orderflow: add `time_ms`, the time in milliseconds, to every message. Default `false`',
  ),
  closes: option('On /ws/signals: send closings as well. Default `false`'),
  fills: option('On /ws/signals: send fills as well. Default `false`'),
  changes: option('On /ws/signals: send partial exits and tighter stops as well. Default `false`'),
  resume_from: StreamPosition.optional().meta({
    description: 'Position of the last message received: later messages are sent first, then the live stream continues',
    allowed: 'an object with epoch (text) and seq (integer of at least 0)',
  }),
  delivery: z.enum(['all', 'latest']).optional().meta({
    description: '`latest`: while the client is behind, send only the latest message of each symbol. Default `all`',
    allowed: 'all or latest',
  }),
  max_rate: z
    .number()
    .min(MAX_RATE.least)
    .max(MAX_RATE.most)
    .optional()
    .meta({
      description:
        'Maximum number of messages per second and symbol, rounded down to 1, 2, 5, 10, 20…; the volumes of skipped messages are added up',
      allowed: `a number between ${MAX_RATE.least} and ${MAX_RATE.most}`,
    }),
  heartbeat: integerBetween(
    HEARTBEAT_SECONDS.least,
    HEARTBEAT_SECONDS.most,
    'Seconds between heartbeats on this connection. None by default',
  ).optional(),
});

export const UnsubscribeMessage = namedObject('UnsubscribeMessage', 'Unsubscribes from symbols', {
  action: action('unsubscribe'),
  channel: BarsChannel,
  timeframe: choice(TIMEFRAMES, 'Length of the bars. All timeframes by default').optional(),
  symbols: SymbolSet.meta({ description: 'Instrument codes. All symbols by default', allowed: SYMBOLS_ALLOWED }),
  api_key: ApiKey.optional(),
  id: RequestId.optional(),
});

export const ListMessage = namedObject('ListMessage', 'Requests the current subscriptions', {
  action: action('list'),
  api_key: ApiKey.optional(),
  id: RequestId.optional(),
});

export const PingMessage = namedObject('PingMessage', 'Requests a pong', {
  action: action('ping'),
  api_key: ApiKey.optional(),
  id: RequestId.optional(),
});

export const ACTIONS = ['subscribe', 'unsubscribe', 'list', 'ping'] as const;
export const ClientMessage = z.discriminatedUnion('action', [
  SubscribeMessage,
  UnsubscribeMessage,
  ListMessage,
  PingMessage,
]);
export type ClientMessage = z.infer<typeof ClientMessage>;

const symbols = (description: string) => z.array(z.string()).meta({ description });

export const SubscriptionNotice = namedObject('SubscriptionNotice', 'The current subscriptions', {
  event: z.enum(['subscribed', 'unsubscribed', 'subscriptions']).meta({ description: 'Type of the event' }),
  ...ofChannel,
  symbols: symbols('All symbols that are now subscribed'),
  bars: z
    .array(
      z.object({
        timeframe: TimeframeCode,
        symbols: symbols('Symbols subscribed with this timeframe'),
        indicators: symbols('Indicators of these bars by their full text; absent without indicators').optional(),
      }),
    )
    .optional()
    .meta({ description: 'All bars that are now subscribed; absent if there are none' }),
  footprints: z
    .array(z.object({ timeframe: TimeframeCode, symbols: symbols('Symbols subscribed with this timeframe') }))
    .optional()
    .meta({ description: 'All footprints that are now subscribed; absent if there are none' }),
  rejected: z
    .array(
      z.object({
        symbol: text('Symbol as requested'),
        code: z.enum(ERROR_CODES).meta({ description: 'Reason for the rejection' }),
      }),
    )
    .meta({ description: 'Symbols of the request that were not subscribed' }),
  source: z.literal('simulated').optional().meta({ description: 'Present if the market data is simulated' }),
  epoch: text('Current epoch; present if the subscription has `"seq":true`').optional(),
  seq: integer(
    'Current sequence number of the channel, with `epoch`: resume from here if the connection is lost before the first message',
  ).optional(),
  max_rate: z.number().optional().meta({
    description:
      'Rate in messages per second and symbol that the requested `max_rate` was rounded down to; absent if it was not rounded',
  }),
  warnings: z
    .array(z.object({ option: text('Option as requested'), message: text('Explanation, for people') }))
    .optional()
    .meta({ description: 'Options of the request that were ignored; absent if there are none' }),
  id: RequestId.optional(),
});
export type SubscriptionNotice = z.infer<typeof SubscriptionNotice>;

export const PongNotice = namedObject('PongNotice', 'Response to a ping', {
  event: event('pong'),
  id: RequestId.optional(),
});

export const ErrorNotice = namedObject('ErrorNotice', 'An error', {
  event: event('error'),
  ...ofChannel,
  code: z.enum(ERROR_CODES).meta({ description: 'Stable error code' }),
  message: text('Explanation, for people'),
  fatal: z.boolean().meta({ description: 'Whether the connection is closed after this message' }),
  retryable: z.boolean().meta({ description: 'Whether the same request, or a new connection, can succeed later' }),
  resume_from: StreamPosition.optional().meta({
    description: 'Present with `too_slow`: everything up to this position was sent. Resume from here',
  }),
  id: RequestId.optional(),
});

export const SlowNotice = namedObject('SlowNotice', 'The client is behind', {
  event: event('slow'),
  ...ofChannel,
  buffered_bytes: integer('Bytes waiting to be received by the client'),
  delivery: z
    .literal('latest')
    .meta({ description: 'Until the client has caught up, only the latest message of each symbol is sent' }),
});

export const GapNotice = namedObject('GapNotice', 'Messages are missing', {
  event: event('gap'),
  ...ofChannel,
  reason: z.enum(['slow', 'feed', 'resume']).meta({
    description:
      '`slow`: the client was behind. `feed`: the feed lost data. `resume`: the position to resume from is no longer available, or the account has replayed too much in the last minute',
  }),
  symbols: symbols('Symbols with missing messages'),
  dropped: integer('Number of missing messages').optional(),
  from_seq: integer('First missing sequence number').optional(),
  to_seq: integer('Last missing sequence number').optional(),
  fill: text(
    'REST request that returns the missing data. Replace `{symbol}`, and `{since}` with the Unix time of your last message',
  ).optional(),
});
export type GapNotice = z.infer<typeof GapNotice>;

export const HeartbeatNotice = namedObject('HeartbeatNotice', 'Sign of life with the age of the data', {
  event: event('heartbeat'),
  ...ofChannel,
  server_time: z.iso.datetime().meta({ description: 'Current time of the service (ISO 8601, UTC)' }),
  seq: integer('Latest `seq` of the subscribed messages: a client that has received it is up to date'),
  epoch: text('Current epoch'),
  ages: z
    .record(z.string(), z.number().nonnegative().nullable())
    .meta({ description: 'Seconds since the last tick of each subscribed symbol; `null` before the first' }),
});

export const FeedNotice = namedObject('FeedNotice', 'The state of the source of some symbols changed', {
  event: event('feed'),
  ...ofChannel,
  state: z.enum(['disconnected', 'backfilled', 'failover']).meta({
    description:
      '`disconnected`: the source was lost. `backfilled`: missed trades were fetched. `failover`: another source took over',
  }),
  symbols: symbols('Symbols affected'),
  trades: integer('Number of trades that were fetched and sent as ordinary messages').optional(),
  source: text('Source that now delivers these symbols').optional(),
});

export const ShutdownNotice = namedObject('ShutdownNotice', 'The service is about to stop', {
  event: event('shutdown'),
});

export const Notice = z.discriminatedUnion('event', [
  SubscriptionNotice,
  PongNotice,
  ErrorNotice,
  SlowNotice,
  GapNotice,
  HeartbeatNotice,
  FeedNotice,
  ShutdownNotice,
]);
export type Notice = z.infer<typeof Notice>;

/** All close codes of the service, and whether a client should reconnect. */
export const CLOSE_CODES = [
  { code: 4400, meaning: 'Too many invalid messages', reconnect: false },
  { code: 4401, meaning: 'Key invalid or revoked, or session ended', reconnect: false },
  { code: 4408, meaning: 'Not authenticated in time', reconnect: false },
  { code: 4409, meaning: 'Client too slow', reconnect: true },
  { code: 4413, meaning: 'Message larger than 64 KiB', reconnect: false },
  { code: 4429, meaning: 'Stream limit reached, or too many messages', reconnect: true },
  { code: 1009, meaning: 'Frame larger than 1 MiB', reconnect: false },
  { code: 1011, meaning: 'Internal server error', reconnect: true },
  { code: 1012, meaning: 'Service is restarting', reconnect: true },
] as const;
/** Codes after which a client does not reconnect. */
export type FinalCloseCode = Extract<(typeof CLOSE_CODES)[number], { reconnect: false }>['code'];
