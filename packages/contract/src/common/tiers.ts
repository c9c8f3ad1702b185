// Tiers with their limits, and the scopes of keys. An operator can configure more tiers; these three are the documented ones.
import { z } from 'zod';

export const Tier = z
  .object({
    requests_per_minute: z
      .int()
      .min(1)
      .max(100_000)
      .meta({ description: 'REST requests allowed in any rolling 60 seconds' }),
    streams: z.int().min(0).max(100_000).meta({ description: 'Open authenticated WebSocket connections allowed' }),
    ai_calls_per_day: z.int().min(0).max(1_000_000).meta({
      description:
        'AI calls allowed per UTC day: requests that a model answers, or that the client aborts after a model was asked',
    }),
    signals_per_day: z.int().min(0).max(1_000_000).meta({ description: 'Signals that may be published per UTC day' }),
    active_signals_per_symbol: z
      .int()
      .min(0)
      .max(100_000)
      .meta({ description: 'Signals of one instrument that may be active at a time' }),
    export_rows_per_day: z
      .int()
      .min(0)
      .max(1_000_000_000_000)
      .meta({ description: 'Rows of bars and ticks that may be downloaded as files per UTC day' }),
    alerts: z.int().min(0).max(100_000).meta({ description: 'Alerts and subscriptions that may be active at a time' }),
    deliveries_per_day: z
      .int()
      .min(0)
      .max(1_000_000_000)
      .meta({ description: 'Messages to destinations that may be sent per UTC day' }),
    delivery_delay_seconds: z
      .int()
      .min(0)
      .max(86_400)
      .meta({ description: 'Delay of the messages of subscriptions, in seconds' }),
  })
  .meta({ id: 'Tier', description: 'Limits of a tier' });
export type Tier = z.infer<typeof Tier>;

export const TIERS = {
  free: {
    requests_per_minute: 60,
    streams: 2,
    ai_calls_per_day: 5,
    signals_per_day: 20,
    active_signals_per_symbol: 5,
    export_rows_per_day: 5_000_000,
    alerts: 20,
    deliveries_per_day: 500,
    delivery_delay_seconds: 0,
  },
  pro: {
    requests_per_minute: 120,
    streams: 5,
    ai_calls_per_day: 20,
    signals_per_day: 100,
    active_signals_per_symbol: 20,
    export_rows_per_day: 50_000_000,
    alerts: 200,
    deliveries_per_day: 5_000,
    delivery_delay_seconds: 0,
  },
  premium: {
    requests_per_minute: 300,
    streams: 10,
    ai_calls_per_day: 50,
    signals_per_day: 500,
    active_signals_per_symbol: 50,
    export_rows_per_day: 500_000_000,
    alerts: 1_000,
    deliveries_per_day: 50_000,
    delivery_delay_seconds: 0,
  },
} as const satisfies Record<string, Tier>;

/** `hook` only permits publishing through a `/hooks/` address. */
export const SCOPES = ['read', 'publish', 'ingest', 'admin', 'hook'] as const;
export type Scope = (typeof SCOPES)[number];
