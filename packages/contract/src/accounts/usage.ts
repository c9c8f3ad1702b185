// Usage of an account: what remains of its limits, and its history.
import { z } from 'zod';
import { Tier } from '../common/tiers.ts';
import { booleanQuery, enumQuery, integer, namedObject, nullable, text, timestamp } from '../common/values.ts';

export const Usage = namedObject('Usage', 'Current usage of the limits', () => ({
  account: text('Name of the account'),
  key: text('Public id of the key, or id of the session'),
  scopes: z.array(z.string()).meta({ description: 'Scopes of the key or session' }),
  tier: text('Name of the tier'),
  requests: z
    .object({
      limit: integer('Requests allowed in the window'),
      window_seconds: integer('Length of the rolling window in seconds'),
      remaining: integer('Requests remaining now'),
      reset_seconds: integer('Seconds until the oldest counted request expires'),
    })
    .meta({ description: 'REST requests' }),
  streams: z
    .object({ limit: integer('Open streams allowed'), open: integer('Streams open now') })
    .meta({ description: 'WebSocket streams' }),
  ai_calls: z
    .object({
      limit: integer('Limit per UTC day'),
      used: integer('Used today'),
      remaining: integer('Remaining today'),
      resets_at: timestamp('Start of the next day'),
    })
    .meta({ description: 'AI calls' }),
  signals: z
    .object({
      limit: nullable(z.int(), 'Limit; `null` if there is none'),
      used: integer('Used today'),
      remaining: nullable(z.int(), 'Remaining today; `null` if there is no limit'),
      resets_at: timestamp('Start of the next day'),
      active_per_symbol: integer('Active signals per instrument'),
    })
    .optional()
    .meta({ description: 'With `detail=true`: published signals' }),
  limits_of: z.enum(['keys', 'sessions']).optional().meta({
    description: 'With `detail=true`: whether these are the limits of all keys or of all sessions',
  }),
}));
export type Usage = z.infer<typeof Usage>;

export const UsageQuery = z.object({
  detail: booleanQuery('Add `signals`, the limits of published signals, and `limits_of`', false),
});
export type UsageQuery = z.infer<typeof UsageQuery>;

const USAGE_PERIODS = ['hour', 'day', 'month'] as const;
export type UsagePeriod = (typeof USAGE_PERIODS)[number];

export const UsageHistoryQuery = z.object({
  period: enumQuery('The last hour by minute, the last day by hour, or the last 30 days by day', USAGE_PERIODS, 'day'),
  detail: booleanQuery('Add `sessions`: the part of signed-in sessions, and their own limits', false),
});
export type UsageHistoryQuery = z.infer<typeof UsageHistoryQuery>;

const counts = {
  requests: integer('Counted REST requests'),
  errors: integer('Error responses'),
  ai_calls: integer('AI calls'),
  stream_seconds: integer('Time of open streams in seconds'),
};

const UsagePoint = z.object({ time: timestamp('Time of the event, or start of the bar or interval'), ...counts });

export const UsageHistory = namedObject('UsageHistory', 'Usage over time', () => ({
  period: z.enum(USAGE_PERIODS).meta({ description: 'Period covered' }),
  step_seconds: integer('Time between two points in seconds'),
  limits: Tier.meta({ description: 'Limits, shared by all keys of the account' }),
  points: z.array(UsagePoint).meta({
    description: 'Usage by interval, oldest first, the last in progress',
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
        .meta({ description: 'Limits that all sessions of the account share' }),
      points: z.array(UsagePoint).meta({ description: 'The part of `points` from sessions' }),
    })
    .optional()
    .meta({ description: 'With `detail=true`: usage by sessions' }),
}));
export type UsageHistory = z.infer<typeof UsageHistory>;
