// Tiers with their limits, and the scopes of keys. An operator can configure more tiers; these three are the documented ones.

import { z } from 'zod';
import { namedObject } from './values.ts';

const limit = (description: string, max: number, min = 0) => z.int().min(min).max(max).meta({ description });

export const Tier = namedObject('Tier', 'Limits of a tier', () => ({
  requests_per_minute: limit('REST requests per rolling 60 seconds', 100_000, 1),
  streams: limit('Open streams', 100_000),
  ai_calls_per_day: limit('AI calls per UTC day', 1_000_000),
  signals_per_day: limit('Signals per UTC day', 1_000_000),
  active_signals_per_symbol: limit('Active signals per instrument', 100_000),
  live_indicators: limit('Live indicators and footprints', 1_000_000),
  export_rows_per_day: limit('Rows in files and long pages per UTC day', 1_000_000_000_000),
  alerts: limit('Active alerts and subscriptions', 100_000),
  deliveries_per_day: limit('Messages per UTC day', 1_000_000_000),
  delivery_delay_seconds: limit('Delay of subscriptions, in seconds', 86_400),
  replays: limit('Replay sessions', 1_000),
  replay_symbols: limit('Instruments of a replay session', 100),
  replay_events_per_minute: limit('Events of all replay sessions per minute', 1_000_000_000),
  chat_channels: limit('Chat channels that publish', 1_000),
}));
export type Tier = z.infer<typeof Tier>;

export const TIERS = {
  free: {
    requests_per_minute: 60,
    streams: 2,
    ai_calls_per_day: 5,
    signals_per_day: 20,
    active_signals_per_symbol: 5,
    live_indicators: 100,
    export_rows_per_day: 5_000_000,
    alerts: 20,
    deliveries_per_day: 500,
    delivery_delay_seconds: 0,
    replays: 1,
    replay_symbols: 5,
    replay_events_per_minute: 500_000,
    chat_channels: 2,
  },
  pro: {
    requests_per_minute: 120,
    streams: 5,
    ai_calls_per_day: 20,
    signals_per_day: 100,
    active_signals_per_symbol: 20,
    live_indicators: 500,
    export_rows_per_day: 50_000_000,
    alerts: 200,
    deliveries_per_day: 5_000,
    delivery_delay_seconds: 0,
    replays: 3,
    replay_symbols: 20,
    replay_events_per_minute: 5_000_000,
    chat_channels: 5,
  },
  premium: {
    requests_per_minute: 300,
    streams: 10,
    ai_calls_per_day: 50,
    signals_per_day: 500,
    active_signals_per_symbol: 50,
    live_indicators: 1_000,
    export_rows_per_day: 500_000_000,
    alerts: 1_000,
    deliveries_per_day: 50_000,
    delivery_delay_seconds: 0,
    replays: 10,
    replay_symbols: 100,
    replay_events_per_minute: 30_000_000,
    chat_channels: 10,
  },
} as const satisfies Record<string, Tier>;

/** Rows of long reads of history per minute, for each request that a tier allows per minute. */
export const READ_ROWS_PER_REQUEST = 20_000;

/** Firings that an account stores for each alert that its tier allows, and bytes of what they say. The oldest are removed. */
export const FIRINGS_PER_ALERT = 500;
export const FIRING_BYTES_PER_ALERT = 500_000;

/** `alerts` permits changing alerts, destinations and their like; `hook` only publishing through a `/hooks/` address. */
export const SCOPES = ['read', 'alerts', 'publish', 'ingest', 'admin', 'hook'] as const;
export type Scope = (typeof SCOPES)[number];
