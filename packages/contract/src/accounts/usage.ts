// Usage of an account: what remains of its limits, and its history.
import { z } from 'zod';
import { Tier } from '../common/tiers.ts';
import { booleanQuery, enumQuery, integer, nullable, text, timestamp } from '../common/values.ts';

export const Usage = z
  .object({
    account: text('Display name of the account. Limits apply to all its keys together'),
    key: text('Public id of the key, or id of the session'),
    scopes: z.array(z.string()).meta({ description: 'Scopes of the key or session' }),
    tier: text('Name of the tier'),
    requests: z
      .object({
        limit: integer('Requests allowed in the window'),
        window_seconds: integer('Length of the rolling window in seconds'),
        remaining: integer('Requests remaining now'),
        reset_seconds: integer('Seconds until the oldest counted request leaves the window'),
      })
      .meta({ description: 'REST requests' }),
    streams: z
      .object({ limit: integer('Open streams allowed'), open: integer('Streams open now') })
      .meta({ description: 'WebSocket streams' }),
    ai_calls: z
      .object({
        limit: integer('AI calls allowed per UTC day'),
        used: integer('AI calls used today'),
        remaining: integer('AI calls remaining today'),
        resets_at: timestamp('Start of the next day'),
      })
      .meta({ description: 'AI calls' }),
    signals: z
      .object({
        limit: nullable(z.int(), 'Signals that may be published per UTC day; `null` if there is no limit'),
        used: integer('Signals published today'),
        remaining: nullable(z.int(), 'Signals that may still be published today; `null` if there is no limit'),
        resets_at: timestamp('Start of the next day'),
        active_per_symbol: integer('Signals of one instrument that may be active at a time'),
      })
      .optional()
      .meta({ description: 'Published signals. Only with `detail=true`' }),
    limits_of: z.enum(['keys', 'sessions']).optional().meta({
      description:
        'Only with `detail=true`: whose requests and streams are counted above. All keys of an account share the limits of its tier, all its sessions share limits of their own',
    }),
  })
  .meta({ id: 'Usage', description: 'Current usage of the limits' });
export type Usage = z.infer<typeof Usage>;

export const UsageQuery = z.object({
  detail: booleanQuery('Add `signals`, the limits of published signals, and `limits_of`', false),
});
export type UsageQuery = z.infer<typeof UsageQuery>;

export const USAGE_PERIODS = ['hour', 'day', 'month'] as const;
export type UsagePeriod = (typeof USAGE_PERIODS)[number];

export const UsageHistoryQuery = z.object({
  period: enumQuery('The last hour by minute, the last day by hour, or the last 30 days by day', USAGE_PERIODS, 'day'),
  detail: booleanQuery('Add `sessions`: the part of signed-in sessions, and their own limits', false),
});
export type UsageHistoryQuery = z.infer<typeof UsageHistoryQuery>;

const counts = {
  requests: integer('REST requests that counted against the limit'),
  errors: integer('Requests that got an error response, including rejected ones'),
  ai_calls: integer('AI calls'),
  stream_seconds: integer('Total time of open streams in seconds, accurate to about five seconds per stream'),
};

export const UsageHistory = z
  .object({
    period: z.enum(USAGE_PERIODS).meta({ description: 'Period covered' }),
    step_seconds: integer('Time between two points in seconds'),
    limits: Tier.meta({ description: 'Limits of the tier. They apply to all keys together, not to sessions' }),
    points: z.array(z.object({ time: timestamp('Start of the interval'), ...counts })).meta({
      description: 'Usage of the account by interval, oldest first, without gaps. The last interval is in progress',
    }),
    keys: z
      .array(
        z.object({
          key: nullable(z.string(), 'Public id of the key; `null` for all sessions together'),
          name: nullable(z.string(), 'Name of the key; `null` for sessions'),
          ...counts,
        }),
      )
      .meta({ description: 'Usage of the whole period by key, for keys that were used' }),
    sessions: z
      .object({
        limits: z
          .object({
            requests_per_minute: integer('Requests allowed in 60 seconds'),
            streams: integer('Open streams allowed'),
          })
          .meta({ description: 'Limits that all sessions of the account share, whatever its tier' }),
        points: z
          .array(z.object({ time: timestamp('Start of the interval'), ...counts }))
          .meta({ description: 'The part of `points` that comes from sessions. The rest comes from keys' }),
      })
      .optional()
      .meta({ description: 'Only with `detail=true`: usage by signed-in sessions' }),
  })
  .meta({ id: 'UsageHistory', description: 'Usage over time' });
export type UsageHistory = z.infer<typeof UsageHistory>;
