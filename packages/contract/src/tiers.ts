// Tiers and the limits they carry. More tiers can be configured; these three are the documented ones.
import { z } from 'zod';

export const Tier = z.object({
  /** REST requests in any rolling 60 seconds. */
  requests_per_minute: z.int().min(1).max(100_000),
  /** Open authenticated WebSocket connections. */
  streams: z.int().min(0).max(100_000),
  /** Answered requests under /api/ai/ from 00:00 UTC to 00:00 UTC. */
  ai_calls_per_day: z.int().min(0).max(1_000_000),
});
export type Tier = z.infer<typeof Tier>;

export const TIERS = {
  free: { requests_per_minute: 60, streams: 2, ai_calls_per_day: 5 },
  pro: { requests_per_minute: 120, streams: 5, ai_calls_per_day: 20 },
  premium: { requests_per_minute: 300, streams: 10, ai_calls_per_day: 50 },
} as const satisfies Record<string, Tier>;

/** `hook`: may publish through an address of `/hooks/`, and do nothing else. */
export const SCOPES = ['read', 'publish', 'ingest', 'admin', 'hook'] as const;
export type Scope = (typeof SCOPES)[number];
