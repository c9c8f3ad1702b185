// Requests of clients: what to subscribe to, and how.
import { z } from 'zod';
import { choice, flag, integerBetween, namedObject } from '../common/values.ts';
import { MAX_INDICATOR_TEXT } from '../market/indicator-spec.ts';
import { MAX_STREAM_INDICATORS } from '../market/indicators.ts';
import { TIMEFRAMES } from '../market/timeframes.ts';
import { MAX_SYMBOLS_PER_MESSAGE } from './channels.ts';
import { RequestId, StreamPosition } from './message-fields.ts';

const ApiKey = z.string().max(256).meta({
  description: 'API key; required until the connection is authenticated',
  allowed: 'a text of up to 256 characters',
});
const SYMBOLS_ALLOWED = `a list of 1 to ${MAX_SYMBOLS_PER_MESSAGE} instrument codes`;
const SymbolSet = z.array(z.string().max(64)).min(1).max(MAX_SYMBOLS_PER_MESSAGE).optional();
const action = <const A extends string>(name: A) => z.literal(name).meta({ description: 'Type of the request' });

/** Bounds of `max_rate` in messages per second and symbol, and of `heartbeat` in seconds. */
export const MAX_RATE = { least: 0.1, most: 1_000 } as const;
const HEARTBEAT_SECONDS = { least: 1, most: 60 } as const;

const BarsChannel = z.enum(['bars', 'footprint']).optional().meta({
  description:
    '`bars` on /ws/market: bars instead of ticks. `footprint` on /ws/orderflow: volume at price instead of order flow. Both require `timeframe`',
  allowed: 'bars or footprint',
});

const option = (description: string) => flag(description).optional();

export const SubscribeMessage = namedObject('SubscribeMessage', 'Subscribes to symbols', () => ({
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
    description: 'Instrument codes; "*" means all. Optional on /ws/perpetual, /ws/signals, /ws/news and /ws/alerts',
    allowed: SYMBOLS_ALLOWED,
  }),
  api_key: ApiKey.optional(),
  id: RequestId.optional(),
  seq: option('Add `seq`, `prev` and `epoch` to every message. Default `false`'),
  ms: option(
    'On /ws/market, /ws/orderflow and /ws/perpetual: add `time_ms`, the time in milliseconds, to every message. Default `false`',
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
}));

export const UnsubscribeMessage = namedObject('UnsubscribeMessage', 'Unsubscribes from symbols', () => ({
  action: action('unsubscribe'),
  channel: BarsChannel,
  timeframe: choice(TIMEFRAMES, 'Length of the bars. All timeframes by default').optional(),
  symbols: SymbolSet.meta({ description: 'Instrument codes. All symbols by default', allowed: SYMBOLS_ALLOWED }),
  api_key: ApiKey.optional(),
  id: RequestId.optional(),
}));

export const ListMessage = namedObject('ListMessage', 'Requests the current subscriptions', () => ({
  action: action('list'),
  api_key: ApiKey.optional(),
  id: RequestId.optional(),
}));

export const PingMessage = namedObject('PingMessage', 'Requests a pong', () => ({
  action: action('ping'),
  api_key: ApiKey.optional(),
  id: RequestId.optional(),
}));

export const ACTIONS = ['subscribe', 'unsubscribe', 'list', 'ping'] as const;
export const ClientMessage = z.discriminatedUnion('action', [
  SubscribeMessage,
  UnsubscribeMessage,
  ListMessage,
  PingMessage,
]);
export type ClientMessage = z.infer<typeof ClientMessage>;
