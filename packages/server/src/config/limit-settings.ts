// Limits of WebSocket clients: part of the table in settings.ts.
import { KEEPALIVE } from '@tickwire/contract';
import { integerFrom, numberFrom, type Values } from './setting-kinds.ts';

const seconds = numberFrom(1, 3_600, 'seconds');

export const LIMIT_SETTINGS = {
  max_connections: {
    ...integerFrom(1, 1_000_000),
    fallback: 20_000,
    help: 'maximum number of open streams',
  },
  max_connections_per_address: {
    ...integerFrom(1, 1_000_000),
    fallback: 500,
    help: 'maximum number of open streams from one address (IPv6: one /64 network)',
  },
  messages_per_second: {
    // A lower limit would disconnect clients that answer pings while they send messages.
    ...integerFrom(10, 1_000_000),
    fallback: 100,
    help: 'messages, pings and pongs that a connection may send per second',
  },
  max_subscriptions: {
    ...integerFrom(1, 1_000_000),
    fallback: 5_000,
    help: 'maximum number of subscriptions of a connection',
  },
  resume_messages: {
    ...integerFrom(16, 16_777_216),
    fallback: 131_072,
    help: 'number of ticks, and of order flow messages, kept for clients that reconnect',
  },
  replay_bytes_per_minute: {
    ...integerFrom(65_536, 1_000_000_000_000),
    fallback: 33_554_432,
    help: 'bytes per minute that an account may be sent again by resuming, for each stream of its tier; the rest is declared as a gap',
  },
  authentication_seconds: {
    ...seconds,
    fallback: 10,
    help: 'time limit for a connection to authenticate',
  },
  silence_seconds: {
    ...seconds,
    fallback: KEEPALIVE.silence_seconds,
    help: 'a connection is dropped after this time without any sign of life; pings are sent every third of it',
  },
} as const;

/** Their types in the configuration. */
export type LimitSettings = Values<typeof LIMIT_SETTINGS>;
