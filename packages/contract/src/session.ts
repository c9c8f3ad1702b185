// What the service says about itself and about the caller's allowances.
import { z } from 'zod';
import { Timestamp } from './values.ts';

export const SessionStatistics = z
  .object({
    instruments_active: z.int().meta({ description: 'Instruments that ticked in the last 60 s' }),
    clients_connected: z.int().meta({ description: 'Open authenticated WebSocket connections' }),
    signals_active: z.int(),
    ai_models_available: z.array(z.string()),
    server_time: Timestamp,
    uptime_seconds: z.int(),
  })
  .meta({ id: 'SessionStatistics' });
export type SessionStatistics = z.infer<typeof SessionStatistics>;

export const Usage = z
  .object({
    account: z.string().meta({ description: 'Display name of the account; allowances are counted over all its keys' }),
    key: z.string().meta({ description: 'Public id of the key, or of the session' }),
    scopes: z.array(z.string()),
    tier: z.string(),
    requests: z.object({
      limit: z.int(),
      window_seconds: z.int(),
      remaining: z.int(),
      reset_seconds: z.int().meta({ description: 'Seconds until the oldest counted request leaves the window' }),
    }),
    streams: z.object({ limit: z.int(), open: z.int() }),
    ai_calls: z.object({ limit: z.int(), used: z.int(), remaining: z.int(), resets_at: Timestamp }),
  })
  .meta({ id: 'Usage' });
export type Usage = z.infer<typeof Usage>;

export const Health = z.object({ status: z.enum(['ok', 'starting', 'stopping', 'degraded']) }).meta({ id: 'Health' });

export const Readiness = z
  .object({
    status: z.enum(['ok', 'starting', 'stopping', 'degraded']),
    checks: z.record(z.string(), z.string()).meta({ description: '`ok`, or what is wrong, for each part' }),
  })
  .meta({ id: 'Readiness' });
