// API keys over REST: what an account may ask about its own and do with them. And what it has used over time.
import { z } from 'zod';
import { SCOPES, Tier } from './tiers.ts';
import { enumQuery, Timestamp } from './values.ts';

export const MAX_KEY_NAME = 48;
export const MAX_KEY_DAYS = 36_500;
/** A year. */
export const MAX_OVERLAP_HOURS = 8_760;

export const KeyRequest = z
  .object({
    // It is shown in terminals, too: nothing that moves a cursor.
    name: z
      .string()
      .regex(new RegExp(`^(?=.*\\S)[^\\p{C}]{1,${MAX_KEY_NAME}}$`, 'u'))
      .meta({
        description: 'What the key is for, in your words',
        allowed: `a text of 1 to ${MAX_KEY_NAME} characters that is not blank, without control characters`,
      }),
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .default(['read'])
      .meta({
        description: '`read` where left out; `key_scopes` of the account says which it may give',
        allowed: `one or more of ${SCOPES.join(', ')}`,
      }),
    expires_days: z
      .int()
      .min(1)
      .max(MAX_KEY_DAYS)
      .nullable()
      .default(null)
      .meta({
        description: 'Days it is good for; without end where left out',
        allowed: `an integer from 1 to ${MAX_KEY_DAYS}, or null`,
      }),
  })
  .meta({ id: 'KeyRequest' });
export type KeyRequest = z.infer<typeof KeyRequest>;

export const KeyRotation = z
  .object({
    overlap_hours: z
      .number()
      .min(0)
      .max(MAX_OVERLAP_HOURS)
      .meta({
        description: 'How long the old key stays good beside the new one',
        allowed: `a number from 0 to ${MAX_OVERLAP_HOURS}`,
      }),
  })
  .meta({ id: 'KeyRotation' });

const KEY_STATES = ['good', 'expired', 'revoked'] as const;

export const KeyInfo = z
  .object({
    id: z.string().meta({ description: 'The part of the key that may be shown' }),
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    state: z.enum(KEY_STATES),
    created_at: Timestamp,
    expires_at: Timestamp.nullable(),
    revoked_at: Timestamp.nullable(),
    last_used_at: Timestamp.nullable().meta({ description: 'To the minute' }),
  })
  .meta({ id: 'KeyInfo' });
export type KeyInfo = z.infer<typeof KeyInfo>;

export const KeyList = z.object({ items: z.array(KeyInfo), count: z.int() }).meta({ id: 'KeyList' });

export const IssuedKey = KeyInfo.extend({
  key: z.string().nullable().meta({
    description:
      'The whole key, shown this once. null where the request came again with its Idempotency-Key after the service was restarted',
  }),
}).meta({ id: 'IssuedKey' });
export type IssuedKey = z.infer<typeof IssuedKey>;

export const USAGE_PERIODS = ['hour', 'day', 'month'] as const;
export type UsagePeriod = (typeof USAGE_PERIODS)[number];

export const UsageHistoryQuery = z.object({
  period: enumQuery('The last hour by minutes, day by hours, or 30 days by days (UTC)', USAGE_PERIODS, 'day'),
});
export type UsageHistoryQuery = z.infer<typeof UsageHistoryQuery>;

const counts = {
  requests: z.int().meta({ description: 'REST requests that were counted' }),
  errors: z.int().meta({ description: 'Requests answered with an error, refused ones included' }),
  ai_calls: z.int(),
  stream_seconds: z.int().meta({ description: 'Seconds of open streams, added up; to about five seconds a stream' }),
};

export const UsageHistory = z
  .object({
    period: z.enum(USAGE_PERIODS),
    step_seconds: z.int().meta({ description: 'What a point stands for' }),
    limits: Tier.meta({ description: "The tier's" }),
    points: z
      .array(z.object({ time: Timestamp, ...counts }))
      .meta({ description: 'Of the account, oldest first, none left out; the last is still growing' }),
    keys: z
      .array(
        z.object({
          key: z.string().nullable().meta({ description: 'Public id of the key; null for signed-in sessions' }),
          name: z.string().nullable(),
          ...counts,
        }),
      )
      .meta({ description: 'The whole period by key, those that were used' }),
  })
  .meta({ id: 'UsageHistory' });
export type UsageHistory = z.infer<typeof UsageHistory>;
