// Tiers with their limits, and the scopes of keys. An operator can configure more tiers; these three are the documented ones.
import { z } from 'zod';

export const Tier = z.object({
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
});
export type Tier = z.infer<typeof Tier>;

export const TIERS = {
  free: { requests_per_minute: 60, streams: 2, ai_calls_per_day: 5 },
  pro: { requests_per_minute: 120, streams: 5, ai_calls_per_day: 20 },
  premium: { requests_per_minute: 300, streams: 10, ai_calls_per_day: 50 },
} as const satisfies Record<string, Tier>;

/** `hook` only permits publishing through a `/hooks/` address. */
export const SCOPES = ['read', 'publish', 'ingest', 'admin', 'hook'] as const;
export type Scope = (typeof SCOPES)[number];
