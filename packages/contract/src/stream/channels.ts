// The channels of the streams, and the limits of their messages.

export const CHANNELS = ['market', 'orderflow', 'perpetual', 'signals', 'news', 'alerts'] as const;
export type Channel = (typeof CHANNELS)[number];
/** Channels that follow the clock of a replay session, and `/ws`. */
export const REPLAYED_CHANNELS = ['market', 'orderflow', 'news'] as const satisfies readonly Channel[];
/** Channels of `/ws` and `/sse`, where bars and footprints have separate names. */
export const STREAM_CHANNELS = [
  'market',
  'bars',
  'orderflow',
  'footprint',
  'perpetual',
  'signals',
  'news',
  'alerts',
] as const;
export type StreamChannel = (typeof STREAM_CHANNELS)[number];

export const MAX_MESSAGE_BYTES = 65_536;
export const MAX_SYMBOLS_PER_MESSAGE = 1_000;
