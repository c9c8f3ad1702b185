// What a client of the streams may ask for and how long it has for it: rows of the table in settings.ts.
import { HEARTBEAT } from '@tickwire/contract';
import { z } from 'zod';

const number = z.union([z.number(), z.string().transform(Number)]);
const seconds = number.pipe(z.number().min(1).max(3_600));

export const LIMIT_SETTINGS = {
  max_connections: {
    schema: number.pipe(z.number().int().min(1).max(1_000_000)),
    fallback: 20_000,
    allowed: 'an integer from 1 to 1000000',
    help: 'open WebSocket connections in all',
  },
  max_connections_per_address: {
    schema: number.pipe(z.number().int().min(1).max(1_000_000)),
    fallback: 500,
    allowed: 'an integer from 1 to 1000000',
    help: 'open WebSocket connections from one address (IPv6: from one /64 network)',
  },
  messages_per_second: {
    // Fewer would end a client for answering our pings while it talks.
    schema: number.pipe(z.number().int().min(10).max(1_000_000)),
    fallback: 100,
    allowed: 'an integer from 10 to 1000000',
    help: 'messages, pings and pongs a connection may send in a second',
  },
  max_subscriptions: {
    schema: number.pipe(z.number().int().min(1).max(1_000_000)),
    fallback: 5_000,
    allowed: 'an integer from 1 to 1000000',
    help: 'subscriptions a connection may hold',
  },
  resume_messages: {
    schema: number.pipe(z.number().int().min(16).max(16_777_216)),
    fallback: 131_072,
    allowed: 'an integer from 16 to 16777216',
    help: 'ticks, and messages of order flow, kept for readers that come back',
  },
  authentication_seconds: {
    schema: seconds,
    fallback: 10,
    allowed: 'a number of seconds from 1 to 3600',
    help: 'time a connection has to show a valid key',
  },
  silence_seconds: {
    schema: seconds,
    fallback: HEARTBEAT.silence_seconds,
    allowed: 'a number of seconds from 1 to 3600',
    help: 'silence after which a connection is given up; it is pinged three times as often',
  },
} as const;

/** As they are in the configuration once read. */
export type LimitSettings = { readonly [K in keyof typeof LIMIT_SETTINGS]: number };
