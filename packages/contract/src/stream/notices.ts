// Responses and notices of the service, and its close codes.
import { z } from 'zod';
import { integer, namedObject, text } from '../common/values.ts';
import { TimeframeCode } from '../market/schemas.ts';
import { LockstepNotice } from '../replay/lockstep.ts';
import { ERROR_CODES } from './error-catalogue.ts';
import { ofChannel, RequestId, StreamPosition } from './message-fields.ts';

const event = <const E extends string>(name: E) => z.literal(name).meta({ description: 'Type of the event' });
const symbols = (description: string) => z.array(z.string()).meta({ description });

export const SubscriptionNotice = namedObject('SubscriptionNotice', 'The current subscriptions', () => ({
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
}));
export type SubscriptionNotice = z.infer<typeof SubscriptionNotice>;

export const PongNotice = namedObject('PongNotice', 'Response to a ping', () => ({
  event: event('pong'),
  id: RequestId.optional(),
}));

export const ErrorNotice = namedObject('ErrorNotice', 'An error', () => ({
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
}));

export const SlowNotice = namedObject('SlowNotice', 'The client is behind', () => ({
  event: event('slow'),
  ...ofChannel,
  buffered_bytes: integer('Bytes waiting to be received by the client'),
  delivery: z
    .literal('latest')
    .meta({ description: 'Until the client has caught up, only the latest message of each symbol is sent' }),
}));

export const GapNotice = namedObject('GapNotice', 'Messages are missing', () => ({
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
}));
export type GapNotice = z.infer<typeof GapNotice>;

export const HeartbeatNotice = namedObject('HeartbeatNotice', 'Sign of life with the age of the data', () => ({
  event: event('heartbeat'),
  ...ofChannel,
  server_time: z.iso.datetime().meta({ description: 'Current time of the service (ISO 8601, UTC)' }),
  seq: integer('Latest `seq` of the subscribed messages: a client that has received it is up to date'),
  epoch: text('Current epoch'),
  ages: z
    .record(z.string(), z.number().nonnegative().nullable())
    .meta({ description: 'Seconds since the last tick of each subscribed symbol; `null` before the first' }),
}));

export const FeedNotice = namedObject('FeedNotice', 'The state of the source of some symbols changed', () => ({
  event: event('feed'),
  ...ofChannel,
  state: z.enum(['disconnected', 'backfilled', 'failover']).meta({
    description:
      '`disconnected`: the source was lost. `backfilled`: missed trades were fetched. `failover`: another source took over',
  }),
  symbols: symbols('Symbols affected'),
  trades: integer('Number of trades that were fetched and sent as ordinary messages').optional(),
  source: text('Source that now delivers these symbols').optional(),
}));

export const ShutdownNotice = namedObject('ShutdownNotice', 'The service is about to stop', () => ({
  event: event('shutdown'),
}));

export const Notice = z.discriminatedUnion('event', [
  SubscriptionNotice,
  PongNotice,
  ErrorNotice,
  SlowNotice,
  GapNotice,
  HeartbeatNotice,
  FeedNotice,
  ShutdownNotice,
  LockstepNotice,
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
