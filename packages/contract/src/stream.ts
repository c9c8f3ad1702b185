// WebSocket messages, both ways. Data messages never carry `event`; answers and notices always do.
import { z } from 'zod';
import { ERROR_CODES } from './errors.ts';
import { TIMEFRAMES } from './market.ts';
import { NewsDetail } from './news.ts';
import { ClosedSignal, SignalMessage } from './signal.ts';
import { SymbolCode, UnixSeconds } from './values.ts';

export const CHANNELS = ['market', 'orderflow', 'signals', 'news'] as const;
export type Channel = (typeof CHANNELS)[number];

export const MAX_MESSAGE_BYTES = 65_536;
export const MAX_SYMBOLS_PER_MESSAGE = 1_000;

const TimeframeCode = z.enum(TIMEFRAMES);

/** Continuity fields, present when the subscription asked for them with `"seq":true`. */
const continuity = {
  seq: z.int().optional().meta({ description: 'One rising number per channel' }),
  prev: z.int().optional().meta({ description: "`seq` of this symbol's previous message; 0 before the first" }),
  epoch: z.string().optional().meta({ description: 'Changes only when continuity is lost' }),
};

export const MarketTick = z
  .object({
    symbol: SymbolCode,
    bid: z.number(),
    ask: z.number(),
    spread: z.number(),
    time: UnixSeconds,
    volume: z.number().nonnegative().meta({
      description:
        'Size traded since the previous tick of the instrument where the feed has trades, else the size of the quote, else 1',
    }),
    ...continuity,
  })
  .meta({ id: 'MarketTick' });
export type MarketTick = z.infer<typeof MarketTick>;

export const OrderFlowTick = z
  .object({
    symbol: SymbolCode,
    bid_volume: z.number().nonnegative().meta({ description: 'Volume that hit the bid since the previous message' }),
    ask_volume: z.number().nonnegative().meta({ description: 'Volume that lifted the ask since the previous message' }),
    delta: z.number().meta({ description: 'ask_volume − bid_volume' }),
    cumulative_delta: z.number().meta({ description: 'Since 00:00 UTC' }),
    price: z.number(),
    time: UnixSeconds,
    imbalance: z.number().min(-1).max(1).meta({ description: '(ask − bid) / (ask + bid) volume of the last 60 s' }),
    absorption: z
      .enum(['buy', 'sell'])
      .nullable()
      .meta({ description: 'The passive side that holds the price against one-sided aggression' }),
    side_method: z
      .string()
      .optional()
      .meta({ description: 'How the side was inferred, where the feed did not tell it' }),
    ...continuity,
  })
  .meta({ id: 'OrderFlowTick' });
export type OrderFlowTick = z.infer<typeof OrderFlowTick>;

export const BarMessage = z
  .object({
    channel: z.literal('bars'),
    symbol: SymbolCode,
    timeframe: TimeframeCode,
    time: UnixSeconds.meta({ description: 'Start of the bar' }),
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
    volume: z.number().nonnegative(),
    closed: z.boolean().meta({ description: 'false while the bar is forming; a closed one may come again, corrected' }),
    ...continuity,
  })
  .meta({ id: 'BarMessage' });
export type BarMessage = z.infer<typeof BarMessage>;

export const SignalPublished = SignalMessage.extend(continuity).meta({ id: 'SignalPublished' });
export const SignalClosed = ClosedSignal.extend(continuity).meta({
  id: 'SignalClosed',
  description: 'Only for subscriptions with `"closes":true`',
});

/** An item has several symbols or none, so that its messages go by what the subscription takes in. */
const newsContinuity = {
  ...continuity,
  prev: continuity.prev.meta({ description: '`seq` of the previous message to this subscription; 0 before the first' }),
};

export const NewsPublished = NewsDetail.extend(newsContinuity).meta({ id: 'NewsPublished' });
export type NewsPublished = z.infer<typeof NewsPublished>;
export const NewsRevised = NewsDetail.extend({ revised: z.literal(true), ...newsContinuity }).meta({
  id: 'NewsRevised',
  description: 'The whole item as it stands now, under the `id` it was published with',
});
export type NewsRevised = z.infer<typeof NewsRevised>;

const RequestId = z.union([z.string().max(128), z.number()]).meta({ description: 'Echoed in the answer' });
const ApiKey = z.string().max(256).meta({ description: 'Needed until the connection is authenticated' });
const SymbolSet = z
  .array(z.string().max(64))
  .min(1)
  .max(MAX_SYMBOLS_PER_MESSAGE)
  .meta({ description: 'Instrument codes; "*" means all' });

/** Where a reader stands: it has everything of the epoch up to this number. */
const Position = z.object({ epoch: z.string().max(64), seq: z.int().nonnegative() });
export type Position = z.infer<typeof Position>;

/** Messages per second and symbol that may be asked for, and seconds between heartbeats. */
export const MAX_RATE = { least: 0.1, most: 1_000 } as const;
export const HEARTBEAT_SECONDS = { least: 1, most: 60 } as const;

const BarsChannel = z.literal('bars').meta({ description: 'On /ws/market: bars in place of ticks; needs `timeframe`' });

export const SubscribeMessage = z
  .object({
    action: z.literal('subscribe'),
    channel: BarsChannel.optional(),
    timeframe: TimeframeCode.optional().meta({ description: 'Of the bars' }),
    symbols: SymbolSet.optional().meta({
      description: 'Instrument codes; "*" means all. May be left out on /ws/signals and /ws/news',
    }),
    api_key: ApiKey.optional(),
    id: RequestId.optional(),
    seq: z.boolean().optional().meta({ description: 'Adds seq, prev and epoch to every message' }),
    closes: z.boolean().optional().meta({ description: 'On /ws/signals: closings too' }),
    resume_from: Position.optional().meta({
      description: 'The last message that was seen: what came after it is sent again, then the stream goes on',
    }),
    delivery: z.enum(['all', 'latest']).optional().meta({
      description: '`latest`: when the client is behind, only the newest message of each symbol. Default `all`',
    }),
    max_rate: z.number().min(MAX_RATE.least).max(MAX_RATE.most).optional().meta({
      description: 'Messages per second and symbol at most, in steps of 1, 2, 5, 10…; volumes in between are added up',
    }),
    heartbeat: z.int().min(HEARTBEAT_SECONDS.least).max(HEARTBEAT_SECONDS.most).optional().meta({
      description: 'Seconds between heartbeats on this connection',
    }),
  })
  .meta({ id: 'SubscribeMessage' });

export const UnsubscribeMessage = z
  .object({
    action: z.literal('unsubscribe'),
    channel: BarsChannel.optional(),
    timeframe: TimeframeCode.optional().meta({ description: 'Of the bars; all when left out' }),
    symbols: SymbolSet.optional().meta({ description: 'All when left out' }),
    api_key: ApiKey.optional(),
    id: RequestId.optional(),
  })
  .meta({ id: 'UnsubscribeMessage' });

export const ListMessage = z
  .object({ action: z.literal('list'), api_key: ApiKey.optional(), id: RequestId.optional() })
  .meta({ id: 'ListMessage' });

export const PingMessage = z
  .object({ action: z.literal('ping'), api_key: ApiKey.optional(), id: RequestId.optional() })
  .meta({ id: 'PingMessage' });

export const ACTIONS = ['subscribe', 'unsubscribe', 'list', 'ping'] as const;
export const ClientMessage = z.discriminatedUnion('action', [
  SubscribeMessage,
  UnsubscribeMessage,
  ListMessage,
  PingMessage,
]);
export type ClientMessage = z.infer<typeof ClientMessage>;

export const SubscriptionNotice = z
  .object({
    event: z.enum(['subscribed', 'unsubscribed', 'subscriptions']),
    symbols: z.array(z.string()).meta({ description: 'The whole current set' }),
    bars: z
      .array(z.object({ timeframe: TimeframeCode, symbols: z.array(z.string()) }))
      .optional()
      .meta({ description: 'Bars that are subscribed, where there are any' }),
    rejected: z.array(z.object({ symbol: z.string(), code: z.enum(ERROR_CODES) })),
    source: z.literal('simulated').optional().meta({ description: 'Present where the data is simulated' }),
    epoch: z.string().optional().meta({ description: 'Present on subscriptions with `"seq":true`' }),
    seq: z.int().optional().meta({
      description: 'With `epoch`: where the channel stood; a reader that has seen nothing yet can resume from here',
    }),
    id: RequestId.optional(),
  })
  .meta({ id: 'SubscriptionNotice' });

export const PongNotice = z.object({ event: z.literal('pong'), id: RequestId.optional() }).meta({ id: 'PongNotice' });

export const ErrorNotice = z
  .object({
    event: z.literal('error'),
    code: z.enum(ERROR_CODES),
    message: z.string(),
    fatal: z.boolean().meta({ description: 'The connection is closed next' }),
    retryable: z.boolean(),
    resume_from: Position.optional().meta({
      description: 'With `too_slow`: everything up to here went before this notice; resume from it',
    }),
    id: RequestId.optional(),
  })
  .meta({ id: 'ErrorNotice' });

export const SlowNotice = z
  .object({
    event: z.literal('slow'),
    buffered_bytes: z.int(),
    delivery: z
      .literal('latest')
      .meta({ description: 'Only the newest message per symbol from here on, until caught up' }),
  })
  .meta({ id: 'SlowNotice' });

export const GapNotice = z
  .object({
    event: z.literal('gap'),
    reason: z.enum(['slow', 'feed', 'resume']),
    symbols: z.array(z.string()).meta({ description: 'Symbols of which messages were left out' }),
    dropped: z.int().optional().meta({ description: 'Number of messages left out' }),
    from_seq: z.int().optional(),
    to_seq: z.int().optional(),
    fill: z.string().optional().meta({
      description: 'REST call that has what is missing; `{symbol}` and `{since}` (Unix time) are to be put in',
    }),
  })
  .meta({ id: 'GapNotice' });

export const HeartbeatNotice = z
  .object({
    event: z.literal('heartbeat'),
    server_time: z.iso.datetime(),
    seq: z
      .int()
      .meta({ description: 'Newest `seq` of what the connection is subscribed to: who has seen it is up to date' }),
    epoch: z.string(),
    ages: z
      .record(z.string(), z.number().nonnegative().nullable())
      .meta({ description: 'Seconds since the last tick of each subscribed symbol; null before the first' }),
  })
  .meta({ id: 'HeartbeatNotice' });

export const FeedNotice = z
  .object({
    event: z.literal('feed'),
    state: z.enum(['disconnected', 'backfilled', 'failover']),
    symbols: z.array(z.string()),
    trades: z
      .int()
      .optional()
      .meta({ description: 'Trades that were fetched afterwards and came as ordinary messages' }),
    source: z.string().optional().meta({ description: 'Who delivers these symbols from now on' }),
  })
  .meta({ id: 'FeedNotice', description: 'Something happened to the source of these symbols' });

export const ShutdownNotice = z.object({ event: z.literal('shutdown') }).meta({ id: 'ShutdownNotice' });

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

/** Every close code the service uses, and whether a client should come back. */
export const CLOSE_CODES = [
  { code: 4400, meaning: 'Bad messages', reconnect: false },
  { code: 4401, meaning: 'Key invalid or revoked, or session ended', reconnect: false },
  { code: 4408, meaning: 'No authentication in time', reconnect: false },
  { code: 4409, meaning: 'Too slow', reconnect: true },
  { code: 4413, meaning: 'Message over 64 KiB', reconnect: false },
  { code: 4429, meaning: 'Stream limit, or too many messages', reconnect: true },
  { code: 1009, meaning: 'Frame over 1 MiB', reconnect: false },
  { code: 1011, meaning: 'Server fault', reconnect: true },
  { code: 1012, meaning: 'Restart', reconnect: true },
] as const;
