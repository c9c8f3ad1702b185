// Limits of WebSocket clients: part of the table in settings.ts.
import { KEEPALIVE } from '@tickwire/contract';
import { z } from 'zod';

const number = z.union([z.number(), z.string().transform(Number)]);
const seconds = number.pipe(z.number().min(1).max(3_600));

export const LIMIT_SETTINGS = {
  max_connections: {
    schema: number.pipe(z.number().int().min(1).max(1_000_000)),
    fallback: 20_000,
    allowed: 'an integer from 1 to 1000000',
    help: 'maximum number of open streams',
  },
  max_connections_per_address: {
    schema: number.pipe(z.number().int().min(1).max(1_000_000)),
    fallback: 500,
    allowed: 'an integer from 1 to 1000000',
    help: 'maximum number of open streams from one address (IPv6: one /64 network)',
  },
  messages_per_second: {
    // A lower limit would disconnect clients that answer pings while they send messages.
    schema: number.pipe(z.number().int().min(10).max(1_000_000)),
    fallback: 100,
    allowed: 'an integer from 10 to 1000000',
    help: 'messages, pings and pongs that a connection may send per second',
  },
  max_subscriptions: {
    schema: number.pipe(z.number().int().min(1).max(1_000_000)),
    fallback: 5_000,
    allowed: 'an integer from 1 to 1000000',
    help: 'maximum number of subscriptions of a connection',
  },
  resume_messages: {
    schema: number.pipe(z.number().int().min(16).max(16_777_216)),
    fallback: 131_072,
    allowed: 'an integer from 16 to 16777216',
    help: 'number of ticks, and of order flow messages, kept for clients that reconnect',
  },
  replay_bytes_per_minute: {
    schema: number.pipe(z.number().int().min(65_536).max(Number.MAX_SAFE_INTEGER)),
    fallback: 268_435_456,
    allowed: 'an integer of at least 65536',
    help: 'bytes per minute that an account may be sent again by resuming; the rest is declared as a gap',
  },
  authentication_seconds: {
    schema: seconds,
    fallback: 10,
    allowed: 'a number of seconds from 1 to 3600',
    help: 'time limit for a connection to authenticate',
  },
  silence_seconds: {
    schema: seconds,
    fallback: KEEPALIVE.silence_seconds,
    allowed: 'a number of seconds from 1 to 3600',
    help: 'a connection is dropped after this time without any sign of life; pings are sent every third of it',
  },
} as const;

/** Their types in the configuration. */
export type LimitSettings = { readonly [K in keyof typeof LIMIT_SETTINGS]: number };
