// `/sse`: the channels of `/ws` as server-sent events, for clients without WebSocket.
import { z } from 'zod';
import { endpoint, READ } from '../common/endpoint.ts';
import { booleanQuery, choice, text } from '../common/values.ts';
import { splitIndicators } from '../market/indicator-spec.ts';
import { TIMEFRAMES } from '../market/timeframes.ts';
import { MAX_SYMBOLS_PER_MESSAGE, STREAM_CHANNELS } from './channels.ts';
import { MAX_RATE, SubscribeMessage } from './requests.ts';

/** Milliseconds that a client waits before it reconnects. */
export const EVENT_STREAM_RETRY_MS = 3_000;

const split = (value: unknown): unknown => (typeof value === 'string' ? value.split(',') : value);
const decimal = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,4}(\.\d{1,3})?$/.test(value) ? Number(value) : value;

export const EventStreamQuery = z.object({
  channels: z.preprocess(split, z.array(z.enum(STREAM_CHANNELS)).min(1)).meta({
    description: 'Channels, comma-separated',
    allowed: `one or more of ${STREAM_CHANNELS.join(', ')}, comma-separated`,
  }),
  symbols: z
    .preprocess(split, z.array(z.string().trim().min(1).max(64)).min(1).max(MAX_SYMBOLS_PER_MESSAGE))
    .optional()
    .meta({
      description: 'Instrument codes, or `*` for all. Optional for perpetual, signals, news and alerts',
      allowed: `1 to ${MAX_SYMBOLS_PER_MESSAGE} instrument codes, comma-separated`,
    }),
  timeframe: choice(TIMEFRAMES, 'Length of the bars; required for `bars` and `footprint`').optional(),
  indicators: z
    .preprocess(
      (value) => (typeof value === 'string' ? splitIndicators(value) : value),
      SubscribeMessage.shape.indicators.unwrap(),
    )
    .optional()
    .meta({
      description: 'Indicators to add to each bar, such as `rsi(14),macd(12,26,9)`',
      allowed: SubscribeMessage.shape.indicators.meta()?.allowed as string,
    }),
  closes: booleanQuery('Signals: send closings as well', false),
  fills: booleanQuery('Signals: send fills as well', false),
  changes: booleanQuery('Signals: send partial exits and tighter stops as well', false),
  ms: booleanQuery('Ticks, bars, order flow and perpetual: add `time_ms`, the time in milliseconds', false),
  max_rate: z
    .preprocess(decimal, z.number().min(MAX_RATE.least).max(MAX_RATE.most))
    .optional()
    .meta({
      description: 'Maximum number of messages per second and symbol',
      allowed: SubscribeMessage.shape.max_rate.meta()?.allowed as string,
    }),
  delivery: z.enum(['all', 'latest']).default('all').meta({
    description: 'Ticks and order flow: what a slow client gets, all messages or the latest of each symbol',
    allowed: 'all or latest',
  }),
});
export type EventStreamQuery = z.infer<typeof EventStreamQuery>;

const EventStream = text(
  'Server-sent events. `data` is a message as on `/ws`; notices have the event type `notice`',
).meta({ id: 'EventStream' });

export const STREAM_ENDPOINTS = {
  eventStream: endpoint({
    ...READ,
    path: '/sse',
    tag: 'Streams',
    summary: 'Stream messages as server-sent events',
    description:
      'Sends the messages of one or more channels until the client disconnects. A client that ' +
      'reconnects with the last `id` as `Last-Event-ID` gets what it missed, or a `gap` notice. ' +
      'An open response counts as a stream of the tier, not as a request.',
    eventStream: true,
    replay: true,
    query: EventStreamQuery,
    response: EventStream,
    errors: ['symbol_not_found', 'stream_limit', 'too_many_connections', 'service_full'],
  }),
} as const;

export const STREAM_EXAMPLES = {
  eventStream: {
    request: '/sse?channels=market,signals&symbols=EURUSD',
    response: [
      `retry: ${EVENT_STREAM_RETRY_MS}\n\n`,
      'id: market:9f3c81d2a07b:40902\nevent: notice\ndata: {"event":"subscribed","channel":"market","symbols":["EURUSD"],"rejected":[],"epoch":"9f3c81d2a07b","seq":40902}\n\n',
      'id: market:9f3c81d2a07b:40917\ndata: {"channel":"market","symbol":"EURUSD","bid":1.08412,"ask":1.08424,"spread":0.00012,"time":1772450647,"volume":2.5,"seq":40917,"prev":40902,"epoch":"9f3c81d2a07b"}\n\n',
    ].join(''),
  },
} as const;
